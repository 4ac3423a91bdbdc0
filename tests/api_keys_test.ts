import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FAILURES_PER_MINUTE, type KeyScope, newKey } from "../lib/features/issuers/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { KvBusyError, openKv } from "../lib/platform/kv/mod.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";
import { SURFACES } from "../lib/platform/surfaces/mod.ts";
import { readRoutes } from "../lib/app/routes.ts";
import { postWithKey, serveOperation } from "../lib/app/serve_operation.ts";
import { route } from "../lib/app/state.ts";
import { BY, ISSUER_PATH, keyFixture, keyForm } from "./key_site.ts";

const UNKNOWN = "The API key is mistyped, unknown, expired or revoked.";

const SCOPED = "/api/documents/scoped";
const { api } = SURFACES;

/** An operation that needs a scope. */
const scoped = (method: "get" | "post" | "delete", keyScope: KeyScope, path = SCOPED) => ({
  method,
  path,
  keyScope,
});

/** A site with a route whose methods need scopes. */
const scopedFixture = (env: Record<string, string> = {}) =>
  keyFixture(env, {
    table: { ...SURFACES, api: { ...api, routes: [...api.routes, { path: SCOPED }] } },
    addRoutes: (app) =>
      app.all(
        SCOPED,
        route({
          GET: serveOperation(
            scoped("get", "documents:read"),
            (_, { caller: { test } }) => Response.json({ test }),
          ),
          POST: postWithKey(
            scoped("post", "documents:write"),
            () => Promise.resolve({ status: 200, body: {} }),
          ),
          DELETE: serveOperation(scoped("delete", "webhooks:write"), () => {
            throw new KvBusyError(1);
          }),
        }),
      ),
  });

Deno.test("a key authenticates its issuer, and the response says what is left of its limit", async () => {
  await using fixture = await keyFixture();
  const { key } = await fixture.create({ mode: "test", lifetime_days: 30 });
  const response = await fixture.call(key);
  assertEquals(response.status, 200);
  const { headers } = response;
  assertEquals(headers.get("ratelimit-policy"), '"default";q=600;w=60');
  assertEquals(headers.get("ratelimit"), '"default";r=599;t=60');
  assertEquals(headers.get("cache-control"), "no-store");
  assertEquals(headers.get("access-control-allow-origin"), null);
  assertEquals(await response.json(), {
    object: "issuer",
    name: "Harbour College",
    domain: null,
    domain_verified: false,
    state: "active",
    test: true,
    key: {
      last4: key.slice(-4),
      scopes: ["documents:read", "documents:write"],
      expires_at: "2026-03-31T10:00:00.000Z",
    },
    rate_limit: 600,
  });
  fixture.clock.now += 20_000;
  const later = await fixture.call(key, { method: "HEAD" });
  assertEquals(later.headers.get("ratelimit"), '"default";r=598;t=40');
});

Deno.test("servers may send Origin, and pages of other sites cannot read responses", async () => {
  await using fixture = await scopedFixture();
  const key = await fixture.key();
  const headers = { origin: "https://other.example", "sec-fetch-site": "cross-site" };
  for (const method of ["GET", "OPTIONS"]) {
    const response = await fixture.call(key, { method, headers });
    await response.body?.cancel();
    assert(response.ok);
    const names = [...response.headers.keys()].filter((name) => name.startsWith("access-control"));
    assertEquals(names, [], method);
  }
});

Deno.test("every route of the API for issuers accepts requests of any origin, and reads no session", async () => {
  const { properties } = await readRoutes(import.meta.resolve("../routes/"));
  const routes = [...properties].filter(([pattern]) => pattern.startsWith("/api/documents"));
  assert(routes.length > 0);
  const expected = { audience: "programs", crossSite: "all", anonymous: true };
  for (const [pattern, { notInOpenApi: _, ...each }] of routes) {
    assertEquals(each, expected, pattern);
  }
});

Deno.test("requests without a valid key return 401 with the way to authenticate, in the same words", async () => {
  await using fixture = await keyFixture();
  const { key, row } = await fixture.create({ lifetime_days: 30 });
  const challenge = async (response: Response) => ({
    status: response.status,
    how: response.headers.get("www-authenticate"),
    policy: response.headers.get("ratelimit-policy"),
    left: response.headers.get("ratelimit"),
    ...await response.json(),
  });
  const refused = {
    status: 401,
    how: 'Bearer realm="api", error="invalid_token"',
    policy: '"default";q=600;w=60',
    left: null,
    error: "unauthenticated",
    message: UNKNOWN,
  };
  const noKey = {
    ...refused,
    how: 'Bearer realm="api"',
    message: "Send an API key as Authorization: Bearer <key>.",
  };
  assertEquals(await challenge(await fixture.call(null)), noKey);
  const basic = { headers: { authorization: `Basic ${btoa(`${key}:`)}` } };
  assertEquals(await challenge(await fixture.call(null, basic)), noKey);
  assertEquals(await challenge(await fixture.call(newKey("live"))), refused);
  assertEquals(await challenge(await fixture.call(key.replace("gh_live_", "gh_test_"))), refused);
  assertEquals(await challenge(await fixture.call(row.hash)), refused);
  fixture.clock.now += 30 * DAY_MS - 1;
  assertEquals((await fixture.call(key)).status, 200);
  fixture.clock.now += 1;
  assertEquals(await challenge(await fixture.call(key)), refused);
});

Deno.test("a key with a wrong checksum is refused without a read of the store", async () => {
  const kv = await openKv(":memory:");
  const reads: string[] = [];
  const get = kv.get.bind(kv);
  kv.get = ((key: Deno.KvKey) => {
    reads.push(String(key[0]));
    return get(key);
  }) as typeof kv.get;
  await using fixture = await keyFixture({}, { kv });
  const key = newKey("live");
  const wrong = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  reads.length = 0;
  assertEquals((await fixture.outcome(wrong))[0], 401);
  assertEquals(reads, []);
  assertEquals((await fixture.outcome(key))[0], 401);
  assertEquals(reads, ["api_keys"]);
});

Deno.test("a key in the URL is refused, also beside one in the header, and nowhere else accepted", async () => {
  await using fixture = await scopedFixture();
  const key = await fixture.key();
  const path = `${ISSUER_PATH}?key=${key}`;
  for (const header of [key, null]) {
    const response = await fixture.call(header, { path });
    const { error, message } = await response.json();
    assertEquals([response.status, error], [401, "unauthenticated"]);
    assertStringIncludes(message, "Replace this key");
  }
  const body = JSON.stringify({ key, authorization: `Bearer ${key}` });
  const headers = { "content-type": "application/json", "x-api-key": key, cookie: `key=${key}` };
  const post = { path: SCOPED, method: "POST", body, headers };
  assertEquals(await fixture.outcome(null, post), [401, "unauthenticated"]);
});

Deno.test("a key does only what its scopes allow", async () => {
  await using fixture = await scopedFixture();
  const { key } = await fixture.create({ scopes: ["documents:read"] });
  assertEquals(await fixture.outcome(key, { path: SCOPED }), [200, undefined]);
  const refused = await fixture.call(key, { path: SCOPED, method: "POST" });
  assertEquals([refused.status, (await refused.json()).error], [403, "insufficient_scope"]);
  assertEquals(
    refused.headers.get("www-authenticate"),
    'Bearer realm="api", error="insufficient_scope", scope="documents:write"',
  );
  assertEquals(refused.headers.get("ratelimit"), '"default";r=598;t=60');
  const { key: writer } = await fixture.create({ scopes: ["documents:write"] });
  const outcomes = [];
  for (const method of ["GET", "POST", "DELETE"]) {
    outcomes.push(await fixture.outcome(writer, { path: SCOPED, method }));
  }
  const insufficient = [403, "insufficient_scope"];
  assertEquals(outcomes, [insufficient, [200, undefined], insufficient]);
});

Deno.test("a POST that cannot be repeated with an Idempotency-Key fails at its first request", async () => {
  const path = "/api/documents/unsafe";
  await using fixture = await keyFixture({}, {
    table: { ...SURFACES, api: { ...api, routes: [...api.routes, { path }] } },
    addRoutes: (app) =>
      app.all(
        path,
        route({
          POST: serveOperation(scoped("post", "documents:write", path), () => Response.json({})),
        }),
      ),
  });
  const outcome = await fixture.outcome(await fixture.key(), { path, method: "POST" });
  assertEquals(outcome, [500, "internal"]);
});

Deno.test("a route with the operation of another method of its path responds with 500 instead of running", async () => {
  const path = "/api/documents/mixed";
  await using fixture = await keyFixture({}, {
    table: { ...SURFACES, api: { ...api, routes: [...api.routes, { path }] } },
    addRoutes: (app) =>
      app.all(
        path,
        route({
          DELETE: serveOperation(scoped("get", "documents:read", path), () => Response.json({})),
        }),
      ),
  });
  const { key } = await fixture.create({ scopes: ["documents:read"] });
  assertEquals(await fixture.outcome(key, { path, method: "DELETE" }), [500, "internal"]);
});

Deno.test("every response to a key has its limit, also errors of the route", async () => {
  await using fixture = await scopedFixture({ API_KEY_RATE_LIMIT: "3" });
  const key = await fixture.key();
  const call = async (method: string) => {
    const response = await fixture.call(key, { path: SCOPED, method });
    await response.body?.cancel();
    return [
      response.status,
      ...["ratelimit", "ratelimit-policy", "retry-after"].map((name) => response.headers.get(name)),
    ];
  };
  const policy = '"default";q=3;w=60';
  assertEquals(await call("GET"), [200, '"default";r=2;t=60', policy, null]);
  fixture.clock.now += 10_000;
  assertEquals(await call("DELETE"), [503, '"default";r=1;t=50', policy, "5"]);
  assertEquals(await call("POST"), [200, '"default";r=0;t=50', policy, null]);
  assertEquals(await call("GET"), [429, '"default";r=0;t=50', policy, "50"]);
  // Each key has its own limit.
  assertEquals(
    (await fixture.call(await fixture.key("test"))).headers.get("ratelimit"),
    '"default";r=2;t=60',
  );
  fixture.clock.now += 50_000;
  assertEquals(await call("GET"), [200, '"default";r=0;t=10', policy, null]);
});

Deno.test("API_KEY_RATE_LIMIT=0: there is no limit, and no header about one", async () => {
  await using fixture = await keyFixture({ API_KEY_RATE_LIMIT: "0" });
  const response = await fixture.call(await fixture.key());
  assertEquals((await response.json()).rate_limit, null);
  const names = [...response.headers.keys()].filter((name) => name.startsWith("ratelimit"));
  assertEquals(names, []);
});

Deno.test("an address that fails too often waits, and so do keys that were not used here before", async () => {
  await using fixture = await keyFixture();
  const { key: known, row } = await fixture.create();
  const other = await fixture.key();
  const elsewhere = { from: "198.51.100.1" };
  assertEquals((await fixture.call(known, elsewhere)).status, 200);
  for (let i = 0; i < FAILURES_PER_MINUTE; i++) {
    assertEquals((await fixture.outcome(newKey("live")))[0], 401);
  }
  const refused = await fixture.call(newKey("live"));
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "60"]);
  await refused.body?.cancel();
  assertEquals(await fixture.outcome(null), [429, "rate_limited"]);
  // Programs behind the same address go on until their key is revoked.
  assertEquals((await fixture.outcome(known))[0], 200);
  const { issuerKeys } = fixture.site.services;
  unwrap(await issuerKeys.revoke({ issuer: fixture.issuer.id, key: row.id, by: BY }));
  assertEquals((await fixture.outcome(known))[0], 429);
  assertEquals((await fixture.outcome(other))[0], 429);
  assertEquals((await fixture.outcome(other, elsewhere))[0], 200);
  fixture.clock.now += MINUTE_MS;
  assertEquals((await fixture.outcome(newKey("live")))[0], 401);
});

Deno.test("a suspended issuer reads but changes nothing; an ended one can do neither", async () => {
  await using fixture = await scopedFixture();
  const key = await fixture.key();
  const outcomes = async () => [
    await fixture.outcome(key, { path: SCOPED }),
    await fixture.outcome(key, { path: SCOPED, method: "POST" }),
  ];
  await fixture.setState("suspended");
  assertEquals(await outcomes(), [[200, undefined], [403, "issuer_suspended"]]);
  assertEquals((await (await fixture.call(key)).json()).state, "suspended");
  await fixture.setState("ended");
  assertEquals(await outcomes(), [[403, "issuer_ended"], [403, "issuer_ended"]]);
  const { issuerKeys } = fixture.site.services;
  const created = await issuerKeys.create({ issuer: fixture.issuer.id, by: BY, ...keyForm() });
  assert(!created.ok && created.error === "conflict");
  await fixture.setState("active");
  assertEquals(await outcomes(), [[200, undefined], [200, undefined]]);
});
