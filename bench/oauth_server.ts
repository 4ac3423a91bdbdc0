/**
 * The server that `oauth.ts` measures: `deno run -A bench/oauth_server.ts` prints a line with its port
 * and access tokens, and another one with what it has used for each line of input, until that ends.
 *
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import { openKv } from "../lib/platform/kv/mod.ts";
import { connect, registerClient } from "../tests/oauth_site.ts";
import { recordFixture } from "../tests/record_site.ts";

/** The first line. */
export interface Started {
  port: number;
  tokens: Record<"record" | "noRecord", string>;
}

/** The server's resource use since the previous line. */
export interface Usage {
  cpu_us: number;
  requests: number;
}

if (import.meta.main) {
  const folder = await Deno.makeTempDir();
  const kv = await openKv(join(folder, "oauth.kv"));
  const fixture = await recordFixture({ MCP_RATE_LIMIT: "0" }, { kv, clock: Date.now });
  const { site } = fixture;
  const { hash } = await fixture.holder();
  const client = await registerClient(site);
  const { access_token: record } = await connect(site, client, { record: hash });
  const { access_token: noRecord } = await connect(site, client);
  const tokens = { record, noRecord };
  let requests = 0;
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: ({ port }) => print<Started>({ port, tokens }),
  }, (request, info) => {
    requests++;
    return site.handler(request, info);
  });
  let before = process.cpuUsage();
  for await (const _ of Deno.stdin.readable) {
    const { user, system } = process.cpuUsage(before);
    print<Usage>({ cpu_us: user + system, requests });
    before = process.cpuUsage();
    requests = 0;
  }
  await server.shutdown();
  await fixture[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
}

function print<Line>(line: Line) {
  console.log(JSON.stringify(line));
}
