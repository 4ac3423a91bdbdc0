import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { bodyOf, newDocument } from "../lib/features/documents/testing/fixture.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { type Grant, grants } from "../lib/features/oauth/mod.ts";
import { ADMINISTRATOR } from "../lib/features/records/mod.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import {
  approvedCode,
  callTool,
  codeForm,
  connect,
  ISSUER,
  pingStatus,
  postForm,
  registerClient,
} from "./oauth_site.ts";
import { PERSON } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";
import { createSite } from "./site.ts";

const env = { MCP_REGISTRATION_LIMIT: "0" };
const fixture = await recordFixture({ ...env, MCP_RATE_LIMIT: "0" });
const { site, clock } = fixture;
const { services } = site;
const { hash } = await fixture.holder();
const client = await registerClient(site);
const { access_token } = await connect(site, client, { record: hash });
const anonymous = await connect(site, client);

const METADATA = `resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/mcp"`;
const CHALLENGE = `Bearer ${METADATA}, scope="mcp"`;
const RECORD_CHALLENGE = `Bearer ${METADATA}, scope="mcp record"`;

/** Returns the status and challenge of a response with a JSON-RPC error. */
async function refusalOf(response: Response): Promise<[status: number, challenge: string]> {
  assertEquals((await response.json()).error.code, -32000);
  return [response.status, response.headers.get("www-authenticate") ?? ""];
}

const dataOf = async (response: Response) => {
  const { result } = await response.json();
  return { ...result, data: JSON.parse(result.content[0].text) };
};

Deno.test("with a holder's token, verify_chain returns the holder's chain, level and document hashes, and no contact data", async () => {
  const { document } = unwrap(
    await services.documents.add(newDocument(hash), bodyOf("The certificate.")),
  );
  const response = await callTool(site, { token: access_token });
  assertEquals(response.status, 200);
  const { data } = await dataOf(response);
  for (const text of [PERSON.name, PERSON.email]) assertFalse(JSON.stringify(data).includes(text));
  assertEquals([data.ok, data.record_hash, data.level], [true, hash, 1]);
  assertEquals(data.events.map(({ kind }: { kind: string }) => kind), [
    "hash_generated",
    "email_confirmed",
  ]);
  assertEquals(data.head.size, 2);
  const { id, versions: [{ original }] } = document;
  assertEquals(data.documents, [
    { id, version: 1, state: "current", sha256: original.sha256, issued_sha256: null },
  ]);
});

Deno.test("verify_chain requires exactly one of record_hash and record, and events only with a hash", async () => {
  const record_hash = hash;
  for (const args of [{}, { record: "mine", record_hash }, { record: "mine", events: [] }]) {
    const response = await callTool(site, { token: access_token, args });
    assertEquals((await response.json()).error.code, -32602);
  }
});

Deno.test("record mine without a token returns 401 with the challenge, in a batch too", async () => {
  assertEquals(await refusalOf(await callTool(site)), [401, RECORD_CHALLENGE]);
  const params = { name: "verify_chain", arguments: { record: "mine" } };
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params };
  const body = [{ jsonrpc: "2.0", id: 1, method: "ping" }, call];
  assertEquals(await refusalOf(await callTool(site, { body })), [401, RECORD_CHALLENGE]);
});

Deno.test("record mine without a token returns the challenge in the result to OpenAI's clients", async () => {
  const headers = { "user-agent": "openai-mcp/1.0.0 (ChatGPT)" };
  const response = await callTool(site, { headers });
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("www-authenticate"), null);
  const { isError, _meta } = await dataOf(response);
  assertEquals({ isError, _meta }, {
    isError: true,
    _meta: { "mcp/www_authenticate": [RECORD_CHALLENGE] },
  });
});

Deno.test("record mine with a token without the scope or without a record returns 403", async () => {
  const narrow = await connect(site, client, { record: hash, scope: "mcp" });
  for (const token of [narrow.access_token, anonymous.access_token]) {
    const [status, challenge] = await refusalOf(await callTool(site, { token }));
    assertEquals(status, 403);
    assertStringIncludes(challenge, `${RECORD_CHALLENGE}, error="insufficient_scope"`);
  }
});

// deno-fmt-ignore: one case per line
const REFUSED: [title: string, authorization: string, status: number, error: string | null][] = [
  ["an unknown token", `Bearer gha_${"g".repeat(22)}_${"s".repeat(43)}`, 401, "invalid_token"],
  ["a token with another secret", `Bearer ${access_token.slice(0, -43)}${"s".repeat(43)}`, 401, "invalid_token"],
  ["a token of another server", "Bearer eyJhbGciOiJub25lIn0.e30.", 401, "invalid_token"],
  ["a refresh token", `Bearer ${anonymous.refresh_token}`, 401, "invalid_token"],
  ["another scheme", "Basic YTpi", 401, null],
  ["no token", "Bearer", 400, "invalid_request"],
  ["two tokens", `Bearer ${access_token} ${access_token}`, 400, "invalid_request"],
  ["two tokens in a list", `Bearer ${access_token}, Bearer ${access_token}`, 400, "invalid_request"],
  ["a token of 5,000 characters", `Bearer ${"a".repeat(5_000)}`, 400, "invalid_request"],
];

for (const [title, authorization, status, error] of REFUSED) {
  Deno.test(`/mcp returns ${status} for ${title}`, async () => {
    const headers = { authorization };
    const [actual, challenge] = await refusalOf(await callTool(site, { headers, args: {} }));
    assertEquals(actual, status);
    if (error === null) assertEquals(challenge, CHALLENGE);
    else assertStringIncludes(challenge, `${CHALLENGE}, error="${error}", error_description="`);
  });
}

Deno.test("a token is valid only at the server that it was issued for", async () => {
  assertEquals(await pingStatus(site, access_token), 200);
  assertEquals(await pingStatus(site, access_token, { surface: "commercial-mcp" }), 401);
  assertEquals(await pingStatus(site, access_token, { surface: "workbench" }), 401);
  const workbench = await connect(site, client, { surface: "workbench" });
  assertEquals(await pingStatus(site, workbench.access_token, { surface: "workbench" }), 200);
  assertEquals(await pingStatus(site, workbench.access_token, { surface: "commercial-mcp" }), 401);
});

Deno.test("a token in the URL is ignored", async () => {
  const response = await callTool(site, { query: `?access_token=${access_token}` });
  assertEquals(await refusalOf(response), [401, RECORD_CHALLENGE]);
});

Deno.test("browsers may send a token and read the challenge, and a preflight needs no token", async () => {
  const origin = services.surfaces.url("foundation")!;
  const preflight = await site.request("foundation-mcp", "/mcp", {
    method: "OPTIONS",
    headers: { origin, authorization: "Bearer unknown", "access-control-request-method": "POST" },
  });
  assertEquals(preflight.status, 204);
  assertStringIncludes(preflight.headers.get("access-control-allow-headers")!, "authorization");
  const refused = await callTool(site, { headers: { origin } });
  assertEquals(refused.headers.get("access-control-allow-origin"), origin);
  assertStringIncludes(refused.headers.get("access-control-expose-headers")!, "www-authenticate");
  await refused.body?.cancel();
});

Deno.test("a grant that has ended is refused by the next request in every process", async () => {
  await using elsewhere = await createSite({ ...env, MCP_RATE_LIMIT: "0" }, {
    kv: uncloseable(services.kv),
    clock: () => clock.now,
  });
  clock.now++; // so that it is the newest
  const { access_token: token } = await connect(site, client, { record: hash });
  const [grant] = await services.oauth.agents.list(hash);
  assertEquals(await pingStatus(elsewhere, token), 200);
  await services.oauth.agents.disconnect(hash, grant.id, ADMINISTRATOR);
  for (const process of [site, elsewhere]) assertEquals(await pingStatus(process, token), 401);
});

Deno.test("a use of a grant that ends at the same time is not stored", async () => {
  const kv = raceKv(uncloseable(services.kv));
  await using elsewhere = await createSite({ ...env, MCP_RATE_LIMIT: "0" }, {
    kv,
    clock: () => clock.now,
  });
  clock.now++; // so that it is the newest
  const { access_token: token } = await connect(site, client, { record: hash });
  const [{ id }] = await services.oauth.agents.list(hash);
  clock.now += MINUTE_MS; // the connection itself counts as a use
  const ended: string[] = [];
  kv.meanwhile("oauth_grant_uses", async () => {
    await services.oauth.agents.disconnect(hash, id, ADMINISTRATOR);
    ended.push(id);
  });
  await pingStatus(elsewhere, token);
  assertEquals(ended, [id]);
  assertEquals((await services.kv.get(["oauth_grant_uses", id])).value, null);
});

Deno.test("the last use of a grant is written at most once per minute", async () => {
  clock.now++; // so that it is the newest
  const { access_token: token } = await connect(site, client, { record: hash });
  const [{ id }] = await services.oauth.agents.list(hash);
  const lastUse = async () => (await services.oauth.agents.list(hash))[0].last_used;
  const grant = () => services.kv.get<Grant>(grants.key(id));
  const before = await grant();
  await pingStatus(site, token);
  const first = await lastUse();
  assertEquals(first, new Date(clock.now).toISOString());
  clock.now += MINUTE_MS - 1;
  await pingStatus(site, token);
  assertEquals(await lastUse(), first);
  clock.now += 1;
  await Promise.all([pingStatus(site, token), pingStatus(site, token)]);
  assertEquals(await lastUse(), new Date(clock.now).toISOString());
  assertEquals((await grant()).versionstamp, before.versionstamp);
});

Deno.test("tokens of a record that is closed are refused, also after the record is kept", async () => {
  const person = { name: "B", email: "b@example.org", enquiry_type: "Investor", elapsed_ms: 8_000 };
  const { hash } = await fixture.holder(person);
  const { access_token: token } = await connect(site, client, { record: hash });
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  assertEquals(await pingStatus(site, token), 200);
  const code = await approvedCode(site, client, { record: hash });
  await services.records.deletion.request(hash, reader);
  assertEquals(await pingStatus(site, token), 401);
  const refused = await postForm(site, "/token", codeForm(client, code));
  assertEquals((await refused.json()).error, "invalid_grant");
  await services.records.deletion.cancel(hash, reader);
  assertEquals(await pingStatus(site, token), 401);
  await services.records.deletion.deleteRecord(hash);
  assertEquals(await pingStatus(site, token), 401);
});

Deno.test("a record may send 600 messages per minute over all tokens and addresses; a token without a record has the anonymous limit", async () => {
  await using limited = await recordFixture(env);
  const { hash } = await limited.holder();
  const id = await registerClient(limited.site);
  const grants = [
    await connect(limited.site, id, { record: hash }),
    await connect(limited.site, id, { record: hash, surface: "commercial-mcp" }),
  ];
  const batch = Array.from({ length: 50 }, (_, i) => ({ jsonrpc: "2.0", id: i, method: "ping" }));
  const send = async (token: string, i: number, surface?: "commercial-mcp") => {
    const from = `198.51.100.${i}`;
    const response = await callTool(limited.site, { token, from, surface, body: batch });
    await response.body?.cancel();
    return response.status;
  };
  for (let i = 0; i < 6; i++) {
    assertEquals(await send(grants[0].access_token, i), 200);
    assertEquals(await send(grants[1].access_token, i, "commercial-mcp"), 200);
  }
  assertEquals(await send(grants[0].access_token, 7), 429);
  assertEquals(await pingStatus(limited.site, undefined, { from: "198.51.100.1" }), 200);

  const unknown = () => pingStatus(limited.site, "unknown", { from: "198.51.100.8" });
  for (let i = 0; i < 60; i++) assertEquals(await unknown(), 401);
  assertEquals(await unknown(), 429);

  const { access_token: token } = await connect(limited.site, id);
  assertEquals(await send(token, 9), 200);
  assertEquals(await send(token, 9), 429);
});

/** Returns a store that a second site may share and leaves open. */
function uncloseable(kv: Deno.Kv): Deno.Kv {
  return new Proxy(kv, {
    get(target, name) {
      if (name === "close") return () => {};
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
