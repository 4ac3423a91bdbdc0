import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { openKv } from "../lib/platform/kv/mod.ts";
import { endGrant } from "../lib/features/oauth/grants.ts";
import { createTokens } from "../lib/features/oauth/mod.ts";
import { createSecrets } from "../lib/platform/secrets.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../lib/base/time.ts";
import {
  approvedCode,
  CHALLENGE,
  codeForm,
  connect,
  ISSUER,
  pingStatus,
  postForm,
  REDIRECT,
  refreshForm,
  registerClient,
  type TestTokens,
  VERIFIER,
} from "./oauth_site.ts";
import { createSite } from "./site.ts";

const clock = { now: Date.now() };
const env = { MCP_RATE_LIMIT: "0", MCP_REGISTRATION_LIMIT: "0" };
const site = await createSite(env, { clock: () => clock.now });
const client = await registerClient(site);
const other = await registerClient(site);

const exchange = (form: Record<string, string>) => postForm(site, "/token", form);
const tokensOf = async (response: Response): Promise<TestTokens> => {
  assertEquals(response.status, 200);
  return await response.json();
};
const refresh = async ({ refresh_token }: TestTokens) =>
  tokensOf(await exchange(refreshForm(client, refresh_token)));
const errorOf = async (response: Response): Promise<[status: number, error: string]> => {
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(response.headers.get("cache-control"), "no-store");
  return [response.status, (await response.json()).error];
};

Deno.test("a code is exchanged for tokens, which a cache must not keep", async () => {
  const code = await approvedCode(site, client);
  const response = await exchange(codeForm(client, code));
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  const { access_token, refresh_token, ...rest } = await response.json();
  assertMatch(access_token, /^gha_/);
  assertMatch(refresh_token, /^ghr_/);
  assertEquals(rest, { token_type: "Bearer", expires_in: 3600, scope: "mcp offline_access" });
  assertEquals(await pingStatus(site, access_token), 200);
  const stored = await Array.fromAsync(site.services.kv.list({ prefix: [] }));
  const text = Deno.inspect(stored, { depth: 20, iterableLimit: Infinity });
  for (const secret of [code, access_token, refresh_token]) assert(!text.includes(secret));
});

const DOCUMENT = "https://app.example/client.json";
/** A placeholder for a code in the forms below. On a busy machine, one from this moment may expire before the tests run. */
const code = "CODE";
let sent: Promise<string> | undefined;
const withCode = async (form: Record<string, string> | string): Promise<string> =>
  new URLSearchParams(form).toString().replace(code, await (sent ??= approvedCode(site, client)));
const tokens = await connect(site, client);
const valid = codeForm(client, code);
const { code_verifier: _, ...withoutVerifier } = valid;
const { grant_type: __, ...withoutType } = valid;
const validRefresh = refreshForm(client, tokens.refresh_token);
const FOREIGN = "https://mcp.other.example/mcp";
// deno-fmt-ignore: one case per line
const REFUSED: [title: string, form: Record<string, string> | string, status: number, error: string, init?: Parameters<typeof postForm>[3]][] = [
  ["no grant_type", withoutType, 400, "invalid_request"],
  ["an unknown grant_type", { ...valid, grant_type: "client_credentials" }, 400, "unsupported_grant_type"],
  ["no code", { ...valid, code: "" }, 400, "invalid_request"],
  ["an unknown code", { ...valid, code: "c".repeat(43) }, 400, "invalid_grant"],
  ["no client_id", { ...valid, client_id: "" }, 400, "invalid_request"],
  ["an unknown client", { ...valid, client_id: "c".repeat(22) }, 401, "invalid_client"],
  ["a code of another client", { ...valid, client_id: other }, 400, "invalid_grant"],
  ["a code of a registered client with the URL of a document", { ...valid, client_id: DOCUMENT }, 400, "invalid_grant"],
  ["no verifier", withoutVerifier, 400, "invalid_request"],
  ["another verifier", { ...valid, code_verifier: "w".repeat(43) }, 400, "invalid_grant"],
  ["the challenge as the verifier, as with plain", { ...valid, code_verifier: CHALLENGE }, 400, "invalid_grant"],
  ["a short verifier", { ...valid, code_verifier: VERIFIER.slice(1) }, 400, "invalid_request"],
  ["another redirect_uri", { ...valid, redirect_uri: `${REDIRECT}/` }, 400, "invalid_grant"],
  ["another resource", { ...valid, resource: FOREIGN }, 400, "invalid_target"],
  ["the right resource and another one", `${new URLSearchParams(valid)}&resource=${ISSUER}/mcp&resource=${FOREIGN}`, 400, "invalid_target"],
  ["a code of another server", valid, 400, "invalid_grant", { surface: "commercial-mcp" }],
  ["a repeated parameter", `${new URLSearchParams(valid)}&client_id=${other}`, 400, "invalid_request"],
  ["a secret", { ...valid, client_secret: "s" }, 401, "invalid_client"],
  ["a secret in the header", valid, 401, "invalid_client", { headers: { authorization: "Basic YTpi" } }],
  ["JSON", valid, 400, "invalid_request", { body: JSON.stringify(valid), headers: { "content-type": "application/json" } }],
  ["17 KiB", { ...valid, padding: "x".repeat(17 * 1024) }, 400, "invalid_request"],
  ["a refresh token of another client", { ...validRefresh, client_id: other }, 400, "invalid_grant"],
  ["a refresh token for another server", validRefresh, 400, "invalid_grant", { surface: "commercial-mcp" }],
  ["a refresh token for another resource", { ...validRefresh, resource: FOREIGN }, 400, "invalid_target"],
  ["a refresh with a scope that was not granted", { ...validRefresh, scope: "mcp record" }, 400, "invalid_scope"],
  ["a refresh with a blank scope", { ...validRefresh, scope: " " }, 400, "invalid_scope"],
  ["a refresh with offline_access alone", { ...validRefresh, scope: "offline_access" }, 400, "invalid_scope"],
  ["an access token as a refresh token", refreshForm(client, tokens.access_token), 400, "invalid_grant"],
  ["a code as a refresh token", refreshForm(client, code), 400, "invalid_grant"],
];

for (const [title, form, status, error, init] of REFUSED) {
  Deno.test(`/token returns ${error} for ${title}`, async () => {
    const response = await postForm(site, "/token", await withCode(form), init);
    assertEquals(await errorOf(response), [status, error]);
    const scheme = title.startsWith("a secret") ? 'Basic realm="token"' : null;
    assertEquals(response.headers.get("www-authenticate"), scheme);
  });
}

Deno.test("refused requests leave a code and a refresh token unused", async () => {
  const form = await withCode({ ...valid, resource: `${ISSUER}/mcp` });
  await tokensOf(await postForm(site, "/token", form));
  const found = await tokensOf(await exchange({ ...validRefresh, resource: `${ISSUER}/mcp/` }));
  assertNotEquals(found.refresh_token, tokens.refresh_token);
});

Deno.test("/token returns 405 for GET, and a preflight allows any origin", async () => {
  const get = await site.request("foundation-mcp", "/token");
  assertEquals([get.status, (await get.json()).error], [405, "method_not_allowed"]);
  const preflight = await site.request("foundation-mcp", "/token", {
    method: "OPTIONS",
    headers: { origin: "https://app.example", "access-control-request-method": "POST" },
  });
  assertEquals(preflight.status, 204);
  assertEquals(preflight.headers.get("access-control-allow-origin"), "*");
});

Deno.test("without offline_access there is no refresh token, and access ends after an hour", async () => {
  const tokens = await connect(site, client, { scope: "mcp" });
  assertEquals(tokens.refresh_token, undefined);
  clock.now += HOUR_MS - 1;
  assertEquals(await pingStatus(site, tokens.access_token), 200);
  clock.now += 1;
  assertEquals(await pingStatus(site, tokens.access_token), 401);
});

Deno.test("a client that registered refresh tokens gets one without asking for offline_access", async () => {
  const refreshing = await registerClient(site, {
    grant_types: ["authorization_code", "refresh_token"],
  });
  const tokens = await connect(site, refreshing, { scope: "mcp" });
  assertEquals(tokens.scope, "mcp offline_access");
  assertEquals(typeof tokens.refresh_token, "string");
});

Deno.test("with offline_access, an access token still ends after an hour", async () => {
  const { access_token } = await connect(site, client);
  clock.now += HOUR_MS;
  assertEquals(await pingStatus(site, access_token), 401);
});

Deno.test("a refresh during which its grant ends does not bring the grant back", async () => {
  const { kv, oauth, surfaces, config } = site.services;
  const { refresh_token } = await connect(site, client);
  const secrets = createSecrets({ kv, given: config.appSecrets });
  const tokens = createTokens({
    kv,
    clock: () => clock.now,
    oauth,
    secrets: {
      ...secrets,
      async signatures(purpose, text) {
        await endGrant({ kv }, refresh_token.slice(4, 26));
        return await secrets.signatures(purpose, text);
      },
    },
  });
  const issuer = oauth.issuerOf(surfaces.get("foundation-mcp")!)!;
  const form = { ...refreshForm(client, refresh_token), resource: [] };
  const result = await tokens.issue(issuer, form, "198.51.100.1");
  assertEquals(result.ok ? "issued" : result.error, "invalid_grant");
});

Deno.test("a code is valid for 60 seconds", async () => {
  const late = await approvedCode(site, client);
  clock.now += 60 * SECOND_MS;
  assertEquals(await errorOf(await exchange(codeForm(client, late))), [400, "invalid_grant"]);
});

Deno.test("a second use of a code, even after it expired, ends what the first one got", async () => {
  for (const wait of [0, 5 * MINUTE_MS]) {
    const code = await approvedCode(site, client);
    const first = await tokensOf(await exchange(codeForm(client, code)));
    clock.now += wait;
    assertEquals(await pingStatus(site, first.access_token), 200);
    const again = await exchange({ ...codeForm(client, code), code_verifier: "w".repeat(43) });
    assertEquals(await errorOf(again), [400, "invalid_grant"]);
    assertEquals(await pingStatus(site, first.access_token), 401);
    const form = refreshForm(client, first.refresh_token);
    assertEquals(await errorOf(await exchange(form)), [400, "invalid_grant"]);
  }
});

Deno.test("of 1,000 concurrent exchanges of a code one succeeds, and the others end its tokens", async () => {
  const { tokens, oauth, surfaces } = site.services;
  const issuer = oauth.issuerOf(surfaces.get("foundation-mcp")!)!;
  const code = await approvedCode(site, client);
  const form = { ...codeForm(client, code), resource: [] };
  const results = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => tokens.issue(issuer, form, `198.51.100.${i % 250}`)),
  );
  const [first, ...more] = results.filter((result) => result.ok);
  assertEquals(more, []);
  assert(results.every((result) => result.ok || result.error === "invalid_grant"));
  assertEquals(await pingStatus(site, first.tokens.access_token), 401);
});

Deno.test("a refresh returns new tokens, with fewer scopes if asked, and keeps the grant", async () => {
  const first = await connect(site, client);
  const form = { ...refreshForm(client, first.refresh_token), scope: "mcp" };
  const second = await tokensOf(await exchange(form));
  assertEquals(second.scope, "mcp");
  assertNotEquals(second.refresh_token, first.refresh_token);
  clock.now += 89 * DAY_MS; // each refresh extends the grant
  const third = await refresh(second);
  assertEquals(third.scope, "mcp offline_access");
  clock.now += 89 * DAY_MS;
  assertEquals(await pingStatus(site, (await refresh(third)).access_token), 200);
});

Deno.test("a refresh whose response was lost can be repeated for 60 seconds; later reuse ends the grant", async () => {
  const first = await connect(site, client);
  const lost = await Promise.all([refresh(first), refresh(first)]);
  clock.now += 60 * SECOND_MS - 1;
  const second = await refresh(first);
  for (const { refresh_token } of lost) assertEquals(second.refresh_token, refresh_token);
  assertEquals(await pingStatus(site, second.access_token), 200);

  clock.now += 1;
  const form = refreshForm(client, first.refresh_token);
  assertEquals(await errorOf(await exchange(form)), [400, "invalid_grant"]);
  assertEquals(await pingStatus(site, second.access_token), 401);
  const next = refreshForm(client, second.refresh_token);
  assertEquals(await errorOf(await exchange(next)), [400, "invalid_grant"]);
});

Deno.test("a repeated refresh returns the same successor after APP_SECRET was replaced", async () => {
  const kv = await openKv(":memory:");
  await using before = await createSite(env, { kv, clock: () => clock.now });
  const id = await registerClient(before);
  const { refresh_token } = await connect(before, id);
  const form = refreshForm(id, refresh_token);
  const first = await (await postForm(before, "/token", form)).json();
  const [old] = before.services.config.appSecrets;
  const later = await createSite(env, {
    kv,
    clock: () => clock.now,
    configure: (config) => ({ ...config, appSecrets: [new Uint8Array(32).fill(7), old] }),
  });
  const again = await (await postForm(later, "/token", form)).json();
  assertEquals(again.refresh_token, first.refresh_token);
});

Deno.test("/revoke ends one access token, or with a refresh token the whole grant", async () => {
  const revoke = async (form: Record<string, string>, surface?: "commercial-mcp") => {
    const response = await postForm(site, "/revoke", form, { surface });
    return [response.status, (await response.json()).error];
  };
  const first = await connect(site, client);
  const second = await refresh(first);
  assertEquals(await revoke({ token: "unknown", token_type_hint: "access_token" }), [
    200,
    undefined,
  ]);
  assertEquals(await revoke({ client_id: client }), [400, "invalid_request"]);
  assertEquals(await revoke({ client_id: other, token: first.access_token }), [
    400,
    "invalid_grant",
  ]);
  assertEquals(await revoke({ token: first.access_token }, "commercial-mcp"), [200, undefined]);
  assertEquals(await pingStatus(site, first.access_token), 200);

  assertEquals(await revoke({ client_id: client, token: first.access_token }), [200, undefined]);
  assertEquals(await pingStatus(site, first.access_token), 401);
  assertEquals(await pingStatus(site, second.access_token), 200);
  assertEquals(await revoke({ client_id: client, token: second.refresh_token }), [200, undefined]);
  assertEquals(await pingStatus(site, second.access_token), 401);
});

Deno.test("a client address may send 300 token requests per minute", async () => {
  await using limited = await createSite(env, { clock: () => 0 });
  let response = await postForm(limited, "/token", {});
  for (let i = 1; i < 300; i++) response = await postForm(limited, "/token", {});
  assertEquals(response.status, 400);
  const refused = await postForm(limited, "/revoke", {});
  assertEquals(await errorOf(refused), [429, "rate_limited"]);
  assertEquals(refused.headers.get("retry-after"), "60");
});
