/** The benchmark `mcp`: the overhead of the MCP endpoint for one call of a tool, with and without a token. */
import { connect, registerClient } from "../tests/oauth_site.ts";
import { compare, COMPARED, comparedRow, startBaseline } from "./compare.ts";
import { serveSite } from "./site.ts";
import type { Table } from "./table.ts";

const TARGET = 0.55;

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** A call of a tool that reads nothing from the store. */
const CALL = {
  method: "POST",
  path: "/mcp",
  headers: HEADERS,
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_qualification", arguments: { code: "BSB50420" } },
  }),
};

/** Compares `tools/call` with a bare handler, and with a token with the same without one. */
export async function run(options: { rounds: number }): Promise<Table[]> {
  await using site = await serveSite();
  const call = site.target("foundation-mcp", CALL);
  const { access_token } = await connect(site, await registerClient(site), { record: null });
  const headers = { ...HEADERS, authorization: `Bearer ${access_token}` };
  await using bare = await startBaseline("mcp", call);
  const measured = await compare({
    bare,
    call,
    token: site.target("foundation-mcp", { ...CALL, headers }),
  }, options);
  return [{
    title: "`mcp`: `tools/call`",
    columns: COMPARED,
    rows: [
      comparedRow("without a token", measured.call, ["bare", measured.bare], TARGET),
      comparedRow("with a token", measured.token, ["without", measured.call]),
    ],
  }];
}
