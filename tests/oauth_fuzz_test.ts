import { assertEquals } from "@std/assert";
import {
  approvedCode,
  authorizePath,
  CHALLENGE,
  codeForm,
  connect,
  ISSUER,
  REDIRECT,
  refreshForm,
  registerClient,
} from "./oauth_site.ts";
import { createSite } from "./site.ts";

/** A linear congruential generator, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed;
  const next = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * limit);
  };
  return { next, pick: <T>(values: readonly T[]): T => values[next(values.length)] };
}

const NASTY = [
  "",
  "\0",
  "\ud800",
  "%",
  "%00%ff",
  "a\r\nSet-Cookie: a=b",
  "../../",
  "<script>alert(1)</script>",
  "𝕏\u202e",
  "__proto__",
  "x".repeat(3_000),
  "-1",
  "null",
  "[]",
  "{",
  "https://[::1",
  "http://localhost@evil.example/callback",
  "//evil.example",
  "javascript:alert(1)",
];

Deno.test("3,000 fuzzed requests to /authorize and /register cause no server error and redirect only to registered URIs", async () => {
  const errors: unknown[] = [];
  await using site = await createSite({ MCP_RATE_LIMIT: "0", MCP_REGISTRATION_LIMIT: "0" }, {
    log: (entry) => errors.push(entry),
  });
  const client = await registerClient(site);
  const { next, pick } = createRandom(18);
  const valid = Object.fromEntries(new URLSearchParams(authorizePath(client).split("?")[1]));
  const names = [...Object.keys(valid), "resource", "scope", "prompt", "request", "nonce"];
  const values = [
    ...NASTY,
    ...Object.values(valid),
    CHALLENGE,
    `${ISSUER}/mcp`,
    "mcp record",
    "S256",
  ];

  const authorize = () => {
    const params = new URLSearchParams(valid);
    for (let i = next(3); i >= 0; i--) {
      // Most requests keep the client and its URI, so that they reach the later checks.
      const name = next(60) === 0 ? pick(names) : pick(names.slice(3));
      [
        () => params.set(name, pick(values)),
        () => params.append(name, pick(values)),
        () => params.delete(name),
      ][next(3)]();
    }
    const query = next(60) === 0
      ? params.toString().replaceAll("%", pick(["%", "%%", ""]))
      : params;
    return site.request("foundation-mcp", `/authorize?${query}`, {
      method: next(50) === 0 ? "HEAD" : "GET",
      headers: next(4) === 0 ? { cookie: `oauth_request=${next(9)};${next(9)}` } : {},
    });
  };
  const anything = (depth = 0): unknown => {
    const kind = next(depth > 2 ? 4 : 6);
    if (kind === 0) return next(10);
    if (kind === 1) return null;
    if (kind < 4) return pick(values);
    const list = Array.from({ length: next(4) }, () => anything(depth + 1));
    return kind === 4 ? list : Object.fromEntries(list.map((value) => [pick(values), value]));
  };
  const register = () => {
    const members = ["client_name", "redirect_uris", "grant_types", "response_types", "scope"];
    const metadata: Record<string, unknown> = { redirect_uris: [REDIRECT] };
    for (let i = next(4); i > 0; i--) metadata[pick(members)] = anything();
    const text = JSON.stringify(next(10) === 0 ? anything() : metadata);
    return site.request("foundation-mcp", "/register", {
      method: next(50) === 0 ? pick(["GET", "PUT", "OPTIONS"]) : "POST",
      headers: { "content-type": pick(["application/json", "application/json; x", "text/plain"]) },
      body: null,
      ...next(50) === 0 ? {} : { method: "POST", body: text.slice(0, next(20) ? undefined : 9) },
    });
  };
  const statuses: Record<number, number> = {};
  for (let i = 0; i < 3_000; i++) {
    const response = await (i % 3 === 0 ? authorize() : register());
    await response.body?.cancel();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    const location = response.headers.get("location");
    if (location === null) continue;
    const { origin, pathname } = new URL(location);
    const expected = [REDIRECT, "http://trust.localhost:8000/my-record/authorize"];
    assertEquals(expected.includes(origin + pathname), true, location);
  }
  assertEquals(Object.keys(statuses).filter((status) => Number(status) >= 500), []);
  assertEquals(errors, []);
});

Deno.test("2,000 fuzzed requests to /token and /revoke return JSON without a server error, and issue nothing", async () => {
  const errors: unknown[] = [];
  await using site = await createSite({ MCP_RATE_LIMIT: "0", MCP_REGISTRATION_LIMIT: "0" }, {
    log: (entry) => errors.push(entry),
  });
  const client = await registerClient(site);
  const code = await approvedCode(site, client);
  const { access_token, refresh_token } = await connect(site, client);
  const exchange = { ...codeForm(client, code), code_verifier: "w".repeat(43) };
  const refresh = { ...refreshForm(client, refresh_token), scope: "record" };
  const revoke = { client_id: "c".repeat(22), token: refresh_token };
  const { next, pick } = createRandom(19);
  const names = [...Object.keys({ ...exchange, ...refresh, ...revoke }), "resource", "__proto__"];
  const values = [...NASTY, access_token, code, "authorization_code", "refresh_token", "S256"];

  const tokens = () => Array.fromAsync(site.services.kv.list({ prefix: ["oauth_tokens"] }));
  const before = await tokens();
  const seen = new Set<string>();
  for (let i = 0; i < 2_000; i++) {
    const [path, form] = pick([["/token", exchange], ["/token", refresh], ["/revoke", revoke]]);
    const params = new URLSearchParams(form);
    for (let changes = next(3); changes > 0; changes--) {
      // The parameters that make the request invalid are not changed.
      const name = pick(names.filter((each) => !/^(code_verifier|scope|client_id)$/.test(each)));
      if (next(2)) params.set(name, pick(values));
      else params.append(name, pick(values));
    }
    const text = params.toString();
    const url = site.services.surfaces.url("foundation-mcp", path)!;
    const request = new Request(url, {
      method: next(50) === 0 ? "PUT" : "POST",
      headers: {
        "host": new URL(url).host,
        "content-type": pick([
          "application/x-www-form-urlencoded",
          "APPLICATION/x-www-form-urlencoded; x",
          "text/plain",
        ]),
        ...next(20) === 0 ? { authorization: `Basic ${next(9)}` } : {},
      },
      body: next(10) === 0 ? text.replaceAll("%", pick(["%", "%%", ""])) : text,
    });
    const hostname = `198.51.${next(255)}.${next(255)}`;
    const response = await site.handler(request, {
      remoteAddr: { transport: "tcp", hostname, port: 4711 },
      completed: Promise.resolve(),
    });
    const { error } = await response.json();
    seen.add(`${response.status} ${error ?? ""}`);
    assertEquals(response.headers.get("cache-control"), "no-store");
  }
  assertEquals([...seen].sort(), [
    "200 ",
    "400 invalid_grant",
    "400 invalid_request",
    "400 invalid_scope",
    "400 invalid_target",
    "400 unsupported_grant_type",
    "401 invalid_client",
    "405 method_not_allowed",
  ]);
  assertEquals(await tokens(), before);
  assertEquals(errors, []);
});
