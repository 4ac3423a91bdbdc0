import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { unwrap } from "../lib/platform/http/errors.ts";
import { changeRecord } from "../lib/features/records/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { fakeProvider } from "./codes_site.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import {
  answerOf,
  beginRequest,
  callTool,
  codeForm,
  connect,
  decide,
  ISSUER,
  postForm,
  REDIRECT,
  registerClient,
} from "./oauth_site.ts";
import { recordFixture } from "./record_site.ts";

const ADA = "ada.q@mail.example.org"; // PERSON.email, normalised
const NOBODY_ASKS =
  "Only type this code into a tab that you opened yourself. Nobody will ask you for it.";
const AUTHORIZE = "/my-record/authorize";

const cookiesOf = (response: Response): string =>
  response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
const headingOf = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)![1];
const field = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
const tokenIn = (link: string) => new URL(link).searchParams.get("token")!;

const provider = fakeProvider();

/** A holder, and an app that has asked for access. */
async function consentFixture(
  { redirect_uri = REDIRECT, name = "Example app" }: { redirect_uri?: string; name?: string } = {},
) {
  const fixture = await recordFixture(
    { MCP_REGISTRATION_LIMIT: "0", MCP_RATE_LIMIT: "0" },
    { codeProvider: provider },
  );
  const { site } = fixture;
  const client = await registerClient(site, { client_name: name, redirect_uris: [redirect_uri] });
  const begin = () => beginRequest(site, client, { redirect_uri, scope: "mcp record" });
  const holder = await fixture.holder();
  const { request, cookie: app } = await begin();
  const path = `${AUTHORIZE}?request=${request}`;
  return {
    ...fixture,
    ...holder,
    client,
    begin,
    request,
    /** The cookie of the MCP host in the browser that asked. */
    app,
    path,
    async page(cookie?: string, as?: string) {
      const response = await fixture.fetch(as === undefined ? path : `${path}&as=${as}`, {
        cookie,
      });
      return { response, html: await response.text() };
    },
    /** Presses a button of the consent page that a session sees. */
    async press(decision: "approve" | "deny", cookie: string | undefined, as?: string) {
      const { html } = await this.page(cookie, as);
      const form: Record<string, string> = { request, decision, shown: field(html, "shown") };
      if (as === "none") form.without = field(html, "without");
      return await fixture.fetch(AUTHORIZE, { cookie, form });
    },
    /** Follows a decision to the MCP host, and returns what the app receives. */
    async follow(decided: Response) {
      assertEquals(decided.status, 303);
      const { pathname, search } = new URL(decided.headers.get("location")!);
      const headers = { cookie: app };
      return answerOf(await site.request("foundation-mcp", pathname + search, { headers }));
    },
    /** Asks for a mailed link on the sign-in page. Returns its token and the browser's cookie. */
    async ask(cookie?: string, email = ADA) {
      const form = { email, request };
      const before = (await fixture.mails()).length;
      const response = await fixture.fetch("/my-record/sign-in", { form, cookie });
      const mails = await fixture.mails();
      const link = mails.length > before ? tokenIn(mails[0].link!) : null;
      return { response, html: await response.text(), browser: cookiesOf(response), link };
    },
    grants: () => fixture.count("oauth_grants_by_record"),
  };
}

const code = (
  fixture: Awaited<ReturnType<typeof consentFixture>>,
  digits: string,
  cookie: string,
) =>
  fixture.fetch(`${AUTHORIZE}/code`, { form: { request: fixture.request, code: digits }, cookie });
const digitsIn = (html: string) =>
  /<span>(\d{3})<\/span><span>(\d{3})<\/span>/.exec(html)!
    .slice(1).join("");

Deno.test("the sign-in page names what is signed in for, and changes nothing", async () => {
  await using fixture = await consentFixture({ name: "<b>Evil</b> app" });
  const before = await fixture.entries();
  const { response, html } = await fixture.page();
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("referrer-policy"), "same-origin");
  for (const text of ["&lt;b>Evil&lt;/b> app", "app.example", `${ISSUER}/mcp`, "We have not"]) {
    assertStringIncludes(html, text);
  }
  assertStringIncludes(html, `&amp;as=none"`);
  assertEquals(await fixture.entries(), before);
});

Deno.test("the consent page names the app, where it returns, the server, the record and every scope", async () => {
  await using fixture = await consentFixture();
  const { response, html } = await fixture.page(fixture.cookie);
  assertEquals([response.status, headingOf(html)], [200, "Connect an app"]);
  for (
    const text of [
      "“Example app”",
      "The app states this name itself. We have not checked it.",
      "app.example",
      `${ISSUER}/mcp`,
      fixture.hash.slice(0, 4),
      "Use the tools of this server.",
      "but not your contact data or the documents themselves.",
      "Check the address",
      ">Approve</button>",
      ">Deny</button>",
    ]
  ) assertStringIncludes(html, text);
  assertFalse(/Stay connected|<script/.test(html));
});

const REDIRECTS: [uri: string, source: string | null, text: string][] = [
  [REDIRECT, "https://app.example", "app.example"],
  ["http://127.0.0.1:50123/cb", "http://127.0.0.1:*", "an app on this computer"],
  ["http://localhost/cb", "http://localhost:*", "an app on this computer"],
  ["cursor://anysphere.cursor-mcp/cb", "cursor:", "the app that opens cursor: links"],
  ["http://[::1]:50123/cb", null, "an app on this computer"],
  ["https://x;sandbox/cb", null, "x;sandbox"],
];

Deno.test("the page's forms may return only to the MCP host and the app, and it cannot be framed", async () => {
  for (const [redirect_uri, source, text] of REDIRECTS) {
    await using fixture = await consentFixture({ redirect_uri });
    const { response, html } = await fixture.page(fixture.cookie);
    const policy = response.headers.get("content-security-policy")!.split("; ");
    const sources = ["form-action 'self'", ISSUER, source].filter((each) => each !== null);
    assertEquals(policy.filter((line) => line.startsWith("form-action")), [sources.join(" ")]);
    assert(policy.includes("frame-ancestors 'none'"));
    assertStringIncludes(html, text);
    assertEquals(html.includes("We cannot tell which app this is"), !/^https:/.test(redirect_uri));
    const decided = await fixture.press("approve", fixture.cookie);
    if (source !== null) assert((await fixture.follow(decided)).code);
    else {
      // A link returns, because no policy can name the redirect.
      assertEquals([decided.status, decided.headers.get("location")], [200, null]);
      const returning = await decided.text();
      const target = `${ISSUER}/authorize\\?handoff=[\\w-]{43}"`;
      assertMatch(returning, new RegExp(`content="0;url=${target}`));
      assertMatch(returning, new RegExp(`href="${target}`));
    }
  }
});

Deno.test("approving connects the app, logs it and mails a notice whose link disconnects it", async () => {
  await using fixture = await consentFixture();
  const { site, client, hash, cookie } = fixture;
  const answer = await fixture.follow(await fixture.press("approve", cookie));
  const { access_token: token } =
    await (await postForm(site, "/token", codeForm(client, answer.code))).json();
  assertEquals((await callTool(site, { token })).status, 200);

  const [mail] = await fixture.mails();
  assertEquals([mail.to, mail.subject], [
    ADA,
    "An app was connected to your record (Attest Systems)",
  ]);
  assertStringIncludes(mail.text, "App: “Example app”, which returns to app.example");
  const record = await (await fixture.fetch("/my-record", { cookie })).text();
  for (const text of ["Example app", "Returns to app.example", "last used", "App connected"]) {
    assertStringIncludes(record, text);
  }
  const undone = await fixture.fetch("/my-record/undo", { form: { token: tokenIn(mail.link!) } });
  assertStringIncludes(await undone.text(), "All apps are disconnected from your record.");
  assertEquals((await callTool(site, { token })).status, 401);
  assertEquals([await fixture.grants(), await fixture.count("record_sessions")], [0, 0]);
  assertEquals((await site.services.records.read(hash))?.row.level, 1);
});

Deno.test("denying works with and without a session, and a decision is made once", async () => {
  for (const signedIn of [true, false]) {
    await using fixture = await consentFixture();
    const cookie = signedIn ? fixture.cookie : undefined;
    const { error } = await fixture.follow(await fixture.press("deny", cookie));
    assertEquals(error, "access_denied");
    for (const decision of ["approve", "deny"] as const) {
      const form = { request: fixture.request, decision, without: "1" };
      const again = await fixture.fetch(AUTHORIZE, { cookie, form });
      assertEquals([again.status, again.headers.get("location")], [410, null]);
      assertStringIncludes(await again.text(), "This request was already decided");
    }
    assertEquals([await fixture.grants(), await fixture.count("oauth_grants")], [0, 0]);
  }
});

Deno.test("a replayed approval connects nothing more, and 20 concurrent ones connect one app", async () => {
  await using fixture = await consentFixture();
  const { cookie, request } = fixture;
  const shown = field((await fixture.page(cookie)).html, "shown");
  const form = { request, decision: "approve", shown };
  const all = await Promise.all(
    Array.from({ length: 20 }, () => fixture.fetch(AUTHORIZE, { cookie, form })),
  );
  const decided = all.filter(({ status }) => status === 303);
  assertEquals([decided.length, all.filter(({ status }) => status === 410).length], [1, 19]);
  assert((await fixture.follow(decided[0])).code);
  assertEquals(await fixture.grants(), 1);
});

Deno.test("an approved app is not approved again by itself", async () => {
  await using fixture = await consentFixture();
  await fixture.follow(await fixture.press("approve", fixture.cookie));
  const { request } = await fixture.begin();
  const page = await fixture.fetch(`${AUTHORIZE}?request=${request}`, { cookie: fixture.cookie });
  assertEquals(headingOf(await page.text()), "Connect an app");
  assertEquals(await fixture.grants(), 1);
});

Deno.test("without a record, the app gets a token with everyone's rights", async () => {
  for (const signedIn of [true, false]) {
    await using fixture = await consentFixture();
    const cookie = signedIn ? fixture.cookie : undefined;
    const { html } = await fixture.page(cookie, "none");
    assertStringIncludes(html, "wants to connect without a record");
    assertFalse(html.includes("Read your record"));
    const { code } = await fixture.follow(await fixture.press("approve", cookie, "none"));
    const tokens = await (await postForm(fixture.site, "/token", codeForm(fixture.client, code)))
      .json();
    assertEquals(tokens.scope, "mcp");
    assertEquals([await fixture.grants(), await fixture.count("oauth_grants")], [0, 1]);
  }
});

Deno.test("an approval is refused if the session or its record is not the one that was shown", async () => {
  await using fixture = await consentFixture();
  const { hash, cookie, request } = fixture;
  const other = await fixture.holder({ ...PERSON, email: "other@example.org" });
  const several = await fixture.signIn([hash, other.hash]);
  const choose = (record: string) =>
    fixture.fetch("/my-record/choose", { cookie: several, form: { record, request } });

  const chooser = await fixture.page(several);
  assertEquals(headingOf(chooser.html), "Choose a record");
  const chosen = await choose(hash);
  assertEquals([chosen.status, chosen.headers.get("location")], [303, fixture.path]);
  const ofSeveral = field((await fixture.page(several)).html, "shown");
  const own = field((await fixture.page(cookie)).html, "shown");
  await statusOf(choose(other.hash)); // in another tab

  const attempts: [cookie: string | undefined, shown: string][] = [
    [several, ofSeveral], // the record has changed
    [several, own], // another session
    [other.cookie, own], // another person
    [cookie, ofSeveral],
    [cookie, ""],
    [undefined, own], // signed out
  ];
  for (const [cookie, shown] of attempts) {
    const form = { request, decision: "approve", shown };
    const refused = await fixture.fetch(AUTHORIZE, { cookie, form });
    assertEquals([refused.status, refused.headers.get("location")], [409, null]);
    assertStringIncludes(await refused.text(), "You are now signed in differently.");
  }
  assert((await fixture.follow(await fixture.press("approve", cookie))).code);
});

Deno.test("a session that ends while its approval is stored approves nothing", async () => {
  await using fixture = await consentFixture();
  const { services } = fixture.site;
  const shown = field((await fixture.page(fixture.cookie)).html, "shown");
  const url = services.surfaces.url("trust", "/")!;
  const session = (await services.records.session(
    new Request(url, { headers: { cookie: fixture.cookie } }),
    "trust",
  ))!;
  await statusOf(fixture.fetch("/my-record/sign-out", { cookie: fixture.cookie, form: {} }));
  const refused = await services.oauth.approve(fixture.request, { session, shown });
  assertEquals(refused, { ok: false, error: "conflict" });
});

Deno.test("a closed record cannot be connected, nor one that closes before the app is reached", async () => {
  await using fixture = await consentFixture();
  const { hash, cookie, site: { services: { records } } } = fixture;
  const decided = await fixture.press("approve", cookie);
  const reader = { network: "n", browser: "b" };
  unwrap(await records.deletion.request(hash, reader));
  const { pathname, search } = new URL(decided.headers.get("location")!);
  const followed = fixture.site.request("foundation-mcp", pathname + search);
  assertEquals(await statusOf(followed), 400, "the approval has ended");

  const { request } = await fixture.begin();
  const closed = await fixture.signIn([hash]);
  const page = await fixture.fetch(`${AUTHORIZE}?request=${request}`, { cookie: closed });
  const html = await page.text();
  assertEquals(headingOf(html), "Your record is closed");
  assertFalse(html.includes("Approve"));
  const form = { request, decision: "approve", shown: "x" };
  assertEquals(await statusOf(fixture.fetch(AUTHORIZE, { cookie: closed, form })), 409);
  assertEquals(await fixture.grants(), 0);
});

Deno.test("a request from another site decides nothing", async () => {
  await using fixture = await consentFixture();
  const { cookie, request } = fixture;
  const shown = field((await fixture.page(cookie)).html, "shown");
  for (
    const headers of [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: ISSUER, "sec-fetch-site": "same-site" },
      { origin: "null", "sec-fetch-site": "cross-site" },
    ]
  ) {
    for (const form of [{ request, decision: "approve", shown }, { request, decision: "deny" }]) {
      assertEquals(
        await statusOf(fixture.fetch(AUTHORIZE, { cookie, form: form as never, headers })),
        403,
      );
    }
    const form = { act: "disconnect_all" };
    assertEquals(
      await statusOf(fixture.fetch("/my-record/agents", { cookie, form, headers })),
      403,
    );
  }
  assertEquals((await fixture.page(cookie)).response.status, 200);
});

Deno.test("an unknown, malformed or expired request leads to a page that says what to do", async () => {
  await using fixture = await consentFixture();
  const { cookie } = fixture;
  for (const request of ["", "x".repeat(43), "x".repeat(5_000), "<script>"]) {
    const response = await fixture.fetch(`${AUTHORIZE}?${new URLSearchParams({ request })}`, {
      cookie,
    });
    assertEquals(response.status, 404);
    assertStringIncludes(await response.text(), "Go back to your app and connect again.");
  }
  assertEquals(await statusOf(fixture.fetch(AUTHORIZE)), 404);
  const long = { request: "x", code: "123456", email: "a".repeat(255) };
  assertEquals(await statusOf(fixture.fetch(`${AUTHORIZE}/code`, { form: long })), 400);
  fixture.clock.now += 30 * MINUTE_MS;
  const { response, html } = await fixture.page(cookie);
  assertEquals([response.status, headingOf(html)], [410, "This request has expired"]);
  const form = { request: fixture.request, decision: "approve", without: "1" };
  assertEquals(await statusOf(fixture.fetch(AUTHORIZE, { cookie, form })), 410);
  assertEquals(
    await statusOf(fixture.fetch("/my-record/sign-in", {
      form: { email: ADA, request: fixture.request },
    })),
    410,
  );
});

Deno.test("a link that is opened in the same browser signs in and returns to the request", async () => {
  await using fixture = await consentFixture();
  const { html, browser, link } = await fixture.ask();
  assertStringIncludes(html, "Check your inbox");
  const entries = await fixture.entries();
  assertFalse(entries.some(({ key, text }) => (key + text).includes(fixture.request)));
  const opened = await fixture.fetch(`/my-record/link?token=${link}`, { cookie: browser });
  assertStringIncludes(await opened.text(), "you decide whether to connect");
  const used = await fixture.fetch("/my-record/link", { form: { token: link! }, cookie: browser });
  assertEquals([used.status, used.headers.get("location")], [303, fixture.path]);
  const { html: consent } = await fixture.page(cookiesOf(used));
  assertEquals(headingOf(consent), "Connect an app");
});

Deno.test("a forwarded link signs nobody in: its code must be read out and typed into the first tab", async () => {
  await using fixture = await consentFixture();
  const { browser: attacker, link } = await fixture.ask(); // for the holder's address
  const sessions = await fixture.count("record_sessions");

  // The holder opens the link in their own browser, even one that is signed in.
  const before = await fixture.entries();
  const opened = await fixture.fetch(`/my-record/link?token=${link}`, { cookie: fixture.cookie });
  const html = await opened.text();
  assertEquals(headingOf(html), "Did you ask to sign in?");
  for (
    const text of [
      "“Example app”",
      "network 203.0.113.0/24",
      "Only type the code into a tab that you opened yourself. Nobody will ask you for it.",
    ]
  ) assertStringIncludes(html, text);
  assertEquals(await fixture.entries(), before, "GET changes nothing");
  assertEquals((await fixture.page(attacker)).html.includes("Approve"), false);

  const shown = await fixture.fetch("/my-record/link", { form: { token: link! } });
  assertEquals([shown.status, shown.headers.getSetCookie()], [200, []]);
  const page = await shown.text();
  assertStringIncludes(page, NOBODY_ASKS);
  assertEquals(await fixture.count("record_sessions"), sessions);
  const stored = (await fixture.entries()).filter(({ key }) => key.includes("record_link_codes"));
  assertFalse(stored.some(({ key, text }) => (key + text).includes(digitsIn(page))));
  assertEquals((await fixture.page(attacker)).html.includes("Approve"), false);

  // Another browser cannot use the code; the one that asked can, once.
  const { browser: stranger } = await fixture.ask(undefined, "stranger@example.org");
  assertEquals(await statusOf(code(fixture, digitsIn(page), stranger)), 400);
  assertEquals(await statusOf(code(fixture, digitsIn(page), "")), 400);
  const typed = digitsIn(page);
  const tries = await Promise.all(
    Array.from(
      { length: 4 },
      () => code(fixture, ` ${typed.slice(0, 3)}-${typed.slice(3)}`, attacker),
    ),
  );
  const signedIn = tries.filter(({ status }) => status === 303);
  assertEquals(signedIn.length, 1);
  assertEquals(signedIn[0].headers.get("location"), fixture.path);
  const cookie = cookiesOf(signedIn[0]);
  assertStringIncludes((await fixture.page(cookie)).html, "Approve");
  // Whoever talked the holder into reading it out cannot change the record.
  const form = { digits: fixture.hash.slice(-4) };
  const refused = await fixture.fetch("/my-record/delete", { cookie, form });
  assertEquals(refused.headers.get("location"), "/my-record?again=delete");
  assertEquals(await statusOf(fixture.fetch("/my-record/link", { form: { token: link! } })), 410);
});

Deno.test("signing in with a passkey or a texted code returns to the request", async () => {
  await using fixture = await consentFixture();
  const { site, hash, request, path } = fixture;
  assertStringIncludes((await fixture.page()).html, JSON.stringify(path).slice(1, -1));

  const { kv, contactIndex, records } = site.services;
  const commit = kv.atomic();
  const record = (await records.read(hash))!;
  changeRecord(commit, record, { change: "mobile_confirmed" }, fixture.clock.now);
  await contactIndex.add(commit, "mobile", "+61412345678", hash);
  assert((await commit.commit()).ok);
  const form = { request, purpose: "sign_in" };
  const sent = await fixture.fetch("/api/auth/otp/send", {
    form: { ...form, method: "sms", mobile_country: "AU", mobile_number: "0412 345 678" },
  });
  const location = sent.headers.get("location")!;
  assertEquals([sent.status, location], [303, `/my-record/code?request=${request}`]);
  await site.services.codes.flush();
  const cookie = cookiesOf(sent);
  const page = await (await fixture.fetch(location, { cookie })).text();
  assertEquals(field(page, "request"), request);
  const code = provider.code("+61412345678");
  const verified = await fixture.fetch("/api/auth/otp/verify", { form: { ...form, code }, cookie });
  assertEquals([verified.status, verified.headers.get("location")], [303, path]);
});

Deno.test("five wrong codes end a code, for known and unknown addresses alike", async () => {
  const responses: unknown[] = [];
  for (const email of [ADA, "unknown@example.org"]) {
    await using fixture = await consentFixture();
    const { html, browser, link } = await fixture.ask(undefined, email);
    const shown = html.replaceAll(email, "…").replaceAll(/nonce="[^"]*"/g, "")
      .replace(/<p class="printed-from">.*?<\/p>/, ""); // has the time
    const seen: unknown[] = [shown];
    let right = "123456";
    if (link !== null) {
      const page = await fixture.fetch("/my-record/link", { form: { token: link } });
      right = digitsIn(await page.text());
    }
    const wrong = right === "000000" ? "111111" : "000000";
    for (let i = 0; i < 6; i++) {
      const response = await code(fixture, i === 5 ? right : wrong, browser);
      const problem = /id="field-code-problem">([^<]*)</.exec(await response.text())![1];
      seen.push([response.status, problem]);
    }
    seen[0] = String(seen[0]).replaceAll(fixture.request, "…");
    responses.push(seen);
    const again = await fixture.ask(browser, email); // allows five new attempts
    assertEquals(await statusOf(code(fixture, wrong, again.browser)), 400);
  }
  assertEquals(responses[1], responses[0]);
  assertStringIncludes(JSON.stringify(responses[0]), "You can try 4 more times.");
});

Deno.test("attempts count from the request for the link on, also before its code is shown", async () => {
  await using fixture = await consentFixture();
  const { browser, link } = await fixture.ask();
  const enter = (digits: string) => statusOf(code(fixture, digits, browser));
  for (let i = 0; i < 3; i++) assertEquals(await enter("000000"), 400);
  const page = await fixture.fetch("/my-record/link", { form: { token: link! } });
  const right = digitsIn(await page.text());
  const wrong = right === "000000" ? "111111" : "000000";
  for (let i = 0; i < 2; i++) assertEquals(await enter(wrong), 400);
  assertEquals(await enter(right), 400);
});

Deno.test("a code expires after 15 minutes, and a new link ends the earlier code", async () => {
  await using fixture = await consentFixture();
  for (const late of [true, false]) {
    const { browser, link } = await fixture.ask();
    const page = await fixture.fetch("/my-record/link", { form: { token: link! } });
    const digits = digitsIn(await page.text());
    if (late) fixture.clock.now += 15 * MINUTE_MS;
    else await fixture.ask(browser);
    assertEquals(await statusOf(code(fixture, digits, browser)), 400);
  }
});

Deno.test("a link or code of a request that was decided in the meantime signs nobody in", async () => {
  await using fixture = await consentFixture();
  const { browser, link } = await fixture.ask();
  await fixture.press("deny", undefined);
  assertEquals(await statusOf(fixture.fetch(`/my-record/link?token=${link}`)), 410);
  assertEquals(await statusOf(fixture.fetch("/my-record/link", { form: { token: link! } })), 410);
  assertEquals(await statusOf(code(fixture, "123456", browser)), 410);
});

Deno.test("a holder disconnects one app or all of them, and nobody else's", async () => {
  await using fixture = await consentFixture();
  const { site, client, hash, cookie } = fixture;
  const other = await fixture.holder({ ...PERSON, email: "other@example.org" });
  const agents: string[] = [];
  for (const record of [hash, hash, hash, other.hash]) {
    const { access_token } = await connect(site, client, { record });
    agents.push(access_token);
  }
  const statuses = () =>
    Promise.all(agents.map(async (token) => await statusOf(callTool(site, { token }))));
  assertEquals(await statuses(), [200, 200, 200, 200]);

  const page = await (await fixture.fetch("/my-record", { cookie })).text();
  const ids = [...page.matchAll(/name="agent" value="([^"]*)"/g)].map(([, id]) => id);
  assertEquals(ids.length, 3);
  const [foreign] = await site.services.oauth.agents.list(other.hash);
  const disconnect = (form: Record<string, string>, by: string | undefined = cookie) =>
    fixture.fetch("/my-record/agents", { cookie: by, form });
  await statusOf(disconnect({ act: "disconnect", agent: foreign.id }));
  await statusOf(disconnect({ act: "disconnect", agent: ids[0] }, "")); // signed out
  assertEquals(await statuses(), [200, 200, 200, 200]);

  const done = await disconnect({ act: "disconnect", agent: ids[0] });
  assertEquals([done.status, done.headers.get("location")], [303, "/my-record#agents"]);
  assertEquals((await statuses()).filter((status) => status === 401).length, 1);
  await statusOf(disconnect({ act: "disconnect_all" }));
  assertEquals(await statuses(), [401, 401, 401, 200]);
  const log = await (await fixture.fetch("/my-record/log", { cookie })).text();
  assertEquals(log.match(/App disconnected: Example app/g)?.length, 3);
});

Deno.test("signing out everywhere, a correction and a recovery end a record's grants, and approvals on their way", async () => {
  const reader = { network: "n", browser: "b" };
  for (const how of ["signed out everywhere", "corrected", "recovered"]) {
    await using fixture = await consentFixture();
    const { site, clock, client, hash, cookie } = fixture;
    const { records, jobs } = site.services;
    if (how === "recovered") {
      const request = { hash, newEmail: "new@example.org", by: "admin@example.org" };
      unwrap(await records.recoveries.start({ ...request, note: "Passport", reader }));
      clock.now += 73 * HOUR_MS;
      await jobs.run("recoveries");
    }
    const { access_token: token } = await connect(site, client, { record: hash });
    const { request, cookie: browser } = await fixture.begin();
    const onItsWay = new URL(await decide(site, request, { approved: true, record: hash }));
    if (how === "recovered") {
      const [{ link }] = (await fixture.mails()).filter(({ to }) => to === "new@example.org");
      const form = { token: tokenIn(link!) };
      assertEquals(await statusOf(fixture.fetch("/my-record/link", { form })), 303);
    } else if (how === "corrected") {
      const { record } = (await records.read(hash))!.contact.value;
      unwrap(await records.correction.start(hash, { ...record, name: "Ada New" }, reader));
    } else {
      const form = { everywhere: "1" };
      await statusOf(fixture.fetch("/my-record/sign-out", { cookie, form }));
    }
    assertEquals(await statusOf(callTool(site, { token })), 401, how);
    const path = onItsWay.pathname + onItsWay.search;
    await statusOf(site.request("foundation-mcp", path, { headers: { cookie: browser } }));
    assertEquals(await fixture.grants(), 0, how);
  }
});
