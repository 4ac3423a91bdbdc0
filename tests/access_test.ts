import {
  assert,
  assertEquals,
  assertFalse,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { accessData } from "../lib/features/documents/access/access.ts";
import { readingCookie } from "../lib/features/documents/access/cookie.ts";
import { shareData } from "../lib/features/documents/access/share_data.ts";
import { listLinks } from "../lib/features/documents/access/share_rows.ts";
import { withdrawals } from "../lib/features/documents/access/withdrawals.ts";
import {
  documentPath,
  formatDocumentId,
  HOLD_MS,
  newDocumentId,
} from "../lib/features/documents/mod.ts";
import {
  CLIENT_DOCUMENT_REQUESTS_PER_DAY,
  DOCUMENT_REQUESTS_PER_DAY,
} from "../lib/features/documents/access/limits.ts";
import { bodyOf, newDocument } from "../lib/features/documents/testing/fixture.ts";
import { MAX_SAFE, MAX_UNCONFIRMED } from "../lib/features/documents/access/unconfirmed.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { readAccessLog } from "../lib/features/records/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { sha256 } from "../lib/platform/kv/hash.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { type AccessFixture, accessFixture, STRANGER } from "./access_site.ts";
import { PERSON, statusOf } from "./contact_site.ts";

const kindsOf = async ({ site, owner }: AccessFixture) =>
  (await site.services.chains.page(owner.hash))!.events.map(({ kind }) => kind);

const logOf = async ({ site, owner, clock }: AccessFixture) =>
  (await readAccessLog(site.services.kv, owner.hash, clock.now)).entries;

const isOpen = async ({ fetch, document }: AccessFixture, cookie?: string) =>
  (await (await fetch(`/d/${document}/file`, { cookie })).text()).includes("The certificate.");

Deno.test("a stranger asks, confirms, is approved, and reads the document in one browser", async () => {
  await using fixture = await accessFixture();
  const { document, fetch, site: { services }, owner } = fixture;
  const form = await (await fetch(`/d/${document.toLowerCase()}/request`)).text();
  assertStringIncludes(form, `action="${documentPath(document)}/request"`);

  const sent = await fixture.ask();
  assertEquals(sent.status, 200);
  assertStringIncludes(await sent.text(), "Check your email");
  assertEquals(await services.access.list(owner.hash), []);
  assertEquals((await services.alerts.overview("commercial")).unread, 0);
  const [token] = await fixture.tokens("/d/request");

  const shown = await fetch(`/d/request?token=${token}`);
  assertEquals(shown.headers.get("referrer-policy"), "no-referrer");
  assertEquals(shown.headers.get("cache-control"), "no-store");
  assertStringIncludes(await shown.text(), STRANGER.name);
  assertFalse((await kindsOf(fixture)).includes("access_requested"));
  assertEquals(await statusOf(fetch("/d/request", { form: { token } })), 200);
  assertEquals(await statusOf(fetch("/d/request", { form: { token } })), 410);
  assertEquals(
    (await kindsOf(fixture)).filter((kind) => kind === "access_requested").length,
    1,
  );
  const [{ id, state, person }] = await services.access.list(owner.hash);
  assertEquals([state, person], ["open", STRANGER]);
  assertEquals((await services.alerts.overview("commercial")).unread, 1);

  const record = await (await fetch("/my-record", { cookie: owner.cookie })).text();
  const texts = [
    STRANGER.name,
    STRANGER.email,
    "vestibule",
    `<a href="${documentPath(document)}">Certificate of Ada</a> <code>`,
    "waiting for your",
  ];
  for (const text of texts) {
    assertStringIncludes(record, text);
  }
  const approved = await fixture.decide({ act: "approve", id, reason: "Of course" });
  assertEquals(approved.status, 303);
  assertMatch(
    approved.headers.get("location")!,
    new RegExp(`^/my-record/requests\\?done=approve&of=${id}&at=\\d+&proof=[\\w-]{43}$`),
  );
  assertEquals((await services.alerts.overview("commercial")).unread, 0);
  await fixture.sendHeld();
  const mails = await fixture.mails();
  const mail = mails.find(({ subject }) => subject.startsWith("Your request was approved"))!;
  assertEquals(mail.to, STRANGER.email);
  assertStringIncludes(mail.text, "Reason: Of course");

  const [grant] = await fixture.tokens("/s");
  assertFalse(await isOpen(fixture));
  const page = await fetch("/s", { form: { code: grant } });
  assertEquals([page.status, page.headers.get("set-cookie")], [200, null]);
  assertStringIncludes(await page.text(), "Open the document");
  fixture.clock.now += 1;
  const bound = await fetch("/s", { form: { act: "open", code: grant } });
  assertEquals([bound.status, bound.headers.get("location")], [303, documentPath(document)]);
  const cookie = bound.headers.get("set-cookie")!;
  assertMatch(
    cookie,
    /^document_share=[\w-]+; HttpOnly; Secure; SameSite=Lax; Max-Age=6047\d\d; Path=\/$/, // seven days from the approval
  );
  fixture.clock.now += 1;
  assert(await isOpen(fixture, cookie.split(";")[0]));
  assertFalse(await isOpen(fixture));
  fixture.clock.now += 1;
  assertStringIncludes(
    await (await fetch(`/d/${document}`, { cookie: cookie.split(";")[0] })).text(),
    "Certificate of Ada",
  );

  const log = await logOf(fixture);
  assertEquals(log.map(({ what }) => what).filter((what) => /^access|^document/.test(what)), [
    "document_viewed",
    "document_downloaded",
    "access_opened",
    "access_approved",
    "access_requested",
    "document_added",
  ]);
  for (const { what, detail } of log.slice(0, 2)) {
    assertStringIncludes(detail!, formatDocumentId(id), what);
  }
});

Deno.test("every response to a request is the same, and nothing is sent for an unknown document", async () => {
  await using fixture = await accessFixture();
  const normalise = (text: string) =>
    text.replaceAll(
      /[0-9A-HJKMNP-TV-Z]{16}|(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}/g,
      "ID",
    )
      .replaceAll(/nonce="[^"]*"/g, "").replaceAll(/[\w.]+@[\w.]+/g, "ADDRESS");
  const answer = async (response: Response) => [response.status, normalise(await response.text())];
  const unknown = newDocumentId();
  const [first, ...others] = [
    await answer(await fixture.ask()),
    await answer(await fixture.ask()), // a second request
    await answer(await fixture.ask({ email: PERSON.email })),
    await answer(await fixture.ask({}, { document: unknown })),
  ];
  for (const other of others) assertEquals(other, first);
  const forms = await Promise.all(
    [fixture.document, unknown].map(async (id) => answer(await fixture.fetch(`/d/${id}/request`))),
  );
  assertEquals(forms[0], forms[1]);
  assertFalse(JSON.stringify([first, forms]).includes("Certificate"));
  assertEquals((await fixture.tokens("/d/request")).length, 1);
  assertEquals(await fixture.count("access_requests"), 2);
  assertEquals(await statusOf(fixture.fetch("/d/nothing/request")), 404);
  for (const mail of await fixture.mails()) assertFalse(mail.text.includes("Certificate"));
});

Deno.test("a form with missing or long fields is shown again with the reasons, and stores nothing", async () => {
  await using fixture = await accessFixture();
  for (
    const [person, problem] of [
      [{ name: " " }, "Enter your name."],
      [{ name: "x".repeat(101) }, "Use at most 100 characters."],
      [{ email: "nobody" }, "not an email address"],
      [{ reason: "" }, "Enter why you need the document."],
      [{ reason: "x".repeat(501) }, "Use at most 500 characters."],
    ] as const
  ) {
    const response = await fixture.ask(person);
    assertEquals(response.status, 400);
    assertStringIncludes(await response.text(), problem);
  }
  assertEquals(await fixture.count("access_requests"), 0);
});

Deno.test("40 concurrent posts of one person make one request, one email, one event and one alert", async () => {
  await using fixture = await accessFixture();
  const asked = await Promise.all(
    Array.from(
      { length: 40 },
      (_, i) =>
        statusOf(fixture.ask({ email: i % 2 ? STRANGER.email : "Sibylla+tag@mail.example.com" })),
    ),
  );
  assertEquals(new Set(asked), new Set([200]));
  const mails = (await fixture.mails()).filter(({ to }) => to.startsWith("sibylla"));
  assertEquals(mails.length, 1);
  assertEquals(await fixture.count("access_requests"), 1);
  const token = new URL(mails[0].link!).searchParams.get("token")!;
  const confirmed = await Promise.all(
    Array.from({ length: 20 }, () => statusOf(fixture.fetch("/d/request", { form: { token } }))),
  );
  assertEquals(confirmed.filter((status) => status === 200).length, 1);
  assertEquals((await kindsOf(fixture)).filter((kind) => kind === "access_requested").length, 1);
  assertEquals(await fixture.count("alerts"), 1);
  assertEquals(await fixture.count("alerts_unread"), 1);

  // Nobody has decided yet, so another request changes nothing.
  fixture.clock.now += DAY_MS;
  await statusOf(fixture.ask());
  assertEquals((await fixture.tokens("/d/request")).length, mails[0].to === STRANGER.email ? 1 : 0);

  // The holder and an administrator decide at the same time.
  const [{ id }] = await fixture.site.services.access.list(fixture.owner.hash);
  const cookie = await fixture.signIn([fixture.owner.hash]);
  const decided = await Promise.all([
    ...Array.from({ length: 5 }, () => statusOf(fixture.decide({ act: "approve", id }, cookie))),
    statusOf(fixture.console("/console/alerts", { form: { act: "refuse", id, reason: "" } })),
  ]);
  // The holder's five posts are one decision that was sent five times.
  assertEquals(decided.filter((status) => status === 303).length, decided[5] === 303 ? 1 : 5);
  assertEquals(decided.filter((status) => status === 409).length, decided[5] === 303 ? 5 : 1);
});

Deno.test("a repeated request replaces an unconfirmed one, and only the newest link confirms it", async () => {
  await using fixture = await accessFixture();
  await statusOf(fixture.ask({ name: "Somebody Else" }));
  fixture.clock.now += 10 * MINUTE_MS;
  await statusOf(fixture.ask());
  const [newest, older] = await fixture.tokens("/d/request");
  assertEquals(await statusOf(fixture.fetch("/d/request", { form: { token: older } })), 404);
  assertEquals(await statusOf(fixture.fetch("/d/request", { form: { token: newest } })), 200);
  const [{ person }] = await fixture.site.services.access.list(fixture.owner.hash);
  assertEquals(person.name, STRANGER.name);
});

Deno.test("requests are limited per client and per mailbox", async () => {
  await using fixture = await accessFixture({ SIGN_IN_CLIENT_LIMIT: "3" });
  for (let i = 0; i < 3; i++) assertEquals(await statusOf(fixture.ask()), 200);
  const limited = await fixture.ask();
  assertEquals([limited.status, limited.headers.get("retry-after")], [429, "3600"]);
  await limited.body?.cancel();

  await using other = await accessFixture();
  const { documents } = other.site.services;
  for (let i = 0; i < 6; i++) {
    const added = await documents.add(newDocument(other.owner.hash), bodyOf(`${i}`));
    assertEquals(await statusOf(other.ask({}, { document: unwrap(added).document.id })), 200);
  }
  assertEquals((await other.tokens("/d/request")).length, 5);
  other.clock.now += HOUR_MS;
  await statusOf(other.ask());
  assertEquals((await other.tokens("/d/request")).length, 6);
});

/** Asks for access as strangers do, each with another address, from this many networks. */
async function askAsStrangers(
  { ask }: AccessFixture,
  { count = MAX_UNCONFIRMED, networks = count, document, from = (i) => `198.51.100.${i}` }: {
    count?: number;
    networks?: number;
    document?: string;
    /** Returns the address of a stranger in the nth network. */
    from?: (n: number) => string;
  } = {},
): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) {
    const options = { document, from: from(i % networks) };
    const email = `${crypto.randomUUID()}@mail.example.com`;
    statuses.push(await statusOf(ask({ email }, options)));
  }
  return statuses;
}

Deno.test("requests from more than 100 networks delete no unconfirmed request of the last hour", async () => {
  await using fixture = await accessFixture({ SIGN_IN_CLIENT_LIMIT: "30" });
  await statusOf(fixture.ask());
  const [token] = await fixture.tokens("/d/request");
  assertEquals(new Set(await askAsStrangers(fixture)), new Set([200]));
  fixture.clock.now += HOUR_MS - 1;
  assertEquals(new Set(await askAsStrangers(fixture, { count: 1 })), new Set([200]));
  assertEquals(await fixture.count("access_requests"), MAX_UNCONFIRMED + 2);
  assertEquals(await statusOf(fixture.fetch("/d/request", { form: { token } })), 200);
});

Deno.test("unconfirmed requests keep nobody out, and those above 100 are deleted after an hour", async () => {
  await using fixture = await accessFixture({ SIGN_IN_CLIENT_LIMIT: "30" });
  const { document, clock } = fixture;
  const early = { email: "early@mail.example.com" };
  const ask = async () => {
    await statusOf(fixture.ask(early));
    return (await fixture.tokens("/d/request", early.email))[0];
  };
  const confirm = (token: string) => statusOf(fixture.fetch("/d/request", { form: { token } }));
  const first = await ask();
  for (const id of [document, newDocumentId()]) {
    const statuses = await askAsStrangers(fixture, { count: MAX_UNCONFIRMED + 5, document: id });
    assertEquals(new Set(statuses), new Set([200]));
  }
  assertEquals(await fixture.count("access_requests"), MAX_UNCONFIRMED + 6);
  clock.now += HOUR_MS;
  // Each new request deletes some of the surplus, because a commit must not grow too large.
  await askAsStrangers(fixture, { count: 6, from: (n) => `203.0.113.${n}` });
  for (
    const prefix of ["access_requests", "access_requests_by_record", "access_requests_by_document"]
  ) assertEquals(await fixture.count(prefix), MAX_UNCONFIRMED, prefix);
  assertEquals(await fixture.count("access_links"), MAX_UNCONFIRMED);
  assertEquals(await fixture.count("access_unconfirmed"), 1);
  // As many strangers as requests: the oldest request was deleted. Its person asks again.
  assertEquals(await confirm(first), 404);
  assertEquals(await confirm(await ask()), 200);
  // A confirmed request stays, however many follow.
  for (let i = 0; i < 2; i++) {
    clock.now += DAY_MS;
    await askAsStrangers(fixture);
  }
  const [{ person }] = await fixture.site.services.access.list(fixture.owner.hash);
  assertEquals(person.email, early.email);
});

Deno.test("a few networks that send many unconfirmed requests displace only their own", async () => {
  // 256 networks of 64 bits in one of 48 bits are one, because one customer has them all.
  const within48 = (n: number) => `2001:db8:1:${n.toString(16)}::1`;
  for (
    const [networks, from] of [[40, undefined], [MAX_UNCONFIRMED + 20, within48]] as const
  ) {
    await using fixture = await accessFixture();
    await statusOf(fixture.ask());
    const [token] = await fixture.tokens("/d/request");
    await askAsStrangers(fixture, { count: MAX_UNCONFIRMED + 5, networks, from });
    fixture.clock.now += HOUR_MS;
    await askAsStrangers(fixture, { count: 6, networks, from });
    assertEquals(await fixture.count("access_requests"), MAX_UNCONFIRMED);
    assertEquals(await statusOf(fixture.fetch("/d/request", { form: { token } })), 200);
  }
});

Deno.test("the 11th request for a document from one /48 in a day is refused, whichever /64 sends it", async () => {
  await using fixture = await accessFixture({ SIGN_IN_CLIENT_LIMIT: "30" });
  const statuses = await askAsStrangers(fixture, {
    count: CLIENT_DOCUMENT_REQUESTS_PER_DAY + 1,
    from: (n) => `2001:db8:1:${n.toString(16)}::1`,
  });
  assertEquals(statuses.lastIndexOf(200), CLIENT_DOCUMENT_REQUESTS_PER_DAY - 1);
  assertEquals(statuses.at(-1), 429);
});

Deno.test("the 501st request for a document in an hour is refused, whether or not it exists, and earlier links work", async () => {
  await using fixture = await accessFixture();
  const { document, clock } = fixture;
  await statusOf(fixture.ask());
  const [token] = await fixture.tokens("/d/request");
  const unknown = newDocumentId();
  // Requests of other people, of which only the times matter here.
  const { kv } = fixture.site.services;
  const key = ["limits", "access_document"];
  const { value } = await kv.get<{ times: number[] }>([...key, document]);
  const times = Array.from({ length: MAX_SAFE - 1 }, () => clock.now);
  for (const id of [document, unknown]) {
    await kv.set([...key, id], { ...value, times }, { expireIn: HOUR_MS });
  }
  for (const id of [document, unknown]) {
    assertEquals(await askAsStrangers(fixture, { count: 1, document: id }), [200]);
    const refused = await fixture.ask({ email: "late@mail.example.com" }, { document: id });
    assertEquals([refused.status, refused.headers.get("retry-after")], [429, "3600"]);
    await refused.body?.cancel();
  }
  assertEquals(await fixture.count("access_requests"), 2);
  assertEquals(await statusOf(fixture.fetch("/d/request", { form: { token } })), 200);
  clock.now += HOUR_MS;
  assertEquals(await statusOf(fixture.ask({ email: "late@mail.example.com" })), 200);
});

Deno.test("50 requests for a document are confirmed in a day, and the 51st a day later with the same link", async () => {
  await using fixture = await accessFixture();
  const { document, fetch, clock } = fixture;
  const tokens: string[] = [];
  for (let i = 0; i <= DOCUMENT_REQUESTS_PER_DAY; i++) {
    const email = `reader${i}@mail.example.com`;
    await statusOf(fixture.ask({ email }));
    tokens.push((await fixture.tokens("/d/request", email))[0]);
  }
  const confirm = (token: string) => fetch("/d/request", { form: { token } });
  const last = tokens.pop()!;
  // At the same time, as from several processes: the limit is exact.
  const statuses = await Promise.all(tokens.map((token) => statusOf(confirm(token))));
  assertEquals(new Set(statuses), new Set([200]));
  const late = await confirm(last);
  assertEquals([late.status, late.headers.get("retry-after")], [429, "86400"]);
  assertStringIncludes(await late.text(), "again tomorrow");
  assertEquals((await fixture.site.services.access.list(fixture.owner.hash)).length, 50);

  // Another document is not affected.
  const other = unwrap(
    await fixture.site.services.documents.add(newDocument(fixture.owner.hash), bodyOf("Another.")),
  ).document.id;
  assert(other !== document);
  await statusOf(fixture.ask({}, { document: other }));
  const [token] = await fixture.tokens("/d/request");
  assertEquals(await statusOf(confirm(token)), 200);
  clock.now += DAY_MS;
  assertEquals(await statusOf(confirm(last)), 200);
});

Deno.test("one client cannot use up the requests for a document", async () => {
  await using fixture = await accessFixture({ SIGN_IN_CLIENT_LIMIT: "1000" });
  const { document } = unwrap(
    await fixture.site.services.documents.add(newDocument(fixture.owner.hash), bodyOf("Another.")),
  );
  const ask = (i: number, options: Parameters<typeof fixture.ask>[1]) =>
    statusOf(fixture.ask({ email: `person${i}@mail.example.com` }, options));
  const from = "198.51.100.20";
  for (let i = 0; i < 10; i++) assertEquals(await ask(i, { from }), 200);
  assertEquals(await ask(10, { from }), 429);
  assertEquals(await ask(11, { from, document: document.id }), 200);
  assertEquals(await ask(12, { from: "198.51.100.21" }), 200);
});

Deno.test("HEAD, previews and prefetches of the links change nothing", async () => {
  await using fixture = await accessFixture();
  await statusOf(fixture.ask());
  const [confirmation] = await fixture.tokens("/d/request");
  const visits = async (path: string) => {
    const ways: Parameters<AccessFixture["fetch"]>[1][] = [
      { method: "HEAD" },
      { headers: { "sec-purpose": "prefetch" } },
      { headers: { "user-agent": "Slackbot 1.0" } },
      {},
    ];
    for (const options of ways) {
      const response = await fixture.fetch(path, options);
      assertEquals([response.status, response.headers.get("set-cookie")], [200, null]);
      await response.body?.cancel();
    }
  };
  const before = await fixture.entries();
  await visits(`/d/request?token=${confirmation}`);
  assertEquals(await fixture.entries(), before);
  assertEquals(await statusOf(fixture.fetch("/d/request", { form: { token: confirmation } })), 200);
  const [{ id }] = await fixture.site.services.access.list(fixture.owner.hash);
  await statusOf(fixture.decide({ act: "approve", id }));
  await fixture.sendHeld();
  const [grant] = await fixture.tokens("/s");
  const approved = await fixture.entries();
  await visits(`/s?code=${grant}`);
  assertEquals(await statusOf(fixture.fetch("/s", { form: { code: grant } })), 200);
  assertEquals(await fixture.entries(), approved);
});

Deno.test("another browser gets a new link at the same address only, and the first one loses access", async () => {
  await using fixture = await accessFixture();
  const { token } = await fixture.approve();
  const first = await fixture.use(token);
  assert(await isOpen(fixture, first));

  // In the same browser, the link leads to the document.
  const form = { act: "open", code: token };
  const again = await fixture.fetch("/s", { form, cookie: first });
  assertEquals([again.status, again.headers.get("location")], [
    303,
    documentPath(fixture.document),
  ]);
  const replayed = await fixture.fetch("/s", { form });
  assertEquals([replayed.status, replayed.headers.get("set-cookie")], [410, null]);
  assertStringIncludes(await replayed.text(), "Email me a new link");

  const before = (await fixture.mails()).length;
  for (let i = 0; i < 5; i++) {
    const form = { code: token, act: "new_link", email: "eve@example.com" };
    assertEquals(await statusOf(fixture.fetch("/s", { form })), 200);
  }
  const mails = (await fixture.mails()).slice(0, -before);
  assertEquals(mails.map(({ to }) => to), Array(3).fill(STRANGER.email));

  const [renewed, older] = await fixture.tokens("/s");
  assertStringIncludes(
    await (await fixture.fetch("/s", { form: { act: "open", code: older } })).text(),
    "Email me a new link",
  );
  const second = await fixture.use(renewed);
  assert(await isOpen(fixture, second));
  assertFalse(await isOpen(fixture, first));
  assertFalse(await isOpen(fixture, `${second}; ${second}`)); // ambiguous
});

Deno.test("if 20 browsers use a link at the same time, one gets access", async () => {
  await using fixture = await accessFixture();
  const { token } = await fixture.approve();
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => fixture.fetch("/s", { form: { act: "open", code: token } })),
  );
  assertEquals(responses.filter(({ headers }) => headers.has("set-cookie")).length, 1);
  for (const { body } of responses) await body?.cancel();
});

for (
  const [how, end] of Object.entries<(fixture: AccessFixture, id: string) => unknown>({
    "loses access because the holder revokes it": ({ decide }, id) =>
      statusOf(decide({ act: "revoke", id })),
    "loses access because seven days have passed": ({ clock }) => clock.now += 7 * DAY_MS,
  })
) {
  Deno.test(`a download with a grant is complete, and cut off if its reader ${how}`, async () => {
    await using fixture = await accessFixture();
    const { documents } = fixture.site.services;
    const content = "x".repeat(2_000_000);
    const added = await documents.add(newDocument(fixture.owner.hash), bodyOf(content));
    const { document: { id } } = unwrap(added);
    await statusOf(fixture.ask({}, { document: id }));
    const [confirmation] = await fixture.tokens("/d/request");
    await statusOf(fixture.fetch("/d/request", { form: { token: confirmation } }));
    const [request] = await fixture.site.services.access.list(fixture.owner.hash);
    await statusOf(fixture.decide({ act: "approve", id: request.id }));
    await fixture.sendHeld();
    const cookie = await fixture.use((await fixture.tokens("/s"))[0]);
    const begin = async () => (await fixture.fetch(`/d/${id}/file`, { cookie })).body!;
    assertEquals((await new Response(await begin()).text()).length, content.length);

    const reader = (await begin()).getReader();
    assertFalse((await reader.read()).done);
    await end(fixture, request.id);
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await assertRejects(rest, Error, "The reader no longer has access.");
  });
}

Deno.test("access ends after 7 days, its links lead to the document, and a new request needs a new decision", async () => {
  await using fixture = await accessFixture();
  const { token } = await fixture.approve();
  const cookie = await fixture.use(token);
  fixture.clock.now += 7 * DAY_MS - 2 - HOLD_MS; // it was approved before the mail was sent and used
  assert(await isOpen(fixture, cookie));
  // A person who still has access gets another link, which expires at the same time.
  await statusOf(fixture.ask());
  const [newest] = await fixture.tokens("/s");
  assert(newest !== token);
  fixture.clock.now += 1;
  assertFalse(await isOpen(fixture, cookie));
  for (const each of [token, newest]) {
    for (const act of ["look", "open"]) {
      assertEquals(await statusOf(fixture.fetch("/s", { form: { act, code: each } })), 410);
    }
  }
  const mails = await fixture.mails();
  const before = mails.length;
  const { link } = mails.find(({ subject }) => subject.startsWith("Confirm your address"))!;
  const { pathname, search } = new URL(link!);
  for (
    const ended of [
      await fixture.fetch(pathname + search),
      await fixture.fetch("/s", { form: { code: token } }),
    ]
  ) assertStringIncludes(await ended.text(), `href="${documentPath(fixture.document)}"`);
  await statusOf(fixture.fetch("/s", { form: { code: token, act: "new_link" } }));
  assertEquals((await fixture.mails()).length, before);
  const [{ state }] = await fixture.site.services.access.list(fixture.owner.hash);
  assertEquals(state, "expired");
  await fixture.open();
  const states = (await fixture.site.services.access.list(fixture.owner.hash))
    .map((request) => request.state);
  assertEquals(states, ["open", "expired"]);
});

for (const who of ["the holder", "an administrator"]) {
  Deno.test(`${who} revokes access at once`, async () => {
    await using fixture = await accessFixture();
    const { id, token } = await fixture.approve();
    const cookie = await fixture.use(token);
    assert(await isOpen(fixture, cookie));
    const form = { act: "revoke", id };
    const revoked = who === "the holder"
      ? fixture.decide(form)
      : fixture.console("/console/alerts", { form });
    assertEquals(await statusOf(revoked), 303);
    assertFalse(await isOpen(fixture, cookie));
    assertEquals(await statusOf(fixture.fetch("/s", { form: { code: token } })), 410);
    const [{ what, browser }] = await logOf(fixture);
    assertEquals(what, "access_revoked");
    assertEquals(/administrator/i.test(browser), who === "an administrator");
  });
}

Deno.test("a refusal mails only that it was refused, and the reason if there is one", async () => {
  await using fixture = await accessFixture();
  for (const reason of ["", "We do not know you."]) {
    const id = await fixture.open();
    assertEquals(await statusOf(fixture.decide({ act: "refuse", id, reason })), 303);
    await fixture.sendHeld();
    const [mail] = await fixture.mails();
    assertEquals([mail.to, mail.link], [STRANGER.email, undefined]);
    assertStringIncludes(mail.text, "was refused.");
    assertEquals(mail.text.includes("Reason:"), reason !== "");
    assertFalse(/Certificate|admin@|Ada/.test(mail.text));
    fixture.clock.now += HOUR_MS;
  }
});

Deno.test("only the holder of the record and its organisation see a request and decide on it", async () => {
  await using fixture = await accessFixture();
  const id = await fixture.open();
  const other = await fixture.holder({ ...PERSON, email: "other@example.org" });
  const form = { act: "approve", id };
  assertEquals(await statusOf(fixture.decide(form, other.cookie)), 404);
  assertEquals(await statusOf(fixture.decide(form, "")), 303); // to the sign-in page
  assertEquals(
    await statusOf(fixture.console("/console/alerts", { form, on: "foundation-console" })),
    404,
  );
  const board = { form, as: "board@example.org" };
  assertEquals(await statusOf(fixture.console("/console/alerts", board)), 403);
  const [{ state }] = await fixture.site.services.access.list(fixture.owner.hash);
  assertEquals(state, "open");

  assertEquals(await fixture.site.services.access.readOf("foundation", id), null);
  const own = await (await fixture.console("/console/alerts")).text();
  for (
    const text of [
      STRANGER.name,
      STRANGER.email,
      `/documents/${fixture.document}">Certificate of Ada</a>`,
      ">1<span",
    ]
  ) {
    assertStringIncludes(own, text);
  }
  const theirs = await fixture.console("/console/alerts", { on: "foundation-console" });
  assertFalse((await theirs.text()).includes(STRANGER.name));
  for (const to of [other.cookie, ""]) {
    const page = await fixture.fetch("/my-record/requests", { cookie: to });
    assertFalse((await page.text()).includes(STRANGER.name));
  }

  assertEquals(await statusOf(fixture.console("/console/alerts", { form: { act: "read" } })), 303);
  const { alerts } = fixture.site.services;
  assertEquals((await alerts.overview("commercial")).unread, 0);
  const { alerts: [read] } = await alerts.list("commercial");
  assertEquals([read.state, read.by], ["read", "admin@example.org"]);
  assertEquals(await statusOf(fixture.console("/console/alerts", { form })), 303);
  const { alerts: [done] } = await alerts.list("commercial");
  assertEquals(done.state, "done");
});

Deno.test("an unconfirmed request expires after 7 days and an undecided one after 30", async () => {
  await using fixture = await accessFixture();
  await statusOf(fixture.ask());
  const [token] = await fixture.tokens("/d/request");
  fixture.clock.now += 7 * DAY_MS;
  assertEquals(await statusOf(fixture.fetch("/d/request", { form: { token } })), 404);

  const id = await fixture.open();
  fixture.clock.now += 30 * DAY_MS;
  const late = await fixture.decide(
    { act: "approve", id },
    await fixture.signIn([fixture.owner.hash]),
  );
  assertEquals(late.status, 409);
  assertStringIncludes(await late.text(), "has expired");
  assertEquals((await fixture.tokens("/s")).length, 0);
});

Deno.test("the personal data of a request is stored only in its row", async () => {
  await using fixture = await accessFixture();
  const { id, token } = await fixture.approve();
  await fixture.use(token);
  for (const { key, text } of await fixture.entries()) {
    const found = /Sibylla|mail\.example\.com|vestibule/i.test(key + text);
    assertEquals(found, key === JSON.stringify(["access_requests", id]), key);
    assertFalse((key + text).includes(token), key);
  }
});

Deno.test("requests and grants move with a correction, and are deleted with the record", async () => {
  await using fixture = await accessFixture();
  const { owner, site: { services } } = fixture;
  const { token } = await fixture.approve();
  const cookie = await fixture.use(token);
  await statusOf(fixture.ask({ email: "third@example.com" })); // unconfirmed
  const form = {
    name: "Ada Corrected",
    email: PERSON.email,
    mobile_country: "AU",
    mobile_number: "0412 345 678",
    enquiry_type: "Other",
  };
  const session = await fixture.signIn([owner.hash]);
  assertEquals(await statusOf(fixture.fetch("/my-record/correct", { cookie: session, form })), 303);
  const to = (await services.records.read(owner.hash))!.row.replaced_by!;
  assertEquals(await services.access.list(owner.hash), []);
  assertEquals((await services.access.list(to)).map(({ state }) => state), ["approved"]);
  assert(await isOpen(fixture, cookie));

  await fixture.mails();
  await services.records.deletion.deleteRecord(to);
  for (const { key, text } of await fixture.entries()) {
    assertFalse(/^\["(access_(?!limits)|alerts|outbox)/.test(key), key);
    assertFalse(/Sibylla|third@/i.test(key + text), key);
  }
  assertFalse(await isOpen(fixture, cookie));
});

Deno.test("a new link that a reader asks for during a correction belongs to the corrected record", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await accessFixture({}, { kv });
  const { owner: { hash: from }, clock, site: { services } } = fixture;
  const { token } = await fixture.approve();
  const cookie = await fixture.use(token);
  const to = await fixture.register({ ...PERSON, email: "corrected@example.org" });
  const data = [accessData(services), shareData(services)];
  kv.meanwhile("access_requests", async () => {
    // The move of the links may be finished before that of the requests.
    await shareData(services).move?.(from, to);
    await services.access.renewLink(token);
  });
  await Promise.all(data.map((each) => each.move?.(from, to)));
  await services.mailer.flush();
  const [renewed] = await fixture.tokens("/s");
  assertNotEquals(renewed, token);
  assertEquals(await listLinks(kv, from, clock.now), []);
  assertEquals((await listLinks(kv, to, clock.now)).length, 2);
  assert(await isOpen(fixture, await fixture.use(renewed, cookie)));
});

Deno.test("a request that is sent while its record is corrected belongs to the corrected record", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await accessFixture({}, { kv });
  const { owner, site: { services } } = fixture;
  const form = {
    name: "Ada Corrected",
    email: PERSON.email,
    mobile_country: "AU",
    mobile_number: "0412 345 678",
    enquiry_type: "Other",
  };
  const cookie = await fixture.signIn([owner.hash]);
  kv.meanwhile(
    "access_unconfirmed",
    () => statusOf(fixture.fetch("/my-record/correct", { cookie, form })),
  );
  await statusOf(fixture.ask());
  const [token] = await fixture.tokens("/d/request");
  assertEquals(await statusOf(fixture.fetch("/d/request", { form: { token } })), 200);
  const to = (await services.records.read(owner.hash))!.row.replaced_by!;
  assertEquals((await services.access.list(to)).map(({ state }) => state), ["open"]);
});

Deno.test("readings that have ended push no access out of a browser", async () => {
  await using fixture = await accessFixture();
  const { document, site: { services: { secrets } }, clock } = fixture;
  const [name, grant] = (await fixture.use((await fixture.approve()).token)).split("=");
  let cookie = `${name}=${grant}`;
  for (let i = 0; i < 12; i++) {
    const request = new Request("https://trust.example/s", { headers: { cookie } });
    const reading = { document: newDocumentId(), share: sha256(`${i}`), end: clock.now + HOUR_MS };
    cookie = (await readingCookie(secrets, request, reading, clock.now)).split(";")[0];
    clock.now += HOUR_MS;
  }
  assert(cookie.endsWith(grant), document);
  assert(await isOpen(fixture, cookie));
});

Deno.test("undoing a correction revokes all access that was approved within seven days", async () => {
  await using fixture = await accessFixture();
  const { owner, site: { services }, clock } = fixture;
  const before = await fixture.approve({ email: "friend@mail.example.com" });
  const friend = await fixture.use(before.token);
  const thief = await fixture.open();
  const unread = await fixture.open({ email: "accomplice@mail.example.com" });
  clock.now += 1;
  const form = {
    name: "Ada Corrected",
    email: PERSON.email,
    mobile_country: "AU",
    mobile_number: "0412 345 678",
    enquiry_type: "Other",
  };
  const session = await fixture.signIn([owner.hash]);
  await statusOf(fixture.fetch("/my-record/correct", { cookie: session, form }));
  const to = (await services.records.read(owner.hash))!.row.replaced_by!;
  const holder = await fixture.signIn([to]);
  for (const id of [thief, unread]) {
    assertEquals(await statusOf(fixture.decide({ act: "approve", id }, holder)), 303);
  }
  await fixture.sendHeld();
  const cookie = await fixture.use((await fixture.tokens("/s"))[0]);
  assert(await isOpen(fixture, cookie));

  const notice = (await fixture.mails()).find(({ subject }) => subject.includes("correction"))!;
  const token = new URL(notice.link!).searchParams.get("token")!;
  await statusOf(fixture.fetch("/my-record/undo", { form: { token } }));
  assertEquals((await services.records.read(owner.hash))!.row.replaced_by, null);
  assertFalse(await isOpen(fixture, cookie));
  assertFalse(await isOpen(fixture, friend), "somebody else may have approved it");
  const states = (await services.access.list(owner.hash)).map(({ id, state }) => [id, state]);
  assertEquals(Object.fromEntries(states), {
    [before.id]: "revoked",
    [thief]: "revoked",
    [unread]: "revoked",
  });
  const [link] = await fixture.tokens("/s", "accomplice@mail.example.com");
  assertEquals(await statusOf(fixture.fetch("/s", { form: { act: "open", code: link } })), 410);
});

Deno.test("of a link that is opened while it is revoked or renewed, nothing is left open but the newest reading", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await accessFixture({}, { kv });
  const { access } = fixture.site.services;
  const open = (code: string) => fixture.fetch("/s", { form: { act: "open", code } });
  const cookieOf = ({ headers }: Response) => headers.get("set-cookie")?.split(";")[0];

  const { id, token } = await fixture.approve();
  kv.meanwhile("document_shares", () => statusOf(fixture.decide({ act: "revoke", id })));
  assertEquals(await statusOf(open(token)), 410);

  const email = "second@example.com";
  const { id: second, token: before } = await fixture.approve({ email });
  let first: Response | undefined;
  kv.meanwhile("document_shares", async () => first = await open(before));
  await access.renewLink(before);
  assert(await isOpen(fixture, cookieOf(first!)));

  kv.meanwhile("document_shares", () => access.renewLink(before));
  await access.renewLink(before);
  await fixture.site.services.mailer.flush();
  const links = (await fixture.tokens("/s", email)).filter((link) => link !== before);
  const opened = [];
  for (const link of links) opened.push(cookieOf(await open(link)));
  assertEquals([links.length, opened.filter((cookie) => cookie !== undefined).length], [3, 1]);
  assert(await isOpen(fixture, opened.find((cookie) => cookie !== undefined)));
  assertFalse(await isOpen(fixture, cookieOf(first!)));
  await statusOf(fixture.decide({ act: "revoke", id: second }));
  for (const cookie of [first, ...opened]) {
    assertFalse(await isOpen(fixture, cookie instanceof Response ? cookieOf(cookie) : cookie));
  }
});

Deno.test("revoking closes a browser that has opened the document, even if newer links were mailed and not opened", async () => {
  await using fixture = await accessFixture();
  const { access } = fixture.site.services;
  const { id, token } = await fixture.approve();
  const cookie = await fixture.use(token);
  for (let i = 0; i < 2; i++) await access.renewLink(token);
  assert(await isOpen(fixture, cookie));
  await statusOf(fixture.decide({ act: "revoke", id }));
  assertFalse(await isOpen(fixture, cookie));
  await access.renewLink(token); // somebody has pressed the button just before
  const links = await fixture.tokens("/s");
  assertEquals(links.length, 3);
  for (const code of links) {
    assertEquals(await statusOf(fixture.fetch("/s", { form: { act: "open", code } })), 410);
  }
});

Deno.test("the holder's shared links neither list nor end the link of an approved request", async () => {
  await using fixture = await accessFixture();
  const { owner: { hash: record, cookie: holder }, document, site: { services } } = fixture;
  const { token } = await fixture.approve();
  const cookie = await fixture.use(token);
  const hash = sha256(token);
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  assertEquals(await services.shares.list(record), []);
  const ended = await services.shares.end({ record, hash, reader });
  assertEquals(ended.ok || ended.error, "not_found");
  const page = await fixture.fetch(`/my-record/share?document=${document}`, { cookie: holder });
  assertFalse((await page.text()).includes(hash.slice(0, 4)));
  assert(await isOpen(fixture, cookie));
});

Deno.test("the recovery of a record by an administrator revokes all access that was approved", async () => {
  await using fixture = await accessFixture();
  const { owner: { hash }, site: { services } } = fixture;
  const cookie = await fixture.use((await fixture.approve()).token);
  assert(await isOpen(fixture, cookie));
  await accessData(services).endAccess!(hash);
  assertFalse(await isOpen(fixture, cookie));
  assertEquals((await services.access.list(hash))[0].state, "revoked");
});

Deno.test("a browser keeps its grants for several documents", async () => {
  await using fixture = await accessFixture();
  const first = await fixture.use((await fixture.approve()).token);
  const { documents, access } = fixture.site.services;
  const added = await documents.add(newDocument(fixture.owner.hash), bodyOf("Another."));
  const { document: { id } } = unwrap(added);
  fixture.clock.now += 1;
  await statusOf(fixture.ask({}, { document: id }));
  const [confirmation] = await fixture.tokens("/d/request");
  await statusOf(fixture.fetch("/d/request", { form: { token: confirmation } }));
  const [request] = await access.list(fixture.owner.hash);
  await statusOf(fixture.decide({ act: "approve", id: request.id }));
  await fixture.sendHeld();
  const [token] = await fixture.tokens("/s");
  const both = await fixture.use(token, first);
  assert(await isOpen(fixture, both));
  const other = await fixture.fetch(`/d/${id}/file`, { cookie: both });
  assertEquals(await other.text(), "Another.");
  assertEquals(await statusOf(fixture.fetch(`/d/${id}/file`, { cookie: first })), 303);
});

Deno.test("a record that waits for its deletion gets no grants or requests, and a deleted one no decisions", async () => {
  await using fixture = await accessFixture();
  const { owner, site: { services } } = fixture;
  const cookie = await fixture.use((await fixture.approve()).token);
  const id = await fixture.open({ email: "second@example.com" });
  const digits = owner.hash.slice(-4);
  const closed = await fixture.fetch("/my-record/delete", {
    cookie: owner.cookie,
    form: { digits },
  });
  assertEquals(await statusOf(closed), 200);
  assertEquals(await statusOf(fixture.ask({ email: "late@example.com" })), 200);
  assertEquals(await fixture.tokens("/d/request", "late@example.com"), []);
  assertFalse(await isOpen(fixture, cookie));
  const session = await fixture.signIn([owner.hash]);
  assertEquals(await statusOf(fixture.decide({ act: "approve", id }, session)), 303);
  assertEquals((await services.access.list(owner.hash))[0].state, "open");

  const form = { act: "approve", id, reason: "" };
  assertEquals(await statusOf(fixture.console("/console/alerts", { form })), 409);

  await services.records.deletion.deleteRecord(owner.hash);
  assertEquals(await statusOf(fixture.console("/console/alerts", { form })), 404);
  assertEquals(await fixture.tokens("/s", "second@example.com"), []);
});

Deno.test("a withdrawal that was interrupted mails a reader whom a correction has moved before the withdrawal", async () => {
  await using fixture = await accessFixture();
  const { document, owner: { hash: record }, site: { services } } = fixture;
  const by = "admin@example.org";
  const to = await fixture.register({ ...PERSON, email: "corrected@example.org" });
  await fixture.approve();
  unwrap(await services.documents.withdraw(document, "Wrong", by));
  const count = async () =>
    (await fixture.mails()).filter(({ subject }) => subject.startsWith("A document was withdrawn"))
      .length;
  assertEquals(await count(), 1);
  const commit = services.kv.atomic(); // as before the first request has ended
  withdrawals.set(commit, { document, version: 1, record, by, last: null });
  await commit.commit();
  await accessData(services).move!(record, to);
  assertEquals((await services.jobs.run("withdrawals"))?.detail, "1 finished");
  assertEquals(await count(), 2);
});

Deno.test("a withdrawal that is stored while an earlier one of its document is being finished is finished itself", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await accessFixture({}, { kv });
  const { document, owner: { hash: record }, site: { services } } = fixture;
  const store = async (version: number) => {
    const commit = kv.atomic();
    withdrawals.set(commit, { document, version, record, by: "admin@example.org", last: null });
    await commit.commit();
  };
  const finish = async () => (await services.jobs.run("withdrawals"))?.detail;
  await store(1);
  kv.meanwhile("document_withdrawals", () => store(2));
  assertEquals(await finish(), "1 finished");
  assertEquals((await withdrawals.get(kv, document)).value?.version, 2);
  assertEquals([await finish(), await finish()], ["1 finished", "0 finished"]);
});

Deno.test("the withdrawal of a document closes its requests and their alerts, and nobody can ask or approve", async () => {
  await using fixture = await accessFixture();
  const { document, owner, site: { services: { access, alerts, documents } } } = fixture;
  const id = await fixture.open();
  const alert = await (await fixture.console("/console/alerts")).text();
  assertMatch(alert, new RegExp(`/console/records/${owner.hash}"[^>]*>${PERSON.name} <code>`));
  const dashboard = await (await fixture.console("/console")).text();
  assertStringIncludes(dashboard, `Certificate of Ada, ${PERSON.name}, `);
  const page = await fixture.console(`/console/records/${owner.hash}/documents/${document}`);
  const shown = await page.text();
  assertStringIncludes(shown, `${PERSON.name}, record`);
  assertMatch(shown, /<dt>Issuer<\/dt><dd>Attest Systems<\/dd>/);
  await statusOf(fixture.ask({ email: "later@mail.example.com" }));
  const [late] = await fixture.tokens("/d/request", "later@mail.example.com");
  const by = "admin@example.org";
  unwrap(await documents.withdraw(document, "Wrong", by));
  const { unread, kinds } = await alerts.overview("commercial");
  assertEquals([unread, kinds], [0, {}]);

  const record = await (await fixture.fetch("/my-record", { cookie: owner.cookie })).text();
  assertStringIncludes(record, "Document withdrawn");
  for (const text of ["waiting for your", "Waiting for a decision", "Approve for"]) {
    assertFalse(record.includes(text), text);
  }
  const list = await (await fixture.console("/console/alerts?state=done")).text();
  assertStringIncludes(list, "Document withdrawn");
  for (const act of ["approve", "refuse"]) {
    const form = { act, id, reason: "" };
    const decided = await fixture.console("/console/alerts", { form });
    assertEquals(decided.status, 409);
    assertStringIncludes(await decided.text(), "The document was withdrawn, which closed");
    assertEquals(await statusOf(fixture.decide(form)), 409);
  }
  assertEquals(await statusOf(fixture.fetch("/d/request", { form: { token: late } })), 404);
  await statusOf(fixture.ask({ email: "new@mail.example.com" }));
  assertEquals(await fixture.tokens("/d/request", "new@mail.example.com"), []);
  assertEquals((await alerts.overview("commercial")).unread, 0);

  const version = { file_name: "again.txt", by };
  unwrap(await documents.addVersion(document, version, bodyOf("Corrected.")));
  assertEquals((await access.list(owner.hash)).map(({ state }) => state), ["open"]);
});

Deno.test("a request for an expired document can be refused but not approved, and waits again once its date is changed", async () => {
  await using fixture = await accessFixture();
  const { document, owner, site: { services: { access, documents } } } = fixture;
  const id = await fixture.open();
  const by = "admin@example.org";
  const expire = (at: number) =>
    documents.edit(document, { expires_at: new Date(at).toISOString() }, by);
  await expire(fixture.clock.now);
  const states = async () =>
    (await access.list(owner.hash)).map(({ state, actions }) => [state, ...actions]);
  assertEquals(await states(), [["document_expired", "refuse"]]);
  const page = await (await fixture.fetch("/my-record", { cookie: owner.cookie })).text();
  for (const text of ["waits", "Approve for"]) assertFalse(page.includes(text), text);
  assertStringIncludes(page, `Refuse for ${STRANGER.name}`);
  assertEquals(await statusOf(fixture.decide({ act: "approve", id })), 409);
  await expire(fixture.clock.now + DAY_MS);
  assertEquals(await states(), [["open", "approve", "refuse"]]);
  await expire(fixture.clock.now);
  assertEquals(await statusOf(fixture.decide({ act: "refuse", id })), 303);
});

Deno.test("a reader whose document was withdrawn or has expired learns why the access ended, and strangers see no more than before", async () => {
  await using fixture = await accessFixture();
  const { document, site: { services: { documents } } } = fixture;
  const { token } = await fixture.approve();
  const cookie = await fixture.use(token);
  const read = async (path: string, cookie?: string) =>
    (await (await fixture.fetch(path, { cookie })).text()).replaceAll(/<[^>]*>|\s+/g, " ")
      .replaceAll(/ +/g, " ");
  const ended = "Your access has ended, because the document";
  assertFalse((await read(`/d/${document}`, cookie)).includes(ended));
  const by = "admin@example.org";
  await documents.edit(document, { expires_at: new Date(fixture.clock.now).toISOString() }, by);
  assertStringIncludes(await read(`/d/${document}`, cookie), `${ended} has expired`);
  const look = async () => await (await fixture.fetch("/s", { form: { code: token } })).text();
  assertStringIncludes(await look(), "The document has expired");
  const shown = await read("/my-record", fixture.owner.cookie);
  assertStringIncludes(shown, "Document expired");
  assertStringIncludes(shown, ": the document expired");
  assertFalse(shown.includes("Access until"), "the access looks valid");
  fixture.clock.now += 11 * MINUTE_MS;
  const before = (await fixture.mails()).length;
  await statusOf(fixture.fetch("/s", { form: { code: token, act: "new_link" } }));
  for (const email of [STRANGER.email, "new@mail.example.com"]) {
    await statusOf(fixture.ask({ email }));
  }
  await fixture.site.services.mailer.drain();
  assertEquals((await fixture.mails()).length, before, "a link was emailed that opens nothing");
  await documents.withdraw(document, "A secret reason", by);
  const page = await read(`/d/${document}`, cookie);
  assertStringIncludes(page, `${ended} was withdrawn`);
  assertFalse(page.includes("A secret reason"));
  const link = await look();
  assertStringIncludes(link, "The document was withdrawn");
  assertFalse(link.includes("A secret reason"));
  assertFalse((await read(`/d/${document}`)).includes(ended));
  const mails = (await fixture.mails()).filter(({ subject }) => subject.includes("was withdrawn"));
  assertEquals(mails.map(({ to }) => to), [STRANGER.email]);
  assertFalse(/secret reason|Certificate/.test(mails[0].text));
  const record = await read("/my-record", fixture.owner.cookie);
  assertStringIncludes(record, ": the document was withdrawn");
  assertFalse(record.includes("Access until"));
  // A link that names no document leads to where its number can be typed.
  const dead = await fixture.fetch("/d/request?token=unknown");
  assertStringIncludes(await dead.text(), '<a class="button primary" href="/d" ');
});
