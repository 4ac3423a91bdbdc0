import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { contacts, enquirySchema, registerPerson } from "../lib/features/contact/mod.ts";
import { enquiries } from "../lib/features/inbox/store.ts";
import { recordRows } from "../lib/features/records/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { PERSON } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";
import type { SiteOverrides } from "./site.ts";

const PATH = "/console/inbox";
const ADA = "admin@example.org";
const BEN = "ben@example.org";
const BOARD = "board@example.org";
const TEAM = { OPS_L1_EMAILS: `${ADA},${BEN}`, OPS_L2_EMAILS: BOARD };

async function inboxFixture(env: Record<string, string> = {}, overrides: SiteOverrides = {}) {
  const fixture = await recordFixture({ ...TEAM, ...env }, overrides);
  const { auth, surfaces, inbox } = fixture.site.services;
  fixture.clock.now = Date.parse("2026-03-10T09:00:00.000Z");

  /** Sends a request to a console, by default as an administrator of the commercial one. */
  async function console(
    path: string,
    { as = ADA, form, on = "commercial-console" }: {
      as?: string;
      form?: Record<string, string>;
      on?: SurfaceName;
    } = {},
  ) {
    const { token } = await auth.issueLink({ email: as, surface: on });
    const { sessionId } = (await auth.verify(token, on))!;
    const origin = new URL(surfaces.url(on)!).origin;
    const response = await fixture.site.request(on, path, {
      method: form === undefined ? "GET" : "POST",
      headers: {
        cookie: `app_session=${sessionId}`,
        accept: "text/html",
        ...form === undefined ? {} : { origin },
      },
      body: form && new URLSearchParams(form),
    });
    const html = await response.text();
    const words = html.replaceAll(/<(script|style)[^]*?<\/\1>/g, "").replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ");
    return { status: response.status, location: response.headers.get("location"), html, words };
  }

  const read = async (hash: string) => (await inbox.read("commercial", hash))!;
  /** Lets the seconds pass in which replies can be taken back, and sends them. */
  const send = async () => {
    fixture.clock.now += 10_000;
    await fixture.site.services.mailer.drain();
  };
  return {
    ...fixture,
    console,
    read,
    /** Sends a form of an enquiry's page with the page's revision, unless another one is given. */
    async act(hash: string, fields: Record<string, string>, as = ADA) {
      const revision = String((await read(hash)).row.revision);
      const form = { revision, key: crypto.randomUUID(), ...fields };
      const below = fields.act === undefined ? "/reply" : "";
      return await console(`${PATH}/${hash}${below}`, { as, form });
    },
    state: async (hash: string) => (await read(hash)).row.state,
    audit: async () => {
      const { entries } = await fixture.site.services.audit.list("commercial", {});
      return entries.map(({ action }) => action).filter((action) => action !== "sign_in").sort();
    },
    send,
    replies: async () => {
      await send();
      return (await fixture.mails()).filter(({ subject }) => subject.startsWith("Your enquiry to"));
    },
    confirm: (hash: string) => confirmAddress(fixture.site.services.kv, hash, fixture.clock.now),
  };
}

/** Confirms the address of a record, without its mailed link. */
async function confirmAddress(kv: Deno.Kv, hash: string, now: number) {
  const { key, value } = await contacts.get(kv, hash);
  await kv.set(key, { ...value!, confirmed_at: new Date(now).toISOString() });
}

const hashesOf = (html: string) =>
  [...html.matchAll(/href="\/console\/inbox\/([\da-f]{64})[^"]*"[^>]*data-inbox-link/g)]
    .map(([, hash]) => hash);

const FORMS: Record<string, RegExp> = {
  reply: /<form[^>]* action="([^"]*)"[^>]* data-reply[^>]*>([^]*?)<\/form>/,
  note: /<details[^>]* data-note[^>]*>[^]*?<form[^>]* action="([^"]*)"[^>]*>([^]*?)<\/form>/,
};

/** Returns where the form of a reply or note leads, and what is in it; undefined for other forms. */
function formOf(html: string, act = "reply") {
  const [, action, fields] = FORMS[act]?.exec(html) ?? [];
  return fields === undefined ? undefined : {
    action,
    text: /<textarea[^>]*>([^<]*)</.exec(fields)![1],
    key: /name="key" value="([^"]*)"/.exec(fields)![1],
  };
}

Deno.test("a new enquiry is open once somebody takes it, is closed, and is open again", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register();
  assertEquals(await fixture.state(hash), "new");
  await fixture.act(hash, { act: "assign", owner: ADA });
  assertEquals(await fixture.state(hash), "open");
  const closed = await fixture.act(hash, { act: "close" });
  assertEquals([closed.status, await fixture.state(hash)], [303, "closed"]);
  const result = await fixture.console(closed.location!);
  assertStringIncludes(result.words, "The enquiry of Ada Example is closed");
  await fixture.act(hash, { act: "reopen" });
  assertEquals(await fixture.state(hash), "open");
  await fixture.act(hash, { act: "assign", owner: "" });
  assertEquals((await fixture.read(hash)).owner, null);
  assertEquals(await fixture.audit(), [
    "enquiry_closed",
    "enquiry_released",
    "enquiry_reopened",
    "enquiry_taken",
  ]);
  const { words } = await fixture.console(`${PATH}/${hash}`);
  for (const line of ["You took it", "You closed it", "You opened it again"]) {
    assertStringIncludes(words, line);
  }
});

Deno.test("somebody who has only accepted a document is in no list of the inbox, and has no enquiry", async () => {
  await using fixture = await inboxFixture();
  const { contactIndex: index, ...services } = fixture.site.services;
  const person = enquirySchema.parse({ name: "Grace Student", email: "grace@example.org" });
  const { hash } = (await registerPerson(
    { ...services, index },
    { enquiry: person, organisation: "commercial" },
    () => Promise.resolve(),
  ))!;
  for (const list of ["?state=closed", "?state=all"]) {
    assertFalse((await fixture.console(`${PATH}${list}`)).html.includes(hash), list);
  }
  const found = await fixture.console(PATH, { form: { text: "Grace", state: "all" } });
  assertFalse(found.html.includes(hash));
  assertEquals((await fixture.console(`${PATH}/${hash}`)).status, 404);
  const record = await fixture.console(`/console/records/${hash}`);
  assertStringIncludes(record.words, "No enquiry belongs to this record.");
});

Deno.test("each list has the enquiries in its state, and counts those that are not closed", async () => {
  await using fixture = await inboxFixture();
  const hashes: string[] = [];
  for (let i = 0; i < 4; i++) {
    hashes.push(await fixture.register({ ...PERSON, email: `p${i}@mail.example.org` }));
    fixture.clock.now += MINUTE_MS;
  }
  const [first, second, third, fourth] = hashes;
  await fixture.act(second, { act: "note", text: "Call back" });
  await fixture.act(third, { text: "Hello", name: "Ada" });
  await fixture.act(fourth, { act: "close" });
  const list = async (query: string) => hashesOf((await fixture.console(`${PATH}${query}`)).html);
  assertEquals(await list(""), [second, first]);
  assertEquals(await list("?sort=oldest"), [first, second]);
  assertEquals(await list("?state=new"), [first]);
  assertEquals(await list("?state=open"), [second]);
  assertEquals(await list("?state=answered"), [third]);
  assertEquals(await list("?state=closed"), [fourth]);
  assertEquals(await list("?state=all"), hashes.toReversed());
  // A list that a tab shows does not unfold the filters, which would push it down; a filter does.
  const isUnfolded = async (query: string) =>
    /<details[^>]*class="filter-toggle"[^>]* open/.test((await fixture.console(PATH + query)).html);
  assertEquals(
    [await isUnfolded("?state=all&owner=mine"), await isUnfolded("?type=investor")],
    [false, true],
  );
  assertEquals(await list("?state=all&owner=mine"), [third]);
  assertEquals(await list("?owner=none"), [second, first]);
  const { words } = await fixture.console(PATH);
  assertStringIncludes(words, "Waiting 2 New 1 Open 1 Answered 1 Closed All Mine");
});

Deno.test("a search finds words of a name and an organisation in all states, and the URL has none of them", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register();
  await fixture.register({ ...PERSON, name: "Bob" });
  await fixture.act(hash, { act: "close" });
  const search = (state: string) =>
    fixture.console(PATH, { form: { text: "zephyrine ada", state } });
  assertStringIncludes((await search("waiting")).words, "Nothing found");
  const { status, html } = await search("all");
  assertEquals([status, hashesOf(html)], [200, [hash]]);
});

Deno.test("only full administrators of the organisation see an enquiry", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register();
  for (const path of [PATH, `${PATH}/${hash}`]) {
    assertEquals((await fixture.console(path, { as: BOARD })).status, 403);
  }
  const form = { act: "close", revision: "0" };
  assertEquals((await fixture.console(`${PATH}/${hash}`, { as: BOARD, form })).status, 403);
  const on = "foundation-console" as const;
  assertEquals((await fixture.console(`${PATH}/${hash}`, { on })).status, 404);
  assertEquals((await fixture.console(`${PATH}/${hash}`, { on, form })).status, 404);
  assertEquals(hashesOf((await fixture.console(`${PATH}?state=all`, { on })).html), []);
  assertEquals((await fixture.console(`${PATH}/x`)).status, 404);
  assertFalse((await fixture.console("/console", { as: BOARD })).words.includes("Inbox"));
  assertEquals(await fixture.state(hash), "new");
});

Deno.test("a form is refused after somebody else did something, unless it asks for what is so", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register();
  const revision = "0";
  await fixture.act(hash, { act: "assign", owner: BEN }, BEN);
  const late = await fixture.act(hash, { act: "close", revision });
  assertEquals(late.status, 409);
  assertStringIncludes(late.words, "Somebody did something else with this enquiry");
  assertStringIncludes(late.words, "ben@example.org took it");
  assertEquals((await fixture.act(hash, { act: "assign", owner: BEN, revision })).status, 303);
  assertEquals((await fixture.act(hash, { act: "note", text: "Mine", revision })).status, 303);
  const wrong = await fixture.act(hash, { act: "assign", owner: BOARD });
  assertEquals([wrong.status, (await fixture.read(hash)).owner], [400, BEN]);
});

Deno.test("a reply is mailed in the operator's name, with the mailbox of the organisation for replies", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register();
  const sent = await fixture.act(hash, { text: "Hello,\n\n  <b>yes</b>.", name: "Ada Lovelace" });
  assertEquals(sent.status, 303);
  const [mail, ...others] = await fixture.replies();
  assertEquals(others, []);
  assertEquals(mail.from, `"Ada Lovelace (Attest Systems)" <no-reply@commercial.localhost>`);
  assertEquals(mail.to, "ada.q@mail.example.org");
  assertEquals(mail.replyTo, "contact@commercial.example");
  assertStringIncludes(mail.text, "Hello,\n\n  <b>yes</b>.");
  assertFalse(mail.html.includes("<b>yes"));
  for (const body of [mail.text, mail.html]) {
    assertFalse(body.includes("xylographic"), "the address is not confirmed");
  }
  const { words } = await fixture.console(sent.location!);
  assertStringIncludes(words, "The reply is written. The email is on its way to ada.q@mail");
  assertStringIncludes(words, "Sent As Ada Lovelace, without quoting the enquiry.");
  assertEquals([await fixture.state(hash), (await fixture.read(hash)).owner], ["answered", ADA]);
  const next = await fixture.console(`${PATH}/${hash}`);
  assertMatch(next.html, /<summary>You reply as Ada Lovelace<\/summary>/);
  assertStringIncludes(next.html, 'value="Ada Lovelace"');
  const other = await fixture.console(`${PATH}/${hash}`, { as: BEN });
  assertMatch(other.html, /<input[^>]* name="name"[^>]* value type/);
  assertFalse(other.html.includes("You reply as"));
});

Deno.test("a reply is taken back for ten seconds by its author, and its text is in the form again", async () => {
  await using fixture = await inboxFixture();
  const { hash, cookie } = await fixture.holder();
  await fixture.act(hash, { act: "assign", owner: BEN });
  const key = crypto.randomUUID();
  const own = async () => await (await fixture.fetch("/my-record", { cookie })).text();
  const sent = await fixture.act(hash, { text: "Dear Ada", name: "Ada L.", key });
  const { words, html } = await fixture.console(sent.location!);
  assertMatch(words, /The reply is written ?\. It is sent to \S+ in 10 seconds\./);
  assertStringIncludes(html, `name="key" value="${key}"`);
  assertFalse((await own()).includes("Dear Ada"), "it is not sent yet");
  const record = await fixture.console(`/console/records/${hash}`);
  assertMatch(record.words, /Answered Read it in the inbox/);

  assertEquals((await fixture.act(hash, { act: "unsend", key }, BEN)).status, 404);
  fixture.clock.now += 9_000;
  const undone = await fixture.act(hash, { act: "unsend", key });
  assertEquals(undone.status, 303);
  assertEquals((await fixture.act(hash, { act: "unsend", key })).status, 303);
  const stale = await fixture.act(hash, { text: "Dear Ada", name: "Ada L.", key });
  assertEquals(stale.status, 409, "an old form does not seem to send it");
  const { row: { state, owner } } = await fixture.read(hash);
  assertEquals([state, owner], ["open", BEN]);
  const page = await fixture.console(undone.location!);
  assertStringIncludes(page.words, "The reply was taken back");
  assertStringIncludes(page.words, "You took this reply back before it was sent");
  assertStringIncludes(page.html, ">Dear Ada</textarea>");
  assertEquals(await fixture.replies(), []);

  const again = crypto.randomUUID();
  await fixture.act(hash, { text: "Dear Ada!", name: "Ada L.", key: again });
  assertEquals((await fixture.replies()).length, 1);
  const late = await fixture.act(hash, { act: "unsend", key: again });
  assertEquals([late.status, await fixture.state(hash)], [409, "answered"]);
  assertStringIncludes(late.words, "too late to take this reply back");
  assertMatch(await own(), /Replies to your enquiry[^]*Ada L\.[^]*Dear Ada!/);
  const changes = ["enquiry_replied", "enquiry_replied", "enquiry_reply_undone", "enquiry_taken"];
  assertEquals(await fixture.audit(), changes);
});

Deno.test("a reply quotes the message to a confirmed address, and a long message in part", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register({ ...PERSON, message: `Begin ${'"'.repeat(4_000)} end` });
  await fixture.confirm(hash);
  await fixture.act(hash, { text: '"'.repeat(5_000), name: "Ada" });
  const [mail] = await fixture.replies();
  assertStringIncludes(mail.text, `Your message:\n> Begin """`);
  assertFalse(mail.text.includes("end\n"));
});

Deno.test("a reply that is sent twice is mailed once, and one that came too late is shown again", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register();
  const form = { text: "Dear Ada", name: "Ada", key: crypto.randomUUID(), revision: "0" };
  const both = await Promise.all([fixture.act(hash, form), fixture.act(hash, form)]);
  assertEquals(both.map(({ status }) => status), [303, 303]);
  assertEquals((await fixture.replies()).length, 1);
  const late = await fixture.act(
    hash,
    { text: "From Ben", name: "Ben", revision: "0", key: crypto.randomUUID() },
    BEN,
  );
  assertEquals(late.status, 409);
  assertStringIncludes(late.html, ">From Ben</textarea>");
  assertStringIncludes(late.html, 'value="Ben"');
  assertStringIncludes(late.words, "admin@example.org replied");
  assertEquals((await fixture.replies()).length, 1);
  const [revision] = /name="revision" value="(\d+)"/.exec(late.html)!.slice(1);
  const again = await fixture.act(hash, { text: "From Ben", name: "Ben", revision }, BEN);
  assertEquals([again.status, (await fixture.replies()).length], [303, 2]);
});

Deno.test("an operator sends at most 20 replies an hour, and the next one is shown again", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register();
  for (let i = 0; i < 20; i++) {
    assertEquals((await fixture.act(hash, { text: `Reply ${i}`, name: "Ada" })).status, 303);
  }
  const refused = await fixture.act(hash, { text: "Reply 20", name: "Ada" });
  assertEquals(refused.status, 429);
  assertStringIncludes(refused.html, ">Reply 20</textarea>");
  assertEquals((await fixture.act(hash, { text: "Ben's", name: "Ben" }, BEN)).status, 303);
  fixture.clock.now += HOUR_MS;
  assertEquals((await fixture.act(hash, { text: "Reply 20", name: "Ada" })).status, 303);
});

for (
  const [what, fields] of [
    ["a name with a line break", { name: "Ada\nBcc: eve@example.org" }],
    ["a name that looks like an address", { name: "Eve <eve@example.org>" }],
    ["a name without a letter", { name: "-" }],
    ["a text of 5,001 characters", { text: "a".repeat(5_001) }],
    ["an empty text", { text: " " }],
    ["a key that is no UUID", { key: "x" }],
  ] as const
) {
  Deno.test(`${what} is refused, and nothing is sent`, async () => {
    await using fixture = await inboxFixture();
    const hash = await fixture.register();
    const { status } = await fixture.act(hash, { text: "Hello", name: "Ada", ...fields });
    assertEquals(status, 400);
    assertEquals(await fixture.replies(), []);
    assertEquals(await fixture.state(hash), "new");
  });
}

Deno.test("a reply that cannot be delivered shows why, and opens the enquiry again", async () => {
  await using fixture = await inboxFixture({
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: "https://mail.example/send",
    MAIL_API_KEY: "k",
  }, { fetch: () => Promise.resolve(new Response(null, { status: 422 })) });
  const hash = await fixture.register();
  await fixture.act(hash, { text: "Hello", name: "Ada" });
  await fixture.send();
  assertEquals(await fixture.state(hash), "open");
  const { words } = await fixture.console(`${PATH}/${hash}`);
  assertStringIncludes(words, "Failed The mail server rejected the email.");
  assertStringIncludes(words, "The site opened it again, because the reply could not be delivered");
});

Deno.test("a reply waits for the mail server, and is withdrawn with its record", async () => {
  let sent = 0;
  let accept = false;
  await using fixture = await inboxFixture({
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: "https://mail.example/send",
    MAIL_API_KEY: "k",
  }, {
    fetch: () => Promise.resolve(new Response(null, { status: accept ? (sent++, 200) : 503 })),
    pause: () => Promise.resolve(),
  });
  const hash = await fixture.register();
  await fixture.act(hash, { text: "Hello", name: "Ada" });
  await fixture.act(hash, { act: "note", text: "Xenolith" });
  const { mailer, records } = fixture.site.services;
  await fixture.send();
  assertStringIncludes((await fixture.console(`${PATH}/${hash}`)).words, "Retrying");
  await records.deletion.deleteRecord(hash);
  accept = true;
  fixture.clock.now += DAY_MS;
  await mailer.drain();
  assertEquals(sent, 0);
  for (const prefix of ["inbox", "inbox_by_state", "inbox_entries", "outbox"]) {
    assertEquals(await fixture.count(prefix), 0, prefix);
  }
  const { new: waiting, open, answered } = await fixture.site.services.inbox.counts("commercial");
  assertEquals([waiting, open, answered], [0, 0, 0]);
});

Deno.test("the holder downloads the notes and replies, which are not in the chain", async () => {
  await using fixture = await inboxFixture();
  const { hash, cookie } = await fixture.holder();
  await fixture.act(hash, { act: "note", text: "Seems serious" });
  await fixture.act(hash, { text: "Dear Ada", name: "Ben" });
  const file = await (await fixture.fetch("/my-record/download.json", { cookie })).text();
  const { enquiry, events } = JSON.parse(file);
  assertEquals(enquiry.state, "answered");
  assertEquals(enquiry.notes.map(({ text }: { text: string }) => text), ["Seems serious"]);
  assertEquals(enquiry.replies.map(({ text }: { text: string }) => text), ["Dear Ada"]);
  assertFalse(file.includes(ADA), "addresses of operators stay in the console");
  assertFalse(JSON.stringify(events).includes("Seems"));
});

Deno.test("a correction takes the notes and replies along, and its undo returns them", async () => {
  await using fixture = await inboxFixture();
  const { hash, cookie } = await fixture.holder();
  await fixture.act(hash, { act: "note", text: "Before" });
  await fixture.act(hash, { text: "Dear Ada", name: "Ben" });
  fixture.clock.now += MINUTE_MS;
  const json = { ...PERSON, message: "Corrected", email: PERSON.email };
  const corrected = await fixture.fetch("/my-record/correct", { cookie, json });
  assertEquals(corrected.status, 200);
  const [to] = hashesOf((await fixture.console(`${PATH}?state=answered`)).html);
  assertEquals(to === hash, false);
  const { words } = await fixture.console(`${PATH}/${to}`);
  for (const text of ["Before", "Dear Ada", "Corrected", "To the address before the correction"]) {
    assertStringIncludes(words, text);
  }
  const old = await fixture.console(`${PATH}/${hash}`);
  assertEquals([old.status, old.location], [303, `${PATH}/${to}`]);
  assertEquals(hashesOf((await fixture.console(`${PATH}?state=all`)).html), [to]);
  for (
    const late of [
      { text: "Late", name: "Ben", revision: "0" },
      { text: "Late", name: "" },
      { act: "note", text: "Late" },
      { act: "assign", owner: BEN, revision: "0" },
      { act: "reopen", revision: "0" },
      { act: "unsend" },
    ] as Record<string, string>[]
  ) {
    const { status, html, words } = await fixture.act(hash, late);
    assertEquals(status, 409);
    assertStringIncludes(words, "The holder has corrected this record in the meantime.");
    assertEquals(formOf(html, late.act)?.text, late.text, late.act);
  }
  assertEquals((await fixture.replies()).length, 1);
  assertEquals(hashesOf((await fixture.console(`${PATH}?state=all`)).html), [to]);
  assertFalse((await fixture.console(`${PATH}/${to}`)).words.includes("Late"));

  const late = { act: "note", text: "Late", key: crypto.randomUUID() };
  const { action, text, key } = formOf((await fixture.act(hash, late)).html, late.act)!;
  assertEquals([action, key], [`${PATH}/${to}`, late.key]);
  for (let i = 0; i < 2; i++) await fixture.act(to, { ...late, text });
  assertEquals(
    (await fixture.read(to)).entries.filter(({ change }) => change === "noted").length,
    2,
  );
});

Deno.test("a note is kept on the page of a record whose enquiry has not moved to the corrected one yet", async () => {
  await using fixture = await inboxFixture();
  const { hash } = await fixture.holder();
  const { kv } = fixture.site.services;
  const { key, value } = await recordRows.get(kv, hash);
  await kv.set(key, { ...value!, replaced_by: "f".repeat(64) });
  const { status, html, words } = await fixture.act(hash, { act: "note", text: "Late" });
  assertEquals([status, formOf(html, "note")?.text], [409, "Late"]);
  assertStringIncludes(words, "The holder has corrected this record in the meantime.");
  assertEquals((await fixture.console(`${PATH}/${hash}`)).status, 200);
});

Deno.test("the enquiry that version 1.0.0 wrote again for a replaced record is not listed", async () => {
  await using fixture = await inboxFixture();
  const { hash, cookie } = await fixture.holder();
  const json = { ...PERSON, message: "Corrected" };
  assertEquals((await fixture.fetch("/my-record/correct", { cookie, json })).status, 200);
  const { kv } = fixture.site.services;
  const commit = kv.atomic();
  const at = "2026-03-10T09:00:00.000Z";
  const again = { record: hash, organisation: "commercial", at, owner: null, revision: 1 } as const;
  enquiries.set(commit, { ...again, state: "closed" });
  await commit.commit();
  for (const state of ["closed", "all"]) {
    assertFalse(hashesOf((await fixture.console(`${PATH}?state=${state}`)).html).includes(hash));
  }
});

Deno.test("an enquiry whose record is being deleted is marked in the inbox", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register();
  await fixture.register({ ...PERSON, email: "other@mail.example.org" });
  const marks = async () => {
    const { words } = await fixture.console(PATH);
    return [words.match(/unconfirmed/g)?.length, words.match(/being deleted/g)?.length];
  };
  assertEquals(await marks(), [2, undefined]);
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  assert((await fixture.site.services.records.deletion.request(hash, reader)).ok);
  assertEquals(await marks(), [2, 1]);
});

Deno.test("the owner of an enquiry who is no longer an administrator does not own it", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register();
  await fixture.act(hash, { act: "assign", owner: BEN });
  const { ops } = fixture.site.services.config;
  ops.l1.splice(ops.l1.indexOf(BEN), 1);
  assertEquals((await fixture.read(hash)).owner, null);
  assertEquals(hashesOf((await fixture.console(`${PATH}?owner=none`)).html), [hash]);
});

Deno.test("administrators and CONTACT_NOTIFY get a digest without contents, at most every 15 minutes", async () => {
  await using fixture = await inboxFixture({ CONTACT_NOTIFY: "team@example.org" });
  const { jobs } = fixture.site.services;
  const digests = async () => {
    const before = (await fixture.mails()).length;
    await jobs.run("inbox");
    const mails = await fixture.mails();
    return mails.slice(0, mails.length - before);
  };
  assertEquals(await digests(), []);
  await fixture.register();
  const first = await digests();
  assertEquals(first.map(({ to }) => to).sort(), [ADA, BEN, "team@example.org"]);
  for (const { subject, text, html } of first) {
    assertEquals(subject, "1 new enquiry to Attest Systems");
    assertStringIncludes(text, "http://ops.commercial.localhost:8000/console/inbox");
    for (const typed of ["Ada Example", "Zephyrine", "xylographic", "ada.q"]) {
      assertFalse((text + html).includes(typed), typed);
    }
  }
  assertEquals(await digests(), [], "nothing is reported twice");
  await fixture.register({ ...PERSON, email: "b@mail.example.org" });
  fixture.clock.now += 14 * MINUTE_MS;
  assertEquals(await digests(), []);
  fixture.clock.now += MINUTE_MS;
  const second = await digests();
  assertEquals(second.length, 3);
  assertEquals(second[0].subject, "2 new enquiries to Attest Systems");
});

Deno.test("an enquiry that somebody has taken is not reported", async () => {
  await using fixture = await inboxFixture();
  const hash = await fixture.register();
  await fixture.act(hash, { act: "assign", owner: ADA });
  const before = (await fixture.mails()).length;
  await fixture.site.services.jobs.run("inbox");
  assertEquals((await fixture.mails()).length, before);
  assert(await fixture.count("inbox_digests") === 0);
});
