import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { createStoredRequests } from "../lib/features/auth/stored_requests.ts";
import type { StoredContact } from "../lib/features/contact/mod.ts";
import {
  type AccessEntry,
  type RecordRow,
  recordRows,
  startSession,
} from "../lib/features/records/mod.ts";
import { apart } from "../lib/platform/kv/mod.ts";
import { valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../lib/base/time.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { type RecordFixture, recordFixture } from "./record_site.ts";
import { createSite } from "./site.ts";

const ADA = "ada.q@mail.example.org"; // PERSON.email, normalised
const tokenIn = (link: string) => new URL(link).searchParams.get("token")!;

/** Requests a link as the page's form does. Returns the response and the link, if one was mailed. */
async function ask(
  { fetch, mails }: RecordFixture,
  email = ADA,
  options: { cookie?: string; from?: string } = {},
): Promise<{ response: Response; token: string | null }> {
  const before = (await mails()).length;
  const response = await fetch("/my-record/sign-in", { json: { email }, ...options });
  const list = await mails();
  return { response, token: list.length > before ? tokenIn(list[0].link!) : null };
}

/** Presses the button of a link's page. */
const press = ({ fetch }: RecordFixture, token: string, cookie?: string) =>
  fetch("/my-record/link", { form: { token }, cookie });

/** Returns the `Cookie` header that a browser sends after a response. */
const cookiesOf = (response: Response): string =>
  response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");

const headingOf = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)![1];

Deno.test("a mailed link opens the record: a button on GET, a session on POST", async () => {
  await using fixture = await recordFixture();
  const { hash } = await fixture.holder();
  const { response, token } = await ask(fixture);
  assertEquals([response.status, await response.json()], [200, { success: true }]);
  const [mail] = await fixture.mails();
  assertEquals(mail.subject, "Sign in to My record (Attest Systems)");
  assertStringIncludes(mail.text, "Open your record at Attest Systems");
  assert(mail.link!.startsWith("http://trust.localhost:8000/my-record/link?token="));

  const before = await fixture.entries();
  for (const purpose of ["", "prefetch"]) {
    const headers = { "sec-purpose": purpose };
    for (const method of ["GET", "HEAD"]) {
      const page = await fixture.fetch(`/my-record/link?token=${token}`, { method, headers });
      assertEquals(page.status, 200);
      assertEquals(page.headers.get("referrer-policy"), "no-referrer");
      assertEquals(page.headers.get("cache-control"), "no-store");
      assertEquals(page.headers.getSetCookie(), []);
      const html = await page.text();
      if (method === "HEAD") continue;
      assertStringIncludes(html, "1 record");
      assertStringIncludes(html, "a•••@m•••.org");
      assertFalse(/<script|ada\.q@/i.test(html));
    }
  }
  assertEquals(await fixture.entries(), before, "GET and HEAD change nothing");

  const signedIn = await press(fixture, token!);
  assertEquals([signedIn.status, signedIn.headers.get("location")], [303, "/my-record"]);
  assertMatch(
    signedIn.headers.getSetCookie()[0],
    /^record_session=[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}; HttpOnly; Secure; SameSite=Lax; Max-Age=2592000; Path=\/$/,
  );
  const page = await fixture.fetch("/my-record", { cookie: cookiesOf(signedIn) });
  assertEquals(page.status, 200);
  assertStringIncludes(await page.text(), hash);
});

Deno.test("known, unconfirmed and unknown addresses get the same response, and unknown ones no mail", async () => {
  await using fixture = await recordFixture();
  await fixture.holder();
  await fixture.register({ ...PERSON, email: "unconfirmed@example.org" });
  const rows = async () => (await fixture.entries()).map(({ key }) => key);
  const responses: unknown[] = [];
  for (const email of [ADA, "unconfirmed@example.org", "unknown@example.org"]) {
    const before = await rows();
    const { response, token } = await ask(fixture, email);
    assertEquals(token !== null, email !== "unknown@example.org", email);
    if (token === null) {
      const added = (await rows()).filter((key) => !before.includes(key));
      assertEquals(added.filter((key) => !key.startsWith('["limits","sign_in_client"')), []);
    }
    const form = await fixture.fetch("/my-record/sign-in", { form: { email } });
    await fixture.mails(); // waits for the second link
    const html = (await form.text()).replaceAll(email, "…").replaceAll(/nonce="[^"]*"/g, "");
    const cookies = [response, form].map(({ headers }) =>
      headers.getSetCookie().map((cookie) => cookie.replace(/=([\w-]{22}|[\da-f-]{36});/, "=…;"))
    );
    responses.push([response.status, await response.json(), form.status, html, cookies]);
  }
  assertEquals(responses[1], responses[0]);
  assertEquals(responses[2], responses[0]);
  const cookies = JSON.stringify(responses[0]);
  assertStringIncludes(
    cookies,
    "link_request=…; HttpOnly; Secure; SameSite=Lax; Max-Age=86400; Path=/my-record",
  );
});

Deno.test("a browser whose request hung learns on the sign-in page that its mail is late or was not sent, for every address", async () => {
  await using fixture = await recordFixture();
  const { kv, secrets, records } = fixture.site.services;
  await fixture.holder();
  const requests = createStoredRequests<{ browser: string; surface: string }>(
    { kv, secrets, clock: () => fixture.clock.now },
    "holder",
  );
  const ask = async (email: string) => {
    const commit = kv.atomic();
    const { id } = await requests.add(commit, { email, browser: "b".repeat(22), surface: "trust" });
    await commit.commit();
    return `link_request=${id}`;
  };
  const asked = [await ask(ADA), await ask("unknown@example.org")];
  const pages = () =>
    Promise.all(asked.map(async (cookie) => {
      const html = await (await fixture.fetch("/my-record", { cookie })).text();
      return html.replaceAll(/nonce="[^"]*"/g, "");
    }));
  const at = new Date(fixture.clock.now).toISOString().slice(11, 16);
  fixture.clock.now += 10 * SECOND_MS;
  const [late, unknown] = await pages();
  assertStringIncludes(late, `You asked for a link at ${at} UTC. The email is late`);
  assertEquals(unknown, late);
  fixture.clock.now += 15 * MINUTE_MS;
  const [lapsed, ...others] = await pages();
  assertStringIncludes(lapsed, `You asked for a link at ${at} UTC. No email was sent`);
  assertEquals(others, [lapsed]);
  fixture.clock.now -= 10 * MINUTE_MS;
  await records.links.resume(new AbortController().signal);
  assertEquals((await pages()).some((html) => html.includes("You asked for a link")), false);
});

Deno.test("an address with unconfirmed records only gets new confirmation links, and old ones end", async () => {
  await using fixture = await recordFixture();
  const { clock } = fixture;
  const email = "late@example.org";
  const hashes: string[] = [];
  for (let i = 0; i < 4; i++) {
    hashes.push(await fixture.register({ ...PERSON, email }));
    clock.now += HOUR_MS;
  }
  const [first] = await fixture.mails();
  clock.now += 8 * DAY_MS;
  const expired = await fixture.fetch(`/confirm?token=${tokenIn(first.link!)}`);
  assertEquals(expired.status, 410);
  assertStringIncludes(await expired.text(), 'href="/my-record"');

  const before = (await fixture.mails()).length;
  await ask(fixture, email);
  const mails = (await fixture.mails()).slice(0, -before);
  assertEquals(mails.length, 3, "the oldest and the two newest records");
  assert(mails.every(({ subject }) => subject.startsWith("Confirm your email address")));
  assertEquals(await statusOf(fixture.fetch(`/confirm?token=${tokenIn(first.link!)}`)), 404);
  const cookies: string[] = [];
  for (const { link } of mails) {
    const response = await fixture.fetch("/confirm", { form: { token: tokenIn(link!) } });
    assertEquals(response.status, 200);
    cookies.push(cookiesOf(response));
  }
  const opened = await Promise.all(
    cookies.map(async (cookie) => {
      const html = await (await fixture.fetch("/my-record", { cookie })).text();
      return hashes.findIndex((hash) => html.includes(hash));
    }),
  );
  assertEquals(opened.sort(), [0, 2, 3]);
  assertEquals(await fixture.count("contacts_by_unconfirmed_email"), 1);
});

Deno.test("a person whose address strangers register many times gets the link to their own record", async () => {
  await using fixture = await recordFixture();
  const email = "ada.late@example.org";
  const own = await fixture.register({ ...PERSON, email });
  for (let i = 0; i < 150; i++) {
    fixture.clock.now += HOUR_MS;
    await fixture.register({ ...PERSON, name: `Stranger ${i}`, email });
  }
  await ask(fixture, email);
  const links = (await fixture.mails()).slice(0, 3).map(({ link }) => link!);
  const opened: boolean[] = [];
  for (const each of links) {
    const response = await fixture.fetch("/confirm", { form: { token: tokenIn(each) } });
    const page = await fixture.fetch("/my-record", { cookie: cookiesOf(response) });
    opened.push((await page.text()).includes(own));
  }
  assertEquals(opened.filter(Boolean).length, 1);
});

Deno.test("new confirmation links are limited per mailbox", async () => {
  await using fixture = await recordFixture();
  const email = "late@example.org";
  await fixture.register({ ...PERSON, email });
  const sent: boolean[] = [];
  for (let i = 0; i < 4; i++) sent.push((await ask(fixture, email)).token !== null);
  assertEquals(sent, [true, true, true, false]);
});

Deno.test("a request for a link that got its response survives the process, for known addresses only", async () => {
  await using fixture = await recordFixture();
  await fixture.holder();
  const { services } = fixture.site;
  const links = async (of: typeof services) => {
    await of.mailer.flush();
    return of.devOutbox!.list().filter(({ link }) => link?.includes("/my-record/link?token="));
  };
  const responded = Promise.withResolvers<void>();
  for (const email of [ADA, "nobody@example.org"]) {
    const result = await services.records.links.request({
      email,
      clientAddress: "203.0.113.7",
      browser: "b",
      surface: services.surfaces.get("trust")!,
      responded: responded.promise,
    });
    assertEquals(result, { ok: true });
  }
  const other = await createSite({}, {
    kv: services.kv,
    clock: () => fixture.clock.now + 10 * SECOND_MS,
  });
  await other.services.jobs.run("mail");
  const sent = await links(other.services);
  // The first process lives on here, and finds that there is nothing left to do.
  responded.resolve();
  sent.push(...await links(services));
  assertEquals(sent.map(({ to }) => to), [ADA]);
  assertEquals(await fixture.count("link_requests"), 0);
});

Deno.test("the look-up waits for the response", async () => {
  await using fixture = await recordFixture();
  await fixture.holder();
  const { services } = fixture.site;
  const responded = Promise.withResolvers<void>();
  const before = (await fixture.entries()).length;
  const result = await services.records.links.request({
    email: ADA,
    clientAddress: "203.0.113.7",
    browser: "b",
    surface: services.surfaces.get("trust")!,
    responded: responded.promise,
  });
  assertEquals(result, { ok: true });
  for (let i = 0; i < 20; i++) await services.kv.get(["records", "f".repeat(64)]); // time to go wrong
  const added = (await fixture.entries()).length - before;
  assertEquals(added, 2, "only the client's limit and the encrypted request");
  responded.resolve();
  await services.mailer.flush();
  assertEquals(await fixture.count("record_links"), 1);
  assertEquals(await fixture.count("link_requests"), 0);
});

Deno.test("40 concurrent POSTs of one link start one session", async () => {
  await using fixture = await recordFixture();
  await fixture.holder();
  const { token } = await ask(fixture);
  const before = await fixture.count("record_sessions");
  const responses = await Promise.all(Array.from({ length: 40 }, () => press(fixture, token!)));
  const statuses = await Promise.all(responses.map(statusOf));
  assertEquals(statuses.filter((status) => status === 303).length, 1);
  assertEquals(statuses.filter((status) => status === 410).length, 39);
  assertEquals(await fixture.count("record_sessions"), before + 1);
});

Deno.test("an expired, used, foreign or unknown link gives no session and offers a new one", async () => {
  await using fixture = await recordFixture();
  const { hash } = await fixture.holder();
  const { clock, site: { services } } = fixture;
  const first = await ask(fixture);
  clock.now += 15 * MINUTE_MS - 1;
  assertEquals(await statusOf(fixture.fetch(`/my-record/link?token=${first.token}`)), 200);
  clock.now += 1;
  const second = await ask(fixture);
  assertEquals(await statusOf(press(fixture, second.token!)), 303);
  const third = await ask(fixture);
  const workbench = { surface: "workbench", browser: null } as const;
  assertEquals(await services.records.links.read(third.token!, workbench), {
    ok: false,
    error: "not_found",
  });
  const cases = [
    [first.token, 410, "That link has expired"],
    [second.token, 410, "That link has already been used"],
    [third.token, 404, "That link is not valid"], // its record is deleted first
    ["A".repeat(43), 404, "That link is not valid"],
    ["malformed-token", 404, "That link is not valid"],
  ] as const;
  for (const [token, status, text] of cases) {
    if (token === third.token) await services.records.deletion.deleteRecord(hash);
    for (const open of [fixture.fetch(`/my-record/link?token=${token}`), press(fixture, token!)]) {
      const response = await open;
      assertEquals([response.status, response.headers.getSetCookie()], [status, []]);
      const html = await response.text();
      assertStringIncludes(html, text);
      assertStringIncludes(html, 'action="/my-record/sign-in"');
      assertFalse(html.includes(token!));
    }
  }
});

Deno.test("a used link leads a holder who is signed in to the record", async () => {
  await using fixture = await recordFixture();
  const { cookie } = await fixture.holder();
  const { token } = await ask(fixture);
  await statusOf(press(fixture, token!));
  const again = await fixture.fetch(`/my-record/link?token=${token}`, { cookie });
  assertEquals([again.status, again.headers.get("location")], [303, "/my-record"]);
  await again.body?.cancel();
});

Deno.test("a link that is opened in another browser says so and signs in there", async () => {
  await using fixture = await recordFixture();
  await fixture.holder();
  const { response, token } = await ask(fixture);
  const browser = cookiesOf(response);
  assertMatch(browser, /^record_browser=[\w-]{22}; link_request=[\da-f-]{36}$/);
  const open = async (cookie?: string) =>
    (await (await fixture.fetch(`/my-record/link?token=${token}`, { cookie })).text())
      .includes("in another browser");
  assertEquals(await open(browser), false);
  assertEquals(await open("record_browser=AAAAAAAAAAAAAAAAAAAAAA"), true);
  assertEquals(await open(), true);
  assertEquals(await statusOf(press(fixture, token!)), 303);
});

Deno.test("a link that was requested for an app's request is not used in another browser", async () => {
  await using fixture = await recordFixture();
  await fixture.holder();
  const { surfaces, records: { links } } = fixture.site.services;
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  await links.request({
    email: ADA,
    clientAddress: "203.0.113.7",
    browser: "own",
    surface: surfaces.get("trust")!,
    request: { token: "request", reader },
    responded: Promise.resolve(),
  });
  const token = tokenIn((await fixture.mails())[0].link!);
  const useIn = async (browser: string | null) =>
    (await links.use(token, { surface: "trust", browser, reader, previous: null })).ok;
  assertEquals([await useIn("other"), await useIn(null), await useIn("own")], [false, false, true]);
});

Deno.test("a mailbox gets three links an hour, also in a browser that has signed in before", async () => {
  await using fixture = await recordFixture();
  await fixture.holder({ ...PERSON, email: "ada@example.org" });
  await fixture.holder({ ...PERSON, email: "ada+tag@example.org" });
  const mailed = async (email: string, cookie?: string) =>
    (await ask(fixture, email, { cookie })).token;
  const first = await mailed("ada@example.org");
  const cookie = cookiesOf(await press(fixture, first!));
  assertMatch(cookie, /^record_session=[\w-]+$/);
  assert(await mailed("ada+tag@example.org") !== null, "the same mailbox");
  assert(await mailed("ada@example.org") !== null);
  assertEquals(await mailed("ada@example.org", cookie), null);
  fixture.clock.now += HOUR_MS;
  assert(await mailed("ada@example.org", cookie) !== null);
});

Deno.test("a client that asks too often gets 429, as JSON and as a page", async () => {
  await using fixture = await recordFixture({ SIGN_IN_CLIENT_LIMIT: "2" });
  for (const email of ["a@example.org", "b@example.org"]) {
    assertEquals((await ask(fixture, email)).response.status, 200);
  }
  const { response } = await ask(fixture);
  assertEquals([response.status, (await response.json()).error], [429, "rate_limited"]);
  const page = await fixture.fetch("/my-record/sign-in", { form: { email: ADA } });
  assertEquals([page.status, page.headers.get("retry-after")], [429, "3600"]);
  const html = await page.text();
  assertStringIncludes(html, "Too many links were requested");
  assertStringIncludes(html, `value="${ADA}"`);
  assertEquals((await ask(fixture, ADA, { from: "198.51.100.1" })).response.status, 200);
});

Deno.test("bad input and foreign origins are refused", async () => {
  await using fixture = await recordFixture();
  const path = "/my-record/sign-in";
  const post = (json: unknown, headers = {}) => statusOf(fixture.fetch(path, { json, headers }));
  for (const json of [{}, [], null, { email: 1 }, { email: "ada" }, { email: "a".repeat(5000) }]) {
    assertEquals(await post(json), 400);
  }
  assertEquals(await post({ email: "a".repeat(70_000) }), 413);
  assertEquals(await post({ email: ADA }, { origin: "https://evil.example" }), 403);
  assertEquals(await statusOf(fixture.fetch(path)), 405);
  const page = await fixture.fetch(path, { form: { email: "nonsense" } });
  assertEquals(page.status, 400);
  assertStringIncludes(await page.text(), "not an email address");
  // Without a session, a form leads to the sign-in page.
  for (const record of ["x", "f".repeat(64)]) {
    const choose = fixture.fetch("/my-record/choose", { form: { record } });
    assertEquals(await statusOf(choose), 303);
  }
  const { cookie } = await fixture.holder();
  const badForm = fixture.fetch("/my-record/sign-out", { form: { everywhere: "2" }, cookie });
  assertEquals(await statusOf(badForm), 400);
  assertEquals(await statusOf(fixture.fetch("/my-record/link")), 400);
  const foreign = { origin: "https://evil.example" };
  const signOut = fixture.fetch("/my-record/sign-out", { form: {}, headers: foreign });
  assertEquals(await statusOf(signOut), 403);
});

Deno.test("one link opens every record of an address: the holder chooses, and can switch", async () => {
  await using fixture = await recordFixture();
  const one = (await fixture.holder(PERSON)).hash;
  const two = (await fixture.holder(PERSON)).hash;
  const other = (await fixture.holder({ ...PERSON, email: "eve@example.org" })).hash;
  const { token } = await ask(fixture);
  const link = await (await fixture.fetch(`/my-record/link?token=${token}`)).text();
  assertStringIncludes(link, "2 records");
  const cookie = cookiesOf(await press(fixture, token!));
  const open = async () => (await fixture.fetch("/my-record", { cookie })).text();
  const choose = async (record: string) => {
    const response = await fixture.fetch("/my-record/choose", { form: { record }, cookie });
    await response.body?.cancel();
    return response.status;
  };
  const chooser = await open();
  assertEquals(headingOf(chooser), "Choose a record");
  for (const hash of [one, two]) assertStringIncludes(chooser, `value="${hash}"`);
  assertEquals(await choose(other), 404);
  assertEquals(headingOf(await open()), "Choose a record");
  for (const hash of [two, one]) {
    assertEquals(await choose(hash), 303);
    const page = await open();
    assertEquals(headingOf(page), "My record");
    assertStringIncludes(page, `My record ${hash.slice(0, 8)}`);
  }
});

Deno.test("a record that was corrected is not opened by a link to its old address", async () => {
  await using fixture = await recordFixture();
  const { kv } = fixture.site.services;
  const { hash } = await fixture.holder();
  const { token } = await ask(fixture);
  const { value } = await kv.get<RecordRow>(recordRows.key(hash));
  await kv.set(recordRows.key(hash), { ...value!, replaced_by: "f".repeat(64) });
  assertEquals((await ask(fixture)).token, null);
  assertEquals(await statusOf(fixture.fetch(`/my-record/link?token=${token}`)), 404);
  assertEquals(await statusOf(press(fixture, token!)), 404);
});

Deno.test("signing out ends one session, and signing out everywhere ends every session of the record", async () => {
  await using fixture = await recordFixture();
  const { hash, cookie } = await fixture.holder();
  const second = (await fixture.holder()).hash;
  const cookies = [
    cookie,
    await fixture.signIn([hash]),
    await fixture.signIn([hash, second]),
    await fixture.signIn([second]),
  ];
  const signedIn = async () => {
    const pages = await Promise.all(
      cookies.map(async (cookie) => (await fixture.fetch("/my-record", { cookie })).text()),
    );
    return pages.map((html) => headingOf(html) !== "Open your record");
  };
  assertEquals(await signedIn(), [true, true, true, true]);
  const signOut = (cookie: string, form = {}) =>
    fixture.fetch("/my-record/sign-out", { cookie, form });
  const response = await signOut(cookies[0]);
  assertEquals([response.status, response.headers.get("location")], [303, "/my-record"]);
  assertEquals(
    response.headers.getSetCookie().map((cookie) =>
      cookie.replace(/; HttpOnly.*Max-Age/, " Max-Age")
    ),
    ["record_session= Max-Age=0; Path=/", "record_browser= Max-Age=0; Path=/"],
  );
  assertEquals(await signedIn(), [false, true, true, true]);
  await statusOf(signOut(cookies[1], { everywhere: "1" }));
  assertEquals(await signedIn(), [false, false, false, true]);
});

Deno.test("signing out everywhere is logged once, even if the request is repeated", async () => {
  await using fixture = await recordFixture();
  const { hash } = await fixture.holder();
  const { kv, records } = fixture.site.services;
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  for (let i = 0; i < 2; i++) await records.signOutEverywhere(hash, reader);
  const entries = await valuesOf<AccessEntry>(kv, "access_log", hash);
  assertEquals(entries.filter(({ what }) => what === "signed_out_everywhere").length, 1);
});

Deno.test("a session of another surface opens nothing", async () => {
  await using fixture = await recordFixture();
  const { hash } = await fixture.holder();
  const cookie = await fixture.signIn([hash], { on: "workbench" });
  const page = await fixture.fetch("/my-record", { cookie });
  assertFalse((await page.text()).includes(hash));
});

Deno.test("registering somebody else's address with one's own number gives no access", async () => {
  await using fixture = await recordFixture();
  const { services } = fixture.site;
  const own = (await fixture.holder()).hash;
  const planted = await fixture.register({
    ...PERSON,
    name: "Eve Example",
    mobile: { country: "AU", number: "0499 999 999" },
  });
  const confirmation = tokenIn(
    (await fixture.mails()).find(({ link }) => link!.includes("/confirm"))!.link!,
  );

  // A link to the address opens only the record whose address was confirmed.
  const { token } = await ask(fixture);
  const html = await (await fixture.fetch(`/my-record/link?token=${token}`)).text();
  assertStringIncludes(html, "1 record");
  const cookie = cookiesOf(await press(fixture, token!));
  assertStringIncludes(await (await fixture.fetch("/my-record", { cookie })).text(), own);
  const choose = fixture.fetch("/my-record/choose", { form: { record: planted }, cookie });
  assertEquals(await statusOf(choose), 404);

  // If the owner of the mailbox confirms it, they see the number, and it still gives no access.
  const confirmed = await fixture.fetch("/confirm", { form: { token: confirmation } });
  const page = await confirmed.text();
  assertStringIncludes(page, "+61 ••• ••• 999");
  assertStringIncludes(page, 'href="/my-record/number"');
  assertStringIncludes(page, "This isn't my number");
  const { kv } = services;
  for await (const { key } of kv.list({ prefix: [] })) {
    assert(key[0] !== "contacts_by_mobile", "no number was confirmed");
  }
});

Deno.test("confirming the address signs in once, and as a recent sign-in for 15 minutes", async () => {
  for (const [age, recent] of [[15 * MINUTE_MS, true], [15 * MINUTE_MS + 1, false]] as const) {
    await using fixture = await recordFixture();
    const { kv } = fixture.site.services;
    const hash = await fixture.register();
    const token = tokenIn((await fixture.mails())[0].link!);
    fixture.clock.now += age;
    const presses = await Promise.all(
      Array.from({ length: 20 }, () => fixture.fetch("/confirm", { form: { token } })),
    );
    const cookies = presses.map(cookiesOf).filter((cookie) => cookie !== "");
    await Promise.all(presses.map(statusOf));
    assertEquals(cookies.length, 1);
    assertEquals(await fixture.count("record_sessions"), 1);
    const page = await fixture.fetch("/my-record", { cookie: cookies[0] });
    assertStringIncludes(await page.text(), hash);
    for await (
      const { value } of kv.list<{ recent_until: string }>({ prefix: ["record_sessions"] })
    ) {
      assertEquals(Date.parse(value.recent_until) > fixture.clock.now, recent);
    }
    const { row } = (await fixture.site.services.records.read(hash))!;
    assertEquals([row.level, row.user_handle.length], [1, 43]);
    const again = await fixture.fetch("/confirm", { form: { token } });
    assertEquals(again.headers.getSetCookie(), []);
    const text = await again.text();
    assertStringIncludes(text, "already been used to sign in");
    assertFalse(text.includes(PERSON.name));
    const inSession = await fixture.fetch("/confirm", { form: { token }, cookie: cookies[0] });
    const main = (await inSession.text()).split("<main")[1].split("</main>")[0];
    assertEquals(main.match(/<a [^>]*href="[^"]*"/g)?.length, 1);
    assertStringIncludes(main, ">Open my record</a>");
    const log = await fixture.entries();
    const whats = log.filter(({ key }) => /^\["access_log",".*",/.test(key)).map(({ text }) =>
      [/what: "(\w+)"/, /detail: "([^"]+)"/].map((part) => part.exec(text)?.[1])
    );
    assertEquals(whats, [["email_confirmed", "and signed in with the same link"]]);
  }
});

Deno.test("a request gets no session if another process confirms the address first", async () => {
  await using fixture = await recordFixture();
  const { kv } = fixture.site.services;
  const hash = await fixture.register();
  const token = tokenIn((await fixture.mails())[0].link!);
  const get = kv.get.bind(kv);
  kv.get = async (key, ...more) => {
    if (key[0] === "records") {
      kv.get = get;
      const { value } = await get<StoredContact>(["contacts", hash]);
      const row = { ...value!, confirmed_at: new Date(0).toISOString() };
      await apart("another process does it", () => kv.set(["contacts", hash], row));
    }
    // deno-lint-ignore no-explicit-any
    return await get(key, ...more) as any;
  };
  const response = await fixture.fetch("/confirm", { form: { token } });
  assertEquals([response.status, response.headers.getSetCookie()], [200, []]);
  assertEquals(headingOf(await response.text()), "Your email address is already confirmed");
  assertEquals(await fixture.count("record_sessions"), 0);
});

Deno.test("the store contains no token, address or client address of a sign-in", async () => {
  await using fixture = await recordFixture();
  await fixture.holder({ ...PERSON, email: "secret@example.org" });
  const { token } = await ask(fixture, "secret@example.org", { from: "203.0.113.99" });
  await statusOf(press(fixture, token!));
  fixture.clock.now += DAY_MS;
  for (const { key, text } of await fixture.entries()) {
    const row = key + text;
    assertFalse(row.includes(token!));
    assertFalse(row.includes("203.0.113.99"));
    if (!key.startsWith('["contacts"')) assertFalse(row.includes("secret@example.org"), key);
  }
});

Deno.test("signing in with a link ends the session that the browser had before, and no other", async () => {
  await using fixture = await recordFixture();
  const { hash, cookie } = await fixture.holder();
  const elsewhere = await fixture.signIn([hash]);
  const { token } = await ask(fixture);
  assertEquals(await statusOf(press(fixture, token!, cookie)), 303);
  const signedIn = async (cookie: string) =>
    headingOf(await (await fixture.fetch("/my-record", { cookie })).text()) !== "Open your record";
  assertEquals([await signedIn(cookie), await signedIn(elsewhere)], [false, true]);
  assertEquals(await fixture.count("record_sessions"), 2);
  assertEquals(await fixture.count("record_sessions_by_record"), 2);
});

Deno.test("confirming an address ends the session that the browser had before", async () => {
  await using fixture = await recordFixture();
  const { cookie } = await fixture.holder();
  await fixture.register();
  const [{ link }] = await fixture.mails();
  const form = { token: tokenIn(link!) };
  assertEquals(await statusOf(fixture.fetch("/confirm", { cookie, form })), 200);
  assertEquals(await fixture.count("record_sessions"), 1);
});

Deno.test("a sign-in that is committed after its record was deleted leaves nothing", async () => {
  await using fixture = await recordFixture();
  const { hash } = await fixture.holder();
  const { kv, records } = fixture.site.services;
  const commit = kv.atomic();
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  const choices = [hash];
  const session = { surface: "trust", method: "link", previous: null, choices, reader } as const;
  assert(await startSession(kv, commit, session, fixture.clock.now));
  await records.deletion.deleteRecord(hash);
  assertFalse((await commit.commit()).ok);
});
