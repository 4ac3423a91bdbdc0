import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { KvBusyError } from "../lib/kv/mod.ts";
import { readMailFailures } from "../lib/mail/mod.ts";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { createSite, type Site } from "./site.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The clock begins at the present, for the store has its own. */
const clock = { now: Date.now() };
const OPERATORS = Array.from({ length: 30 }, (_, i) => `operator-${i}@example.org`);
const site = await createSite({
  SIGN_IN_CLIENT_LIMIT: "0",
  OPS_L1_EMAILS: ["admin@example.org", ...OPERATORS].join(","),
}, { clock: () => clock.now });

let people = 0;
/** An address that nobody has used yet. */
const somebody = () => `person-${++people}@example.org`;

/** An operator of the consoles who has not signed in yet. */
const operator = () => OPERATORS.pop()!;

const ask = (body: unknown, on: SurfaceName = "site", headers: HeadersInit = {}) =>
  site.request(on, "/api/auth/request", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const post = (fields: Record<string, string>, on: SurfaceName = "site") =>
  site.request(on, "/api/auth/request", { method: "POST", body: new URLSearchParams(fields) });

/** The link in the last mail. */
async function mailedLink(of: Site = site): Promise<URL> {
  await of.services.mailer.flush();
  return new URL(of.services.outbox!.list()[0].link!);
}

async function mailsTo(email: string): Promise<number> {
  await site.services.mailer.flush();
  return site.services.outbox!.list().filter(({ to }) => to === email).length;
}

async function linkFor(email: string, on: SurfaceName = "site", next?: string): Promise<string> {
  const response = await ask({ email, next }, on);
  assertEquals([response.status, await response.json()], [200, { success: true }]);
  const link = await mailedLink();
  return link.pathname + link.search;
}

const open = (path: string, on: SurfaceName = "site", init?: RequestInit) =>
  site.request(on, path, init);

async function signIn(email = somebody(), on: SurfaceName = "site"): Promise<string> {
  const response = await open(await linkFor(email, on), on);
  return response.headers.get("set-cookie")!.split(";")[0];
}

const locationOf = (response: Response) => [response.status, response.headers.get("location")];

Deno.test("a link signs in with exactly the cookie of the specification, and only once", async () => {
  for (const path of ["/auth/verify", "/api/auth/verify"]) {
    const email = somebody();
    const link = (await linkFor(email)).replace("/auth/verify", path);
    const first = await open(link);
    assertEquals(locationOf(first), [302, "/account"]);
    assertMatch(
      first.headers.getSetCookie()[0],
      /^app_session=[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}; HttpOnly; Secure; SameSite=Lax; Max-Age=2592000; Path=\/$/,
    );
    assertEquals(first.headers.get("referrer-policy"), "no-referrer");
    assertEquals(first.headers.get("cache-control"), "no-store");
    assertEquals(await first.text(), "");

    const cookie = first.headers.get("set-cookie")!.split(";")[0];
    const account = await open("/account", "site", { headers: { cookie } });
    assertEquals(account.status, 200);
    assertEquals(account.headers.get("cache-control"), "no-store");
    assertStringIncludes(await account.text(), email);

    const again = await open(link);
    assertEquals(locationOf(again), [302, "/auth?error=expired"]);
    assertEquals(again.headers.get("set-cookie"), null);
  }
});

Deno.test("the mail is from the product, with the link, its 15 minutes and that it may be ignored", async () => {
  const email = somebody();
  await linkFor(email);
  const mail = site.services.outbox!.list()[0];
  assertEquals(mail.from, "Qualpack <no-reply@site.localhost>");
  assertEquals([mail.to, mail.subject], [email, "Sign in to Qualpack"]);
  for (const body of [mail.text, mail.html]) {
    assertStringIncludes(body, mail.link!);
    assertStringIncludes(body, "15 minutes");
    assertStringIncludes(body, "ignore");
  }
  assertMatch(mail.link!, /^http:\/\/site\.localhost:8000\/auth\/verify\?token=[\w-]{43}$/);
});

const MALFORMED: [title: string, body: unknown][] = [
  ["without an address", {}],
  ["with an empty one", { email: "  " }],
  ["with no @", { email: "person.example.org" }],
  ["with two addresses", { email: "a@example.org, b@example.org" }],
  ["with a line end in it", { email: "a@example.org\nBcc: b@example.org" }],
  ["with a name that is too long for SMTP", { email: `${"a".repeat(65)}@example.org` }],
  ["with a number", { email: 7 }],
  ["with a list", { email: ["a@example.org"] }],
];

for (const [title, body] of MALFORMED) {
  Deno.test(`a request ${title} is 400 with what is wrong with the email`, async () => {
    const before = site.services.outbox!.list().length;
    const response = await ask(body);
    assertEquals(response.status, 400);
    const { error, issues } = await response.json();
    assertEquals(error, "invalid_request");
    assertEquals(Object.keys(issues), ["email"]);
    await site.services.mailer.flush();
    assertEquals(site.services.outbox!.list().length, before);
  });
}

Deno.test("what is no JSON object, too much or of another type is refused as such", async () => {
  const send = async (type: string, body: string) => {
    const response = await site.request("site", "/api/auth/request", {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    return [response.status, (await response.json()).error];
  };
  const json = "application/json";
  assertEquals(await send(json, "{"), [400, "invalid_request"]);
  assertEquals(await send(json, "null"), [400, "invalid_request"]);
  assertEquals(await send("text/plain", "{}"), [415, "unsupported_media_type"]);
  const room = 64 * 1024 - `{"email":""}`.length;
  assertEquals(await send(json, `{"email":"${"a".repeat(room)}"}`), [400, "invalid_request"]);
  assertEquals(await send(json, `{"email":"${"a".repeat(room + 1)}"}`), [413, "too_large"]);
});

Deno.test("known and unknown addresses get the same responses, also once their links are used up", async () => {
  const [known, unknown] = [somebody(), somebody()];
  await signIn(known);
  clock.now += HOUR;
  const seen = async (email: string) => {
    const answers = [];
    for (let i = 0; i < 4; i++) {
      const response = await ask({ email });
      answers.push([response.status, [...response.headers], await response.text()]);
    }
    return answers;
  };
  const answers = await seen(known);
  assertEquals(answers, await seen(unknown));
  assertEquals(answers.map(([status]) => status), [200, 200, 200, 200]);
  assertEquals([await mailsTo(known), await mailsTo(unknown)], [4, 3]);
});

Deno.test("three links per hour are mailed, to the second, and spellings and tags are one mailbox", async () => {
  const email = somebody();
  const start = clock.now;
  const mailsAt = async (after: number, typed = email) => {
    clock.now = start + after;
    const response = await ask({ email: typed });
    assertEquals([response.status, await response.json()], [200, { success: true }]);
    return await mailsTo(email);
  };
  const tagged = email.replace("@", "+tag@");
  assertEquals(await mailsAt(0), 1);
  assertEquals(await mailsAt(1000), 2);
  assertEquals(await mailsAt(2000, tagged), 2, "to the tagged address");
  assertEquals(await mailsTo(tagged), 1);
  assertEquals(await mailsAt(10 * MINUTE, ` ${email.toUpperCase()} `), 2);
  assertEquals(await mailsAt(HOUR - 1), 2);
  assertEquals(await mailsAt(HOUR), 3);
  assertEquals(await mailsAt(HOUR), 3);
});

Deno.test("one client may ask so many times an hour, for any addresses", async () => {
  const time = { now: Date.now() };
  const env = { SIGN_IN_CLIENT_LIMIT: "4", TRUST_PROXY: "1" };
  await using limited = await createSite(env, { clock: () => time.now });
  const from = async (address: string) => {
    const response = await limited.request("site", "/api/auth/request", {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ email: somebody() }),
    });
    await response.body?.cancel();
    return response.status;
  };
  for (let i = 0; i < 4; i++) assertEquals(await from("192.0.2.7"), 200);
  assertEquals(await from("192.0.2.7"), 429);
  assertEquals(await from("192.0.2.8"), 200);
  time.now += HOUR - 1;
  assertEquals(await from("192.0.2.7"), 429);
  time.now += 1;
  assertEquals(await from("192.0.2.7"), 200);
});

Deno.test("a link is good for 15 minutes and not a second more", async () => {
  const [inTime, late] = [await linkFor(somebody()), await linkFor(somebody())];
  const start = clock.now;
  clock.now = start + 15 * MINUTE - 1000;
  assertEquals(locationOf(await open(inTime)), [302, "/account"]);
  clock.now = start + 15 * MINUTE;
  assertEquals(locationOf(await open(late)), [302, "/auth?error=expired"]);
  const page = await open("/auth?error=expired");
  assertStringIncludes(await page.text(), "That link has expired");
});

Deno.test("a session is good for 30 days and not a second more", async () => {
  const cookie = await signIn();
  const start = clock.now;
  const account = async (after: number) => {
    clock.now = start + after;
    const response = await open("/account", "site", { headers: { cookie } });
    await response.body?.cancel();
    return locationOf(response);
  };
  assertEquals(await account(30 * DAY - 1000), [200, null]);
  assertEquals(await account(30 * DAY), [302, "/auth"]);
});

Deno.test("whoever only looks at a link does not use it up", async () => {
  const link = await linkFor(somebody());
  const looks: RequestInit[] = [
    { method: "HEAD" },
    { headers: { "sec-purpose": "prefetch" } },
    { headers: { "sec-purpose": "prefetch;prerender" } },
    { headers: { purpose: "prefetch" } },
    { headers: { "x-moz": "Prefetch" } },
    { headers: { "x-purpose": "preview" } },
  ];
  for (const init of looks) {
    for (const path of [link, "/api" + link]) {
      const response = await open(path, "site", init);
      assertEquals([response.status, await response.text()], [200, ""]);
      assertEquals(response.headers.get("set-cookie"), null);
      assertEquals(response.headers.get("referrer-policy"), "no-referrer");
    }
  }
  assertEquals(locationOf(await open(link)), [302, "/account"]);
});

Deno.test("a missing or odd token is an expired one", async () => {
  const odd = ["", "?token=", "?token=x", "?token=%00", `?token=${"a".repeat(43)}`, "?token=..%2F"];
  for (const query of odd) {
    const response = await open(`/auth/verify${query}`);
    assertEquals(locationOf(response), [302, "/auth?error=expired"], query);
    assertEquals(response.headers.get("set-cookie"), null);
  }
});

Deno.test("a link is worth nothing on another surface, and a cookie is that host's own", async () => {
  const link = await linkFor(somebody(), "site");
  for (const other of ["foundation-console", "commercial-console", "workbench"] as const) {
    assertEquals(locationOf(await open(link, other)), [302, "/auth?error=expired"]);
  }
  const response = await open(link);
  assert(!/domain=/i.test(response.headers.get("set-cookie")!));
});

Deno.test("the link leads to the surface's configured base, whatever the request says", async () => {
  const sent: string[] = [];
  await using production = await createSite({
    APP_ENV: "production",
    SURFACE_HOSTS: JSON.stringify({ site: ["qualpack.example", "www.qualpack.example"] }),
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: "https://mail.example/send",
    MAIL_API_KEY: "key",
  }, {
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
        body: JSON.stringify({ email: somebody() }),
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

for (const [next, location] of NEXT) {
  Deno.test(`on a console next=${JSON.stringify(next)} leads to ${location}`, async () => {
    const link = await linkFor(operator(), "foundation-console", next);
    assert(!link.includes("next"), "it is carried by the token's record");
    assertEquals(locationOf(await open(link, "foundation-console")), [302, location]);
    // What is added to the link has no say.
    const plain = await linkFor(operator(), "foundation-console");
    const added = `${plain}&next=${encodeURIComponent(next)}`;
    assertEquals(locationOf(await open(added, "foundation-console")), [302, "/console"]);
  });
}

Deno.test("the site leads to the account, wherever one was going", async () => {
  assertEquals(locationOf(await open(await linkFor(somebody(), "site", "/terms"))), [
    302,
    "/account",
  ]);
});

Deno.test("a console asks who it is, and its page leads back to where one was going", async () => {
  const response = await open("/console?tab=2", "commercial-console");
  assertEquals(locationOf(response), [302, "/auth?next=/console%3Ftab%3D2"]);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const html = await (await open("/auth?next=/console%3Ftab%3D2", "commercial-console")).text();
  assertStringIncludes(html, `name="next" value="/console?tab=2"`);
  const evil = await (await open("/auth?next=//evil.example", "commercial-console")).text();
  assert(!evil.includes("evil.example"));
  const cookie = await signIn("admin@example.org", "commercial-console");
  const inside = await open("/console", "commercial-console", { headers: { cookie } });
  assertEquals(inside.status, 200);
  await inside.body?.cancel();
  assertStringIncludes(site.services.outbox!.list()[0].subject, "Attest Systems");
});

Deno.test("who is signed in already goes on from the sign-in page, unless a link was refused", async () => {
  const headers = { cookie: await signIn() };
  assertEquals(locationOf(await open("/auth", "site", { headers })), [302, "/account"]);
  const expired = await open("/auth?error=expired", "site", { headers });
  assertStringIncludes(await expired.text(), "That link has expired");
});

Deno.test("signing out ends the session in the store and in the browser", async () => {
  const cookie = await signIn();
  const out = await open("/api/auth/logout", "site", { method: "POST", headers: { cookie } });
  assertEquals(locationOf(out), [302, "/"]);
  assertEquals(
    out.headers.get("set-cookie"),
    "app_session=; HttpOnly; Secure; SameSite=Lax; Max-Age=0; Path=/",
  );
  assertEquals(locationOf(await open("/account", "site", { headers: { cookie } })), [302, "/auth"]);
  const nobody = await open("/api/auth/logout", "site", { method: "POST" });
  assertEquals(locationOf(nobody), [302, "/"]);
  const read = await open("/api/auth/logout", "site", { headers: { cookie } });
  assertEquals([read.status, read.headers.get("allow")], [405, "POST"]);
  await read.body?.cancel();
});

Deno.test("signing out ends the session even where another cookie has its name", async () => {
  const [cookie, other] = [await signIn(), await signIn()];
  const headers = { cookie: `app_session=junk; ${cookie}; ${other}` };
  await open("/api/auth/logout", "site", { method: "POST", headers });
  for (const ended of [cookie, other]) {
    const response = await open("/account", "site", { headers: { cookie: ended } });
    assertEquals(locationOf(response), [302, "/auth"]);
  }
});

Deno.test("another site can neither sign anybody out nor ask for a link", async () => {
  const cookie = await signIn();
  const elsewhere: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site", origin: "http://site.localhost.evil.example" },
    { "sec-fetch-site": "same-site", origin: "http://trust.localhost:8000" },
  ];
  for (const headers of elsewhere) {
    for (const path of ["/api/auth/logout", "/api/auth/request"]) {
      const response = await open(path, "site", {
        method: "POST",
        headers: { ...headers, cookie },
      });
      assertEquals([response.status, (await response.json()).error], [403, "forbidden"]);
      assertEquals(response.headers.get("set-cookie"), null);
    }
  }
  const account = await open("/account", "site", { headers: { cookie } });
  assertEquals(account.status, 200);
  await account.body?.cancel();
});

Deno.test("a session id is never taken from a request", async () => {
  const planted = `app_session=${crypto.randomUUID()}`;
  const headers = { cookie: planted };
  const response = await open(await linkFor(somebody()), "site", { headers });
  assert(!response.headers.get("set-cookie")!.startsWith(planted));
  assertEquals(locationOf(await open("/account", "site", { headers })), [302, "/auth"]);
});

Deno.test("a page's form gets pages: the confirmation, or what is wrong beside what was typed", async () => {
  const email = somebody();
  const sent = await post({ email: ` ${email}` });
  assertEquals(sent.status, 200);
  const html = await sent.text();
  assertStringIncludes(html, "Check your inbox");
  assertStringIncludes(html, email);
  assertStringIncludes(sent.headers.get("content-security-policy")!, "script-src 'self' 'nonce-");
  assertEquals((await mailedLink()).pathname, "/auth/verify");

  const wrong = await post({ email: `"><b>oops`, next: "/console" }, "foundation-console");
  assertEquals(wrong.status, 400);
  const again = await wrong.text();
  assertStringIncludes(again, `value="&quot;>&lt;b>oops"`);
  assertStringIncludes(again, `aria-invalid="true"`);
  assertStringIncludes(again, `name="next" value="/console"`);
  assertStringIncludes(again, `aria-busy="false"`);
  const evil = await post({ email: "oops", next: "//evil.example" }, "foundation-console");
  assert(!(await evil.text()).includes("evil.example"));
});

Deno.test("a page's form over the client's limit gets a page with 429 and the time to wait", async () => {
  await using limited = await createSite({ SIGN_IN_CLIENT_LIMIT: "1" });
  const send = () =>
    limited.request("site", "/api/auth/request", {
      method: "POST",
      body: new URLSearchParams({ email: somebody() }),
    });
  assertStringIncludes(await (await send()).text(), "Check your inbox");
  const refused = await send();
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "3600"]);
  assertStringIncludes(await refused.text(), "Try again in 60 minutes.");
});

Deno.test("a mail that fails changes nothing of the answer: one line in the log, and a count", async () => {
  const lines: Record<string, unknown>[] = [];
  const held = Promise.withResolvers<void>();
  await using failing = await createSite({
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: "https://mail.example/send",
    MAIL_API_KEY: "key",
  }, {
    log: (line) => lines.push(line),
    fetch: async () => {
      await held.promise;
      return new Response(null, { status: 400 });
    },
  });
  const email = somebody();
  const response = await failing.request("site", "/api/auth/request", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email }),
  });
  // It is here while the mail is still held.
  assertEquals([response.status, await response.json()], [200, { success: true }]);
  assertEquals(lines, []);
  held.resolve();
  await failing.services.mailer.flush();
  assertEquals(lines, [
    { level: "error", event: "mail_failed", transport: "http", reason: "message_refused" },
  ]);
  assertEquals(await readMailFailures(failing.services.kv), 1);
});

Deno.test("a store that is too busy to count the client gives 503 with Retry-After", async () => {
  await using busy = await createSite();
  busy.services.auth.requestLink = () => Promise.reject(new KvBusyError(2));
  const response = await busy.request("site", "/api/auth/request", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: somebody() }),
  });
  assertEquals([response.status, response.headers.get("retry-after")], [503, "5"]);
  assertEquals((await response.json()).error, "unavailable");
});

Deno.test("surfaces where nobody signs in do not ask the store for anybody", async () => {
  await using other = await createSite();
  let asked = 0;
  other.services.auth.getSession = () => {
    asked++;
    return Promise.resolve(null);
  };
  const headers = { cookie: `app_session=${crypto.randomUUID()}` };
  const get = async (surface: SurfaceName, path: string) => {
    await (await other.request(surface, path, { headers })).body?.cancel();
  };
  for (const surface of ["foundation", "investor", "foundation-mcp", "api", "trust"] as const) {
    await get(surface, "/");
  }
  await get("site", "/styles/tokens.css");
  assertEquals(asked, 0);
  await get("site", "/account");
  assertEquals(asked, 1);
});

Deno.test("the outbox shows each mail as a page and as JSON, in development alone", async () => {
  await linkFor(somebody());
  const mails = site.services.outbox!.list();
  const json = await open("/dev/outbox", "workbench", { headers: { accept: "application/json" } });
  assertEquals(await json.json(), JSON.parse(JSON.stringify(mails)));
  const html = await (await open("/dev/outbox", "workbench")).text();
  assertStringIncludes(html, mails[0].link!);
  assertStringIncludes(html, mails[0].to);
  await using sending = await createSite({
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: "smtp://mail.example",
  });
  for (const [on, surface] of [[site, "site"], [sending, "workbench"]] as const) {
    const response = await on.request(surface, "/dev/outbox");
    await response.body?.cancel();
    assertEquals(response.status, 404);
  }
});

Deno.test("with Save-Data no film is asked for", async () => {
  const film = async (headers: HeadersInit) =>
    (await (await open("/auth", "site", { headers })).text()).includes("backdrop.webm");
  assertEquals(await film({}), true);
  assertEquals(await film({ "save-data": "on" }), false);
});
