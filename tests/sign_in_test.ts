import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { productionEnv } from "../lib/app/testing/production.ts";
import { readOutbox } from "../lib/platform/jobs/mod.ts";
import { KvBusyError } from "../lib/platform/kv/mod.ts";
import { MAIL_CHANNEL, readMailFailures } from "../lib/platform/mail/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";
import { ADA, ADMIN, cookiesOf, createSignInSite, locationOf } from "./sign_in_site.ts";
import { createSite } from "./site.ts";

const MAIL_API = {
  MAIL_TRANSPORT: "http",
  MAIL_API_URL: "https://mail.example/send",
  MAIL_API_KEY: "key",
};

for (const path of ["/auth/verify", "/api/auth/verify"]) {
  Deno.test(`GET ${path} signs in once, with the specified cookie`, async () => {
    await using setup = await createSignInSite();
    const { open } = setup;
    const link = (await setup.linkFor(ADA)).replace("/auth/verify", path);
    const first = await open(link);
    assertEquals(await locationOf(Promise.resolve(first)), [302, "/account"]);
    assertMatch(
      first.headers.getSetCookie()[0],
      /^app_session=[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}; HttpOnly; Secure; SameSite=Lax; Max-Age=2592000; Path=\/$/,
    );
    assertEquals(first.headers.get("referrer-policy"), "no-referrer");
    assertEquals(first.headers.get("cache-control"), "no-store");

    const cookie = cookiesOf(first).app_session;
    const account = await open("/account", "site", { headers: { cookie } });
    assertEquals(account.status, 200);
    assertEquals(account.headers.get("cache-control"), "no-store");
    assertStringIncludes(await account.text(), ADA);

    const again = await open(link);
    assertEquals(await locationOf(Promise.resolve(again)), [302, "/auth?error=expired"]);
    assertEquals(again.headers.get("set-cookie"), null);
  });
}

for (
  const [surface, from, subject] of [
    ["foundation-console", "Foundation <f@mail.example>", "Open Records Foundation console"],
    ["commercial-console", "Company <c@mail.example>", "Attest Systems console"],
    ["site", "Qualpack <q@mail.example>", "Qualpack"],
  ] as const
) {
  Deno.test(`${surface}: the mail is sent in the name of ${from}`, async () => {
    await using setup = await createSignInSite({
      OPS_L1_EMAILS: ADMIN,
      MAIL_FROM: "Qualpack <q@mail.example>",
      FOUNDATION_MAIL_FROM: "Foundation <f@mail.example>",
      COMMERCIAL_MAIL_FROM: "Company <c@mail.example>",
    });
    await setup.linkFor(ADMIN, surface);
    const [mail] = setup.site.services.devOutbox!.list();
    assertEquals([mail.from, mail.subject], [from, `Sign in to ${subject}`]);
  });
}

Deno.test("the email is from the product, with the link, the 15 minutes and a note that it can be ignored", async () => {
  await using setup = await createSignInSite();
  await setup.linkFor(ADA);
  const [mail] = setup.site.services.devOutbox!.list();
  assertEquals(mail.from, "Qualpack <no-reply@site.localhost>");
  assertEquals([mail.to, mail.subject], [ADA, "Sign in to Qualpack"]);
  for (const body of [mail.text, mail.html]) {
    assertStringIncludes(body, mail.link!);
    assertStringIncludes(body, "15 minutes");
    assertStringIncludes(body, "ignore");
  }
  assertMatch(mail.link!, /^http:\/\/site\.localhost:8000\/auth\/verify\?token=[\w-]{43}$/);
});

const MALFORMED: [title: string, body: unknown][] = [
  ["without an address", {}],
  ["with a blank address", { email: "  " }],
  ["with no @", { email: "person.example.org" }],
  ["with two addresses", { email: "a@example.org, b@example.org" }],
  ["with a line break", { email: "a@example.org\nBcc: b@example.org" }],
  ["with a name that is too long for SMTP", { email: `${"a".repeat(65)}@example.org` }],
  ["with a number", { email: 7 }],
  ["with a list", { email: ["a@example.org"] }],
];

for (const [title, body] of MALFORMED) {
  Deno.test(`a request ${title} returns 400 with an issue for the email`, async () => {
    await using setup = await createSignInSite();
    const response = await setup.request(body);
    assertEquals(response.status, 400);
    const { error, issues } = await response.json();
    assertEquals(error, "invalid_request");
    assertEquals(Object.keys(issues), ["email"]);
    await setup.site.services.mailer.flush();
    assertEquals(setup.site.services.devOutbox!.list(), []);
  });
}

const LARGEST = 64 * 1024 - `{"email":""}`.length;
const BODIES: [title: string, type: string, body: string, status: number, error: string][] = [
  ["invalid JSON", "application/json", "{", 400, "invalid_request"],
  ["JSON null", "application/json", "null", 400, "invalid_request"],
  ["plain text", "text/plain", "{}", 415, "unsupported_media_type"],
  ["64 KiB", "application/json", `{"email":"${"a".repeat(LARGEST)}"}`, 400, "invalid_request"],
  [
    "64 KiB and a byte",
    "application/json",
    `{"email":"${"a".repeat(LARGEST + 1)}"}`,
    413,
    "too_large",
  ],
];

for (const [title, type, body, status, error] of BODIES) {
  Deno.test(`POST /api/auth/request with ${title} returns ${status}`, async () => {
    await using setup = await createSignInSite();
    const response = await setup.open("/api/auth/request", "site", {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    assertEquals([response.status, (await response.json()).error], [status, error]);
  });
}

Deno.test("a link is valid for 15 minutes", async () => {
  await using setup = await createSignInSite();
  const [inTime, late] = [await setup.linkFor(ADA), await setup.linkFor(ADA)];
  const start = setup.clock.now;
  setup.clock.now = start + 15 * MINUTE_MS - 1000;
  assertEquals(await locationOf(setup.open(inTime)), [302, "/account"]);
  setup.clock.now = start + 15 * MINUTE_MS;
  assertEquals(await locationOf(setup.open(late)), [302, "/auth?error=expired"]);
  const page = await setup.open("/auth?error=expired");
  assertStringIncludes(await page.text(), "That link has expired");
});

Deno.test("a session is valid for 30 days", async () => {
  await using setup = await createSignInSite();
  const headers = { cookie: await setup.signIn() };
  const start = setup.clock.now;
  setup.clock.now = start + 30 * DAY_MS - 1000;
  assertEquals(await locationOf(setup.open("/account", "site", { headers })), [200, null]);
  setup.clock.now = start + 30 * DAY_MS;
  assertEquals(await locationOf(setup.open("/account", "site", { headers })), [302, "/auth"]);
});

Deno.test("HEAD and prefetch requests do not use up a link", async () => {
  await using setup = await createSignInSite();
  const link = await setup.linkFor(ADA);
  const requests: RequestInit[] = [
    { method: "HEAD" },
    { headers: { "sec-purpose": "prefetch" } },
    { headers: { "sec-purpose": "prefetch;prerender" } },
    { headers: { purpose: "prefetch" } },
    { headers: { "x-moz": "Prefetch" } },
    { headers: { "x-purpose": "preview" } },
  ];
  for (const init of requests) {
    for (const path of [link, "/api" + link]) {
      const response = await setup.open(path, "site", init);
      assertEquals([response.status, await response.text()], [200, ""]);
      assertEquals(response.headers.get("set-cookie"), null);
      assertEquals(response.headers.get("referrer-policy"), "no-referrer");
    }
  }
  assertEquals(await locationOf(setup.open(link)), [302, "/account"]);
});

Deno.test("a missing or malformed token redirects like an expired one", async () => {
  await using setup = await createSignInSite();
  const queries = ["", "?token=", "?token=x", "?token=%00", `?token=${"a".repeat(43)}`];
  for (const query of [...queries, "?token=..%2F"]) {
    const response = await setup.open(`/auth/verify${query}`);
    assertEquals(response.headers.get("set-cookie"), null);
    assertEquals(await locationOf(Promise.resolve(response)), [302, "/auth?error=expired"], query);
  }
});

Deno.test("a link is invalid on other surfaces, and its cookie has no domain", async () => {
  await using setup = await createSignInSite();
  const link = await setup.linkFor(ADA);
  for (const other of ["foundation-console", "commercial-console", "workbench"] as const) {
    assertEquals(await locationOf(setup.open(link, other)), [302, "/auth?error=expired"]);
  }
  const response = await setup.open(link);
  assertEquals(response.status, 302);
  for (const cookie of response.headers.getSetCookie()) assert(!/domain=/i.test(cookie));
});

Deno.test("a link starts with the surface's configured base URL, whatever the request's host", async () => {
  const sent: string[] = [];
  const hosts = { site: ["qualpack.example", "www.qualpack.example"] };
  await using production = await createSite(productionEnv(hosts, MAIL_API), {
    fetch: (_, init) => {
      sent.push(JSON.parse(init!.body as string).text);
      return Promise.resolve(new Response());
    },
  });
  const send = async (host: string, headers: Record<string, string> = {}) => {
    const response = await production.handler(
      new Request(`http://${host}/api/auth/request`, {
        method: "POST",
        headers: { host, "content-type": "application/json", ...headers },
        body: JSON.stringify({ email: ADA }),
      }),
    );
    await response.body?.cancel();
    await production.services.mailer.flush();
    return response.status;
  };
  assertEquals(await send("www.qualpack.example"), 200);
  assertEquals(await send("qualpack.example:1234", { "x-forwarded-host": "evil.example" }), 200);
  assertEquals(await send("evil.example"), 421);
  assertEquals(sent.length, 2);
  for (const text of sent) {
    assertStringIncludes(text, "https://qualpack.example/auth/verify?token=");
  }
});

Deno.test("signing out ends the session in the store and in the browser", async () => {
  await using setup = await createSignInSite();
  const { open } = setup;
  const headers = { cookie: await setup.signIn() };
  const out = await open("/api/auth/logout", "site", { method: "POST", headers });
  assertEquals(
    out.headers.get("set-cookie"),
    "app_session=; HttpOnly; Secure; SameSite=Lax; Max-Age=0; Path=/",
  );
  assertEquals(await locationOf(Promise.resolve(out)), [302, "/"]);
  assertEquals(await locationOf(open("/account", "site", { headers })), [302, "/auth"]);
  const anonymous = open("/api/auth/logout", "site", { method: "POST" });
  assertEquals(await locationOf(anonymous), [302, "/"]);
  const get = await open("/api/auth/logout", "site", { headers });
  assertEquals([get.status, get.headers.get("allow")], [405, "POST"]);
});

Deno.test("signing out ends every session whose cookie the browser sends", async () => {
  await using setup = await createSignInSite();
  const sessions = [await setup.signIn(), await setup.signIn()];
  const headers = { cookie: ["app_session=junk", ...sessions].join("; ") };
  await locationOf(setup.open("/api/auth/logout", "site", { method: "POST", headers }));
  for (const cookie of sessions) {
    const account = setup.open("/account", "site", { headers: { cookie } });
    assertEquals(await locationOf(account), [302, "/auth"]);
  }
});

const CROSS_SITE: Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site", origin: "http://site.localhost.evil.example" },
  { "sec-fetch-site": "same-site", origin: "http://trust.localhost:8000" },
];

Deno.test("cross-site requests to sign out or for a link return 403", async () => {
  await using setup = await createSignInSite();
  const cookie = await setup.signIn();
  for (const headers of CROSS_SITE) {
    for (const path of ["/api/auth/logout", "/api/auth/request"]) {
      const init = { method: "POST", headers: { ...headers, cookie } };
      const response = await setup.open(path, "site", init);
      assertEquals([response.status, (await response.json()).error], [403, "forbidden"]);
      assertEquals(response.headers.get("set-cookie"), null);
    }
  }
  const account = setup.open("/account", "site", { headers: { cookie } });
  assertEquals(await locationOf(account), [200, null]);
});

Deno.test("a session id is never taken from a request", async () => {
  await using setup = await createSignInSite();
  const planted = `app_session=${crypto.randomUUID()}`;
  const headers = { cookie: planted };
  const response = await setup.open(await setup.linkFor(ADA), "site", { headers });
  assert(cookiesOf(response).app_session !== planted);
  assertEquals(await locationOf(setup.open("/account", "site", { headers })), [302, "/auth"]);
});

Deno.test("a failed mail leaves the response unchanged, logs one line and is counted", async () => {
  const lines: Record<string, unknown>[] = [];
  const held = Promise.withResolvers<void>();
  await using setup = await createSignInSite(MAIL_API, {
    log: (line) => lines.push(line),
    fetch: async () => {
      await held.promise;
      return new Response(null, { status: 400 });
    },
  });
  const response = await setup.request({ email: ADA });
  // The provider has not responded yet.
  assertEquals([response.status, await response.json()], [200, { success: true }]);
  assertEquals(lines, []);
  held.resolve();
  const { mailer, kv } = setup.site.services;
  await mailer.flush();
  assertEquals(lines, [
    { level: "error", event: "mail_failed", transport: "http", reason: "message_refused" },
  ]);
  assertEquals(await readMailFailures(kv, "commercial"), 1);
});

Deno.test("a queued mail is encrypted, and is deleted with its account", async () => {
  await using setup = await createSignInSite(MAIL_API, {
    log: () => {},
    fetch: () => Promise.resolve(new Response(null, { status: 401 })),
  });
  const { auth, mailer, kv, clock } = setup.site.services;
  for (const email of [ADA, "other@example.org"]) {
    assertEquals((await locationOf(setup.request({ email })))[0], 200);
  }
  await mailer.flush();
  const rows = await Array.fromAsync(kv.list({ prefix: ["outbox"] }));
  assertEquals(rows.length, 2);
  const text = Deno.inspect(rows, { iterableLimit: Infinity, depth: 9 }) +
    rows.map(({ value }) =>
      new TextDecoder("latin1").decode((value as { sealed: Uint8Array }).sealed)
    );
  for (const secret of [ADA, "ada@", "token", "http"]) assert(!text.includes(secret), secret);
  assert(await auth.deleteUser(ADA));
  assertEquals((await readOutbox(kv, MAIL_CHANNEL, clock())).waiting, 1);
});

Deno.test("a store that is too busy to count the client returns 503 with Retry-After", async () => {
  await using setup = await createSignInSite();
  setup.site.services.auth.requestLink = () => Promise.reject(new KvBusyError(2));
  const response = await setup.request({ email: ADA });
  assertEquals([response.status, response.headers.get("retry-after")], [503, "5"]);
  assertEquals((await response.json()).error, "unavailable");
});

Deno.test("only surfaces with sign-in read sessions from the store", async () => {
  await using setup = await createSignInSite();
  let reads = 0;
  setup.site.services.auth.getSession = () => {
    reads++;
    return Promise.resolve(null);
  };
  const headers = { cookie: `app_session=${crypto.randomUUID()}` };
  const get = (surface: SurfaceName, path: string) =>
    locationOf(setup.open(path, surface, { headers }));
  for (const surface of ["foundation", "investor", "foundation-mcp", "api", "trust"] as const) {
    await get(surface, "/");
  }
  await get("site", "/styles/tokens.css");
  assertEquals(reads, 0);
  await get("site", "/account");
  assertEquals(reads, 1);
});

const NEXT: [next: string, location: string][] = [
  ["/console/finance?range=30d", "/console/finance?range=30d"],
  ["//evil.example", "/console"],
  ["/\\evil.example", "/console"],
  ["/\t/evil.example", "/console"],
  ["/\n/evil.example", "/console"],
  ["https://evil.example/", "/console"],
  ["javascript:alert(1)", "/console"],
  ["/%2F/evil.example", "/console"],
  ["/.//evil.example", "/console"],
  ["console", "/console"],
  ["", "/console"],
];

/** Where an operator without a passkey is led first. */
const addPasskey = (next: string) => `/console/team/passkeys?next=${encodeURIComponent(next)}`;

for (const [next, location] of NEXT) {
  Deno.test(`on a console next=${JSON.stringify(next)} leads to ${location}`, async () => {
    await using setup = await createSignInSite();
    const surface = "foundation-console";
    const link = await setup.linkFor(ADMIN, surface, next);
    assert(!link.includes("next"), "it is stored with the token");
    assertEquals(await locationOf(setup.open(link, surface)), [302, addPasskey(location)]);
    // A parameter added to the link has no effect.
    const added = `${await setup.linkFor(ADMIN, surface)}&next=${encodeURIComponent(next)}`;
    assertEquals(await locationOf(setup.open(added, surface)), [302, addPasskey("/console")]);
  });
}

Deno.test("on the site, every sign-in leads to the account", async () => {
  await using setup = await createSignInSite();
  const link = await setup.linkFor(ADA, "site", "/terms");
  assertEquals(await locationOf(setup.open(link)), [302, "/account"]);
});
