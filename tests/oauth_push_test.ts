import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { grants as grantRows } from "../lib/features/oauth/mod.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { readAccessLog } from "../lib/features/records/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { statusOf } from "./contact_site.ts";
import {
  answerOf,
  approvedCode,
  authorizePath,
  beginRequest,
  codeForm,
  connect,
  connectPush,
  decide,
  ISSUER,
  pingStatus,
  postForm,
  PUSH,
  refreshForm,
  registerClient,
  removeScopes,
} from "./oauth_site.ts";
import { recordFixture } from "./record_site.ts";
import { createSite } from "./site.ts";

const service = fakePush();
const fixture = await recordFixture(
  { MCP_REGISTRATION_LIMIT: "0", MCP_RATE_LIMIT: "0" },
  { pushProviders: { ios: service, android: service } },
);
Deno.test.afterAll(async () => await fixture[Symbol.asyncDispose]());
const { site, clock } = fixture;
const { chains, kv, oauth, push } = site.services;

const PATH = "/api/push/register";
const METADATA = `/.well-known/oauth-protected-resource${PATH}`;
const CHALLENGE =
  `Bearer resource_metadata="http://trust.localhost:8000${METADATA}", scope="notifications"`;
/** A private-use scheme, as apps for phones have (RFC 8252, section 7.1). */
const REDIRECT = "com.example.records:/oauth";

const client = await registerClient(site);

/** A request of an app: without an `Origin` and, unless it is given, without a cookie. */
function send(
  authorization: string | null,
  { token = "a", method = "POST", query = "", headers = {} }: {
    token?: string;
    method?: string;
    query?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<Response> {
  return site.request("trust", PATH + query, {
    method,
    body: JSON.stringify({ platform: "android", token }),
    headers: {
      "content-type": "application/json",
      ...authorization === null ? {} : { authorization },
      ...headers,
    },
  });
}

const register = (token: string, phone: string) =>
  statusOf(send(`Bearer ${token}`, { token: phone }));

/** Appends an event, and returns the tokens that it was pushed to. */
async function pushed(hash: string): Promise<string[]> {
  service.sent = [];
  await chains.append(hash, "record_verified");
  await push.flush();
  return service.sent.map(({ target }) => "token" in target ? target.token : "").sort();
}

/** Returns the number of stored devices of a record. */
async function devicesOf(hash: string): Promise<number> {
  const prefix = ["device_tokens_by_contact", hash];
  return (await Array.fromAsync(kv.list({ prefix }))).length;
}

/** Returns the status, the code and the challenge of a refusal. */
async function refusalOf(response: Response): Promise<[number, string, string | null]> {
  return [
    response.status,
    (await response.json()).error,
    response.headers.get("www-authenticate"),
  ];
}

Deno.test("an app gets a token on the pages, registers its phone, and loses it when it is disconnected", async () => {
  const { hash, cookie } = await fixture.holder();
  const app = await registerClient(site, { client_name: "Pocket", redirect_uris: [REDIRECT] });
  const asked = await beginRequest(site, app, {
    redirect_uri: REDIRECT,
    resource: PUSH,
    scope: "notifications record mcp offline_access",
  });
  const path = `/my-record/authorize?request=${asked.request}`;
  const page = await (await fixture.fetch(path, { cookie })).text();
  for (
    const text of [
      "wants to send notifications to phones about what happens to your record.",
      "the app that opens com.example.records: links on this device",
      PUSH,
      "Register phones for the notifications of your record, and remove them again.",
      "Stay connected until you disconnect it.",
      "It can do nothing else: it cannot read your record or your documents, or change them.",
    ]
  ) assertStringIncludes(page, text);
  assertFalse(/Continue without|Use the tools|Read your record/.test(page));

  const shown = /name="shown" value="([^"]*)"/.exec(page)![1];
  const form = { request: asked.request, shown, decision: "approve" };
  const decided = await fixture.fetch("/my-record/authorize", { cookie, form });
  const { pathname, search } = new URL(decided.headers.get("location")!);
  const headers = { cookie: asked.cookie };
  const returned = await site.request("foundation-mcp", pathname + search, { headers });
  assert(returned.headers.get("location")!.startsWith(`${REDIRECT}?`));
  const { code } = answerOf(returned);
  const exchange = { ...codeForm(app, code), redirect_uri: REDIRECT, resource: PUSH };
  const { access_token, refresh_token, scope } = await (await postForm(site, "/token", exchange))
    .json();
  assertEquals(scope, "notifications offline_access");

  assertEquals(await register(access_token, "phone"), 201);
  assertEquals(await register(access_token, "phone"), 200);
  assertEquals(await pushed(hash), ["phone"]);
  const refreshed = await postForm(site, "/token", refreshForm(app, refresh_token));
  assertEquals(await register((await refreshed.json()).access_token, "phone"), 200);

  const [mail] = await fixture.mails();
  assertStringIncludes(mail.text, "Access: Gets notifications on phones, Stays connected");
  const record = await (await fixture.fetch("/my-record", { cookie })).text();
  for (
    const text of [
      "Gets notifications on phones · Stays connected · trust.localhost:8000",
      "Android device, by “Pocket”",
    ]
  ) assertStringIncludes(record, text);
  const agent = /name="agent" value="([^"]*)"/.exec(record)![1];
  const disconnect = { cookie, form: { act: "disconnect", agent } };
  assertEquals(await statusOf(fixture.fetch("/my-record/agents", disconnect)), 303);
  assertEquals([await devicesOf(hash), await pushed(hash)], [0, []]);
  assertEquals((await push.overview(hash)).choices, { off: [], quiet: null });
  assertEquals(await refusalOf(await send(`Bearer ${access_token}`)), [
    401,
    "invalid_token",
    `${CHALLENGE}, error="invalid_token", error_description="The access token is unknown, expired, ` +
    `revoked, or for another server."`,
  ]);
});

/** A record and an app that is connected to it, which has registered a phone. */
async function phone(name: string, scope = "notifications offline_access") {
  const holder = await fixture.holder();
  const options = { record: holder.hash, resource: PUSH, scope };
  const code = await approvedCode(site, client, options);
  const issued = await (await postForm(site, "/token", codeForm(client, code))).json();
  assertEquals(await register(issued.access_token, name), 201);
  const { access_token, refresh_token } = issued as Record<string, string>;
  return { ...holder, code, access_token, refresh_token, grant: access_token.slice(4, 26) };
}

type Phone = Awaited<ReturnType<typeof phone>>;

const ENDS: Record<string, (phone: Phone) => Promise<unknown>> = {
  "the app revokes its refresh token": ({ refresh_token: token }) =>
    statusOf(postForm(site, "/revoke", { client_id: client, token })),
  async "a refresh token is replayed"({ refresh_token }) {
    await statusOf(postForm(site, "/token", refreshForm(client, refresh_token)));
    clock.now += MINUTE_MS;
    await statusOf(postForm(site, "/token", refreshForm(client, refresh_token)));
  },
  "a code is replayed": ({ code }) => statusOf(postForm(site, "/token", codeForm(client, code))),
  "the holder disconnects all apps": ({ cookie }) =>
    statusOf(fixture.fetch("/my-record/agents", { cookie, form: { act: "disconnect_all" } })),
  async "the record is corrected"({ hash, cookie }) {
    const { email } = (await site.services.records.read(hash))!.contact.value.record;
    const form = { name: "New Name", email, enquiry_type: "Investor" };
    assertEquals(await statusOf(fixture.fetch("/my-record/correct", { cookie, form })), 303);
  },
};

for (const [name, end] of Object.entries(ENDS)) {
  Deno.test(`when ${name}, the phone of the connection is removed, and no other one`, async () => {
    const mine = await phone("mine");
    const inSession = { cookie: mine.cookie, json: { platform: "android", token: "in-session" } };
    assertEquals(await statusOf(fixture.fetch(PATH, inSession)), 201);
    assertEquals(await pushed(mine.hash), ["in-session", "mine"]);
    await end(mine);
    const { row } = (await site.services.records.read(mine.hash))!;
    const hash = row.replaced_by ?? mine.hash;
    assertEquals([await devicesOf(hash), await pushed(hash)], [1, ["in-session"]]);
  });
}

/** Returns the newest entries of a record's access log, without the network and browser. */
async function logOf(hash: string, limit: number): Promise<(string | undefined)[][]> {
  const { entries } = await readAccessLog(kv, hash, clock.now);
  return entries.slice(0, limit).map(({ what, detail, browser }) => [what, detail, browser]);
}

Deno.test("without a refresh token, revoking the access token removes the phone, as the access log says", async () => {
  const { hash, access_token: token } = await phone("mine", "");
  assertEquals(await statusOf(postForm(site, "/revoke", { token })), 200);
  assertEquals([await devicesOf(hash), (await oauth.agents.list(hash)).length], [0, 0]);
  assertEquals(await logOf(hash, 2), [
    ["device_removed", "Android device", "This site"],
    ["agent_disconnected", "Example app, at its own request", "This site"],
  ]);
});

Deno.test("the access log says that a connection ended because a code or a token was used twice", async () => {
  for (const name of ["a code is replayed", "a refresh token is replayed"]) {
    const mine = await phone("mine");
    await ENDS[name](mine);
    const [, ended] = await logOf(mine.hash, 2);
    const detail = "Example app, because one of its codes or tokens was used twice";
    assertEquals(ended, ["agent_disconnected", detail, "This site"], name);
  }
});

Deno.test("an app that is connected again ends its earlier connection with the last phone that it takes over", async () => {
  const first = await phone("a");
  assertEquals(await register(first.access_token, "b"), 201);
  const second = await connectPush(site, client, first.hash);
  const other = await registerClient(site, { client_name: "Other" });
  const third = await connectPush(site, other, first.hash);
  const grants = async () => (await oauth.agents.list(first.hash)).length;
  assertEquals([await register(second.access_token, "a"), await grants()], [200, 3]);
  assertEquals([await register(second.access_token, "b"), await grants()], [200, 2]);
  assertEquals(await logOf(first.hash, 1), [["agent_disconnected", "Example app", "This site"]]);
  assertEquals((await refusalOf(await send(`Bearer ${first.access_token}`)))[1], "invalid_token");
  // Connecting another app ends no connection.
  for (const name of ["a", "b"]) assertEquals(await register(third.access_token, name), 200);
  assertEquals([await grants(), await pushed(first.hash)], [2, ["a", "b"]]);
});

Deno.test("a message that waits for a phone is not sent after the end of the grant", async () => {
  const { hash, grant } = await phone("waits");
  service.answer = () => ({ ok: false, error: "busy", action: "retry" });
  assertEquals(await pushed(hash), []);
  service.answer = () => ({ ok: true });
  await kv.delete(grantRows.key(grant)); // by a process that then crashed
  clock.now += HOUR_MS;
  await push.drain();
  assertEquals([service.sent.length, await devicesOf(hash)], [0, 0]);
});

Deno.test("apps register at most 60 phones of a record per hour, so that they cannot fill its access log", async () => {
  const { access_token } = await phone("mine");
  for (let i = 1; i < 60; i++) assertEquals(await register(access_token, "mine"), 200);
  const refused = await send(`Bearer ${access_token}`, { token: "mine" });
  assertEquals((await refusalOf(refused)).slice(0, 2), [429, "rate_limited"]);
  assert(Number(refused.headers.get("retry-after")) > 0);
});

Deno.test("a connection that ends while a phone is being registered, or of another record, registers nothing", async () => {
  const [ended, other] = [await phone("mine"), await phone("other")];
  const reader = { network: "203.0.113.0/24", browser: "Pocket/1.0" };
  const target = { platform: "android", token: "late" } as const;
  await oauth.agents.disconnectAll(ended.hash, reader);
  for (const { grant } of [ended, other]) {
    const result = await push.register(target, { record: ended.hash, grant, reader });
    assertEquals(!result.ok && result.error, "unauthenticated");
  }
  assertEquals(await devicesOf(ended.hash), 0);
});

Deno.test("a phone whose grant is gone gets nothing, although nobody removed it", async () => {
  const { hash, grant } = await phone("mine");
  await kv.delete(grantRows.key(grant)); // by a process that then crashed
  assertEquals([await devicesOf(hash), await pushed(hash), await devicesOf(hash)], [1, [], 0]);
});

Deno.test("a phone stays when its tokens expire, for 270 days, and each start of the app extends it", async () => {
  await using own = await recordFixture({}, { pushProviders: { android: service } });
  const { site: { services }, clock } = own;
  const { hash } = await own.holder();
  const app = await registerClient(own.site);
  const { access_token, refresh_token } = await connectPush(own.site, app, hash);
  const start = (token: string) =>
    statusOf(own.fetch(PATH, {
      json: { platform: "android", token: "mine" },
      headers: { authorization: `Bearer ${token}` },
    }));
  const live = async () => (await services.push.overview(hash)).devices.length;
  assertEquals(await start(access_token), 201);
  clock.now += 89 * DAY_MS;
  assertEquals(await start(access_token), 401);
  const refreshed = await postForm(own.site, "/token", refreshForm(app, refresh_token));
  assertEquals(await start((await refreshed.json()).access_token), 200);
  clock.now += 269 * DAY_MS;
  assertEquals(await live(), 1);
  clock.now += DAY_MS;
  assertEquals(await live(), 0);
});

Deno.test("a phone belongs to the record, and to the session or connection, that registered it last", async () => {
  const [first, second] = [await phone("moves"), await phone("stays")];
  const json = { platform: "android", token: "moves" };
  // The second record's app gets the phone of the first one.
  assertEquals(await register(second.access_token, "moves"), 201);
  assertEquals([await pushed(first.hash), await pushed(second.hash)], [[], ["moves", "stays"]]);
  await oauth.agents.disconnectAll(first.hash, { network: "", browser: "" });
  assertEquals(await pushed(second.hash), ["moves", "stays"]);
  // Its holder registers it in a session, so the end of the connection does not remove it.
  assertEquals(await statusOf(fixture.fetch(PATH, { cookie: second.cookie, json })), 200);
  await oauth.agents.disconnectAll(second.hash, { network: "", browser: "" });
  assertEquals(await pushed(second.hash), ["moves"]);
  // A connection takes it over, and signing out of the session keeps it.
  const again = await connectPush(site, client, second.hash);
  assertEquals(await register(again.access_token, "moves"), 200);
  const form = {};
  await statusOf(fixture.fetch("/my-record/sign-out", { cookie: second.cookie, form }));
  assertEquals(await pushed(second.hash), ["moves"]);
});

Deno.test("a token removes phones of its own record only, and registers at most ten", async () => {
  const [mine, other] = [await phone("p0"), await phone("other")];
  for (let i = 1; i < 10; i++) assertEquals(await register(mine.access_token, `p${i}`), 201);
  assertEquals(await register(mine.access_token, "p10"), 409);
  const remove = (token: string) =>
    statusOf(send(`Bearer ${mine.access_token}`, { token, method: "DELETE" }));
  for (const token of ["p9", "p9", "other"]) assertEquals(await remove(token), 200);
  assertEquals([await devicesOf(mine.hash), await pushed(other.hash)], [9, ["other"]]);
  assertEquals(await register(mine.access_token, "p10"), 201);
});

Deno.test("each refusal has its status, code and challenge, and changes nothing", async () => {
  const { hash } = await fixture.holder();
  const closed = await fixture.holder();
  const { access_token } = await connectPush(site, client, hash);
  const ofMcp = await connect(site, client, { record: hash });
  const ofNobody = await connect(site, client);
  const narrow = await connectPush(site, client, hash);
  await removeScopes(site, narrow.access_token);
  const ofClosed = await connectPush(site, client, closed.hash);
  const { row } = (await site.services.records.read(closed.hash))!;
  await kv.set(["records", closed.hash], { ...row, deletion_at: new Date(9e12).toISOString() });
  const unknown = `Bearer gha_${"g".repeat(22)}_${"s".repeat(43)}`;
  // deno-fmt-ignore: one case per line
  const cases: [name: string, authorization: string | null, query: string, status: number, code: string, error: string | null][] = [
    ["nothing", null, "", 401, "unauthenticated", null],
    ["a token in the query", null, `?access_token=${access_token}`, 401, "unauthenticated", null],
    ["another scheme", "Basic YTpi", "", 401, "unauthenticated", null],
    ["an unknown token", unknown, "", 401, "invalid_token", "invalid_token"],
    ["a refresh token", `Bearer ${narrow.refresh_token}`, "", 401, "invalid_token", "invalid_token"],
    ["a token for /mcp", `Bearer ${ofMcp.access_token}`, "", 401, "invalid_token", "invalid_token"],
    ["a token without a record", `Bearer ${ofNobody.access_token}`, "", 401, "invalid_token", "invalid_token"],
    ["a token of a closed record", `Bearer ${ofClosed.access_token}`, "", 401, "invalid_token", "invalid_token"],
    ["a token without the scope", `Bearer ${narrow.access_token}`, "", 403, "insufficient_scope", "insufficient_scope"],
    ["no token", "Bearer", "", 400, "invalid_request", "invalid_request"],
    ["two tokens", `Bearer ${access_token} ${access_token}`, "", 400, "invalid_request", "invalid_request"],
  ];
  const before = await fixture.count("device_tokens");
  for (const [name, authorization, query, status, code, error] of cases) {
    for (const method of ["POST", "DELETE"]) {
      const [actual, actualCode, challenge] = await refusalOf(
        await send(authorization, { query, method }),
      );
      assertEquals([actual, actualCode], [status, code], name);
      assertEquals(
        challenge!.split(", error_description")[0],
        error === null ? CHALLENGE : `${CHALLENGE}, error="${error}"`,
        name,
      );
    }
  }
  assertEquals(await fixture.count("device_tokens"), before);
  // A token for notifications is not valid for the tools.
  assertEquals(await pingStatus(site, access_token), 401);
  clock.now += HOUR_MS - 1;
  assertEquals(await register(access_token, "a"), 201);
  clock.now += 1;
  assertEquals((await refusalOf(await send(`Bearer ${access_token}`)))[1], "invalid_token");
});

Deno.test("a bearer token takes precedence over the session, and other sites can use neither", async () => {
  const [app, browser] = [await fixture.holder(), await fixture.holder()];
  const { access_token } = await connectPush(site, client, app.hash);
  const { cookie } = browser;
  const sent = await send(`Bearer ${access_token}`, { token: "x", headers: { cookie } });
  assertEquals([sent.status, await devicesOf(app.hash), await devicesOf(browser.hash)], [
    201,
    1,
    0,
  ]);
  const refused = await send(`Bearer ${access_token}x`, { token: "y", headers: { cookie } });
  assertEquals((await refusalOf(refused)).slice(0, 2), [401, "invalid_token"]);
  assertEquals(await devicesOf(browser.hash), 0);
  // Nobody has chosen one of the session's records yet.
  const unchosen = await fixture.signIn([app.hash, browser.hash]);
  assertEquals(await refusalOf(await send(null, { headers: { cookie: unchosen } })), [
    401,
    "unauthenticated",
    CHALLENGE,
  ]);
  // A reverse proxy may require another scheme.
  const basic = await send("Basic YTpi", { token: "z", headers: { cookie } });
  assertEquals([basic.status, await devicesOf(browser.hash)], [201, 1]);
  const origin = "https://evil.example";
  for (const authorization of [null, `Bearer ${access_token}`]) {
    const response = await send(authorization, { headers: { cookie, origin } });
    assertEquals(response.status, 403);
    assertFalse(response.headers.has("access-control-allow-origin"));
  }
});

Deno.test("requests count for the record of their token, with the limit of the MCP servers", async () => {
  await using limited = await recordFixture({}, { pushProviders: { android: service } });
  const { hash } = await limited.holder();
  const app = await registerClient(limited.site);
  const { access_token } = await connectPush(limited.site, app, hash);
  const { services } = limited.site;
  for (let i = 0; i < 600; i++) {
    const checked = await services.tokens.check(access_token, PUSH, `198.51.100.${i % 250}`);
    assert(checked.ok && checked.bearer !== null);
  }
  const refused = await limited.site.request("trust", PATH, {
    method: "DELETE",
    headers: { authorization: `Bearer ${access_token}` },
  });
  assertEquals((await refusalOf(refused)).slice(0, 2), [429, "rate_limited"]);
  assert(Number(refused.headers.get("retry-after")) > 0);
  const { access_token: ofMcp } = await connect(limited.site, app, { record: hash });
  assertEquals(await pingStatus(limited.site, ofMcp), 429);
});

// deno-fmt-ignore: one case per line
const REQUESTS: [title: string, changes: Record<string, string>, scope: string | null, error?: string][] = [
  ["the resource alone", { resource: PUSH }, "notifications"],
  ["scopes of both resources", { resource: PUSH, scope: "mcp record notifications" }, "notifications"],
  ["only scopes of the other resource", { resource: PUSH, scope: "mcp record" }, null, "invalid_scope"],
  ["only offline_access", { resource: PUSH, scope: "offline_access" }, null, "invalid_scope"],
  ["notifications of the MCP endpoint", { resource: `${ISSUER}/mcp`, scope: "notifications" }, "mcp"],
  ["notifications of no resource", { scope: "record notifications" }, "mcp record"],
  ["another path of the trust surface", { resource: "http://trust.localhost:8000/api/push" }, null, "invalid_target"],
  ["another trust surface", { resource: "http://localhost:8000/api/push/register" }, null, "invalid_target"],
];

for (const [title, changes, scope, error] of REQUESTS) {
  Deno.test(`/authorize for ${title}: ${scope ?? error}`, async () => {
    const response = await site.request("foundation-mcp", authorizePath(client, changes));
    const location = new URL(response.headers.get("location")!);
    assertEquals(location.searchParams.get("error"), error ?? null);
    if (scope === null) return;
    const stored = await oauth.readRequest(location.searchParams.get("request")!);
    if (!stored.ok) throw new Error(stored.error);
    assertEquals(stored.request.scopes.join(" "), scope);
  });
}

Deno.test("a code and a refresh token work only at the server that issued them, for their resource", async () => {
  const { hash } = await fixture.holder();
  const scope = "notifications offline_access";
  const code = await approvedCode(site, client, { record: hash, resource: PUSH, scope });
  const surface = "commercial-mcp";
  const errorOf = async (form: Record<string, string>, options = {}) =>
    (await (await postForm(site, "/token", form, options)).json()).error;
  assertEquals(await errorOf(codeForm(client, code), { surface }), "invalid_grant");
  const elsewhere = { ...codeForm(client, code), resource: `${ISSUER}/mcp` };
  assertEquals(await errorOf(elsewhere), "invalid_target");
  const issued = await (await postForm(site, "/token", codeForm(client, code))).json();
  const refresh = refreshForm(client, issued.refresh_token);
  assertEquals(await errorOf(refresh, { surface }), "invalid_grant");
  assertEquals(await errorOf({ ...refresh, resource: `${ISSUER}/mcp` }), "invalid_target");
  assertEquals(await errorOf({ ...refresh, scope: "offline_access" }), "invalid_scope");
  assertEquals(await errorOf({ ...refresh, scope: "mcp" }), "invalid_scope");
  const revoked = postForm(site, "/revoke", { token: issued.refresh_token }, { surface });
  assertEquals(await statusOf(revoked), 200);
  assertEquals(await errorOf({ ...refresh, resource: PUSH }), undefined);
});

Deno.test("both MCP hosts issue tokens, each for its own requests", async () => {
  const { hash } = await fixture.holder();
  const surface = "commercial-mcp";
  const app = await registerClient(site, {}, surface);
  const { access_token } = await connectPush(site, app, hash, { surface });
  assertEquals(await register(access_token, "commercial"), 201);
  assertEquals(await pingStatus(site, access_token, { surface }), 401);
});

Deno.test("a request for notifications cannot be approved without a record, and offers it nowhere", async () => {
  const { hash, cookie } = await fixture.holder();
  const both = await fixture.signIn([hash, (await fixture.holder()).hash]);
  const { request } = await beginRequest(site, client, { resource: PUSH });
  const path = `/my-record/authorize?request=${request}`;
  for (const each of [undefined, cookie, both]) {
    for (const as of ["", "&as=none", "&as=switch"]) {
      const html = await (await fixture.fetch(path + as, { cookie: each })).text();
      assertFalse(/without a record|as=none|name="without"/.test(html), as);
    }
  }
  const form = { request, decision: "approve", without: "1" };
  assertEquals(await statusOf(fixture.fetch("/my-record/authorize", { form })), 409);
  const decided = await oauth.decide(request, { approved: true, record: null });
  assertEquals(decided.ok, false);
  const { row } = (await site.services.records.read(hash))!;
  await kv.set(["records", hash], { ...row, deletion_at: new Date(9e12).toISOString() });
  const html = await (await fixture.fetch(path, { cookie })).text();
  assertStringIncludes(html, "Your record is closed");
  assertFalse(html.includes("Continue without a record"));
  assert(await decide(site, request, { approved: false }));
});

Deno.test("the trust surface describes the resource, to scripts of any origin", async () => {
  const response = await site.request("trust", METADATA);
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  const document = {
    resource: PUSH,
    authorization_servers: [ISSUER, "http://mcp.commercial.localhost:8000"],
    scopes_supported: ["notifications"],
    bearer_methods_supported: ["header"],
  };
  assertEquals(await response.json(), document);
  const workbench = await (await site.request("workbench", METADATA)).json();
  assertEquals([workbench.resource, workbench.authorization_servers], [
    `http://localhost:8000${PATH}`,
    ["http://localhost:8000"],
  ]);
  for (const surface of ["foundation-mcp", "api"] as const) {
    assertEquals(await statusOf(site.request(surface, METADATA)), 404);
  }
  await using challenge = await createSite({ MCP_OAUTH: "challenge" });
  const inMode = await (await challenge.request("trust", METADATA)).json();
  assertEquals(inMode, {
    ...document,
    authorization_servers: document.authorization_servers.map((issuer) => `${issuer}/oauth`),
  });
});

Deno.test("without an MCP host, a phone is registered only with the session of an open record", async () => {
  const SURFACE_HOSTS = JSON.stringify({
    trust: ["trust.localhost"],
    api: ["api.localhost"],
  });
  await using alone = await recordFixture({ SURFACE_HOSTS }, {
    pushProviders: { android: service },
  });
  const json = { platform: "android", token: "alone" };
  const register = (cookie?: string) => statusOf(alone.fetch(PATH, { json, cookie }));
  const { hash, cookie } = await alone.holder();
  assertEquals([await register(), await register(cookie)], [401, 201]);
  await alone.site.services.records.deletion.request(hash, { network: "", browser: "" });
  assertEquals(await register(await alone.signIn([hash])), 403);
});
