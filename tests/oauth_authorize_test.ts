import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { unwrap } from "../lib/platform/http/errors.ts";
import { sha256 } from "../lib/platform/kv/hash.ts";
import { codes, type Grant, grants } from "../lib/features/oauth/mod.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import {
  answerOf,
  authorizePath,
  beginRequest,
  CHALLENGE,
  decide,
  ISSUER,
  REDIRECT,
  registerClient,
} from "./oauth_site.ts";
import { recordFixture } from "./record_site.ts";
import { createSite, type Site } from "./site.ts";

const site = await createSite({ MCP_RATE_LIMIT: "0", MCP_REGISTRATION_LIMIT: "0" });
const client = await registerClient(site, {
  redirect_uris: [REDIRECT, "http://localhost/callback", "cursor://anysphere.cursor-mcp/cb"],
});

const authorize = (changes: Record<string, string | null> = {}, more = "") =>
  site.request("foundation-mcp", authorizePath(client, changes) + more);

const finish = (location: string, cookie?: string, on: Site = site) => {
  const { pathname, search } = new URL(location);
  const headers: HeadersInit = cookie === undefined ? {} : { cookie };
  return on.request("foundation-mcp", pathname + search, { headers });
};

Deno.test("a valid request is stored, and the browser goes to the consent page with a cookie", async () => {
  const response = await authorize({
    scope: "record",
    resource: `${ISSUER.toUpperCase()}/mcp/`,
    ignored: "x",
  });
  assertEquals(response.status, 302);
  const location = new URL(response.headers.get("location")!);
  assertEquals(
    location.origin + location.pathname,
    "http://trust.localhost:8000/my-record/authorize",
  );
  assertEquals([...location.searchParams.keys()], ["request"]);
  const [cookie, ...attributes] = response.headers.get("set-cookie")!.split("; ");
  assertMatch(cookie, /^oauth_request=[\w-]{22}$/);
  assertEquals(attributes, ["HttpOnly", "Secure", "SameSite=Lax", "Max-Age=1800", "Path=/"]);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("referrer-policy"), "no-referrer");
  assertEquals(response.headers.get("access-control-allow-origin"), null);

  const token = location.searchParams.get("request")!;
  const stored = unwrap(await site.services.oauth.readRequest(token));
  const { token: _, expires_at: __, used: ___, ...request } = stored.request;
  assertEquals(request, {
    organisation: "foundation",
    issuer: ISSUER,
    client_id: client,
    client_name: "Example app",
    client_kind: "registered",
    redirect_uri: REDIRECT,
    challenge: CHALLENGE,
    scopes: ["mcp", "record"],
    resource: `${ISSUER}/mcp`,
    state: "s t&ate",
    browser: sha256(cookie.split("=")[1]),
  });
});

const SHOWN: [what: string, changes: Record<string, string | null>, more?: string][] = [
  ["no client_id", { client_id: null }],
  ["an unknown client", { client_id: "A".repeat(22) }],
  ["a malformed client_id", { client_id: "x" }],
  ["two client_ids", {}, "&client_id=other"],
  ["a client_id that is too long", { client_id: "x".repeat(2_001) }],
  ["no redirect_uri", { redirect_uri: null }],
  ["an unregistered redirect_uri", { redirect_uri: "https://app.example/other" }],
  ["two redirect_uris", {}, `&redirect_uri=${REDIRECT}`],
  ["another host that begins with the loopback address", {
    redirect_uri: "http://localhost.evil.example/callback",
  }],
  ["user information that looks like the loopback host", {
    redirect_uri: "http://localhost@evil.example/callback",
  }],
  ["a private-use scheme with another host", { redirect_uri: "cursor://evil/cb" }],
];

for (const [what, changes, more] of SHOWN) {
  Deno.test(`a request with ${what} shows a page of the MCP host and redirects nowhere`, async () => {
    const response = await authorize(changes, more);
    assertEquals([response.status, response.headers.get("location")], [400, null]);
    assertEquals(response.headers.get("set-cookie"), null);
    assertStringIncludes(
      response.headers.get("content-security-policy")!,
      "frame-ancestors 'none'",
    );
    const page = await response.text();
    assertStringIncludes(page, "<h1>The app cannot be connected</h1>");
    assert(!page.includes("evil"));
  });
}

const REDIRECTED: [
  what: string,
  changes: Record<string, string | null>,
  error: string,
  more?: string,
][] = [
  ["no response_type", { response_type: null }, "invalid_request"],
  ["response_type=token", { response_type: "token" }, "unsupported_response_type"],
  ["no code_challenge", { code_challenge: null }, "invalid_request"],
  ["a short code_challenge", { code_challenge: "x" }, "invalid_request"],
  ["no code_challenge_method", { code_challenge_method: null }, "invalid_request"],
  ["code_challenge_method=plain", { code_challenge_method: "plain" }, "invalid_request"],
  ["another resource", { resource: `${ISSUER}/MCP` }, "invalid_target"],
  ["a resource with a fragment", { resource: `${ISSUER}/mcp#x` }, "invalid_target"],
  ["the resource of the other organisation", {
    resource: "http://mcp.commercial.localhost:8000/mcp",
  }, "invalid_target"],
  ["two scopes parameters", { scope: "mcp" }, "invalid_scope", "&scope=record"],
  ["an unknown scope", { scope: "admin" }, "invalid_scope"],
  ["an unknown scope beside a known one", { scope: "mcp openid" }, "invalid_scope"],
  ["a scope that is too long", { scope: "x".repeat(501) }, "invalid_scope"],
  ["two code_challenges", {}, "invalid_request", `&code_challenge=${CHALLENGE}`],
];

for (const [what, changes, error, more] of REDIRECTED) {
  Deno.test(`a request with ${what} returns ${error} to the client, with state and iss`, async () => {
    const response = await authorize(changes, more);
    assertEquals(response.status, 302);
    assertEquals(response.headers.get("location")!.split("?")[0], REDIRECT);
    const { error_description, ...answer } = answerOf(response);
    assertMatch(error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    assertEquals(answer, { error, state: "s t&ate", iss: ISSUER });
  });
}

Deno.test("a state that is sent twice or too long is not returned", async () => {
  for (
    const response of [
      await authorize({}, "&state=2"),
      await authorize({ state: "x".repeat(4_001) }),
    ]
  ) {
    const { error_description: _, ...answer } = answerOf(response);
    assertEquals(answer, { error: "invalid_request", iss: ISSUER });
  }
});

Deno.test("errors reach loopback ports and private-use schemes, and keep the URI's own query", async () => {
  for (const uri of ["http://localhost:50123/callback", "cursor://anysphere.cursor-mcp/cb"]) {
    const response = await authorize({ redirect_uri: uri, response_type: null });
    assert(response.headers.get("location")!.startsWith(`${uri}?error=invalid_request&`));
  }
  const other = await registerClient(site, { redirect_uris: [`${REDIRECT}?a=1`] });
  const response = await site.request(
    "foundation-mcp",
    authorizePath(other, { redirect_uri: `${REDIRECT}?a=1`, response_type: null }),
  );
  assert(response.headers.get("location")!.startsWith(`${REDIRECT}?a=1&error=`));
});

Deno.test("a HEAD request to /authorize stores no request", async () => {
  const response = await site.request("foundation-mcp", authorizePath(client), { method: "HEAD" });
  assertEquals([response.status, response.headers.get("allow")], [405, "GET"]);
});

Deno.test("an approved request returns a code, once, and stores what the code is bound to", async () => {
  await using fixture = await recordFixture();
  const { site } = fixture;
  const client = await registerClient(site);
  const { hash } = await fixture.holder();
  const { request, cookie } = await beginRequest(site, client, { scope: "mcp record" });
  const back = await decide(site, request, { approved: true, record: hash });
  assert(back.startsWith(`${ISSUER}/authorize?handoff=`));
  const response = await finish(back, cookie, site);
  assertEquals(response.status, 302);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const { code, ...answer } = answerOf(response);
  assertEquals(answer, { state: "s t&ate", iss: ISSUER });

  const found = await codes.find(site.services.kv, code, site.services.clock());
  assertEquals(found.state, "open");
  const { client_id, redirect_uri, challenge, resource, grant } = found.entry!.value;
  assertEquals([client_id, redirect_uri, challenge, resource], [
    client,
    REDIRECT,
    CHALLENGE,
    `${ISSUER}/mcp`,
  ]);
  const stored = (await site.services.kv.get<Grant>(grants.key(grant))).value!;
  assertEquals([stored.record, stored.scopes], [hash, ["mcp", "record"]]);

  const again = await finish(back, cookie, site);
  assertEquals(again.status, 400);
  assertStringIncludes(await again.text(), "This decision has already been sent to the app.");
  assertEquals(
    (await site.services.oauth.decide(request, { approved: true, record: null })).ok,
    false,
  );
});

Deno.test("of 20 simultaneous decisions and 20 handoffs one each takes effect", async () => {
  const { request, cookie } = await beginRequest(site, client);
  const twenty = <T>(fn: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, fn));
  const decided = await twenty(() =>
    site.services.oauth.decide(request, { approved: true, record: null })
  );
  const locations = decided.flatMap((result) => result.ok ? [result.location] : []);
  assertEquals(locations.length, 1);
  const finished = await twenty(() => finish(locations[0], cookie));
  assertEquals(finished.filter(({ status }) => status === 302).length, 1);
  for (const { body } of finished) await body?.cancel();
});

Deno.test("a declined request returns access_denied with state and iss", async () => {
  const { request, cookie } = await beginRequest(site, client);
  const back = await decide(site, request, { approved: false });
  const { error_description: _, ...answer } = answerOf(await finish(back, cookie));
  assertEquals(answer, { error: "access_denied", state: "s t&ate", iss: ISSUER });
});

Deno.test("a handoff in another browser issues nothing and is used up", async () => {
  const { request, cookie } = await beginRequest(site, client);
  const { cookie: other } = await beginRequest(site, client);
  const back = await decide(site, request, { approved: true, record: null });
  const phished = await finish(back, other);
  assertEquals([phished.status, phished.headers.get("location")], [400, null]);
  assertStringIncludes(await phished.text(), "The app asked for access in another browser.");
  assertEquals((await finish(back, cookie)).status, 400);
  assertEquals((await finish(`${ISSUER}/authorize?handoff=x`, cookie)).status, 400);
});

Deno.test("several tabs of a browser share its cookie, and each receives its own code", async () => {
  const first = await beginRequest(site, client, { state: "1" });
  const second = await beginRequest(site, client, { state: "2" }, { cookie: first.cookie });
  assertEquals(second.cookie, first.cookie);
  for (const [{ request }, state] of [[second, "2"], [first, "1"]] as const) {
    const back = await decide(site, request, { approved: true, record: null });
    assertEquals(answerOf(await finish(back, first.cookie)).state, state);
  }
});

Deno.test("a request can be decided for 30 minutes, and a decision sent for one", async () => {
  let now = Date.parse("2026-03-01T10:00:00Z");
  await using timed = await createSite({}, { clock: () => now });
  const { oauth } = timed.services;
  const id = await registerClient(timed);
  const first = await beginRequest(timed, id);
  now += 30 * MINUTE_MS;
  const late = await oauth.decide(first.request, { approved: true, record: null });
  assertEquals(late, { ok: false, error: "expired" });

  const second = await beginRequest(timed, id);
  const back = await decide(timed, second.request, { approved: true, record: null });
  now += MINUTE_MS;
  const response = await finish(back, second.cookie, timed);
  assertStringIncludes(await response.text(), "The request has expired.");
});

Deno.test("a handoff of one MCP host is refused by the other", async () => {
  const { request, cookie } = await beginRequest(site, client);
  const back = await decide(site, request, { approved: true, record: null });
  const { pathname, search } = new URL(back);
  const response = await site.request("commercial-mcp", pathname + search, { headers: { cookie } });
  assertEquals(response.status, 400);
});

Deno.test("authorization requests are limited per client address", async () => {
  await using limited = await createSite({ MCP_RATE_LIMIT: "2" });
  const id = await registerClient(limited);
  const send = () => limited.request("foundation-mcp", authorizePath(id));
  const statuses = [(await send()).status, (await send()).status];
  const refused = await send();
  assertEquals([...statuses, refused.status], [302, 302, 429]);
  assert(Number(refused.headers.get("retry-after")) > 0);
});
