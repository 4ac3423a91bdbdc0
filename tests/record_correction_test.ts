import { assert, assertEquals, assertFalse, assertLess, assertStringIncludes } from "@std/assert";
import { passkeyOf, storePasskey } from "../lib/features/passkeys/testing/stored_passkey.ts";
import { decodeHex } from "../lib/base/encoding.ts";
import { recordHash } from "../packages/proof/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { countRoundTrips } from "../lib/platform/kv/testing/round_trips.ts";
import { accessCountKey } from "../lib/features/records/access_log/access_log.ts";
import {
  addAccess,
  changeRecord,
  checkIdentity,
  deletions,
  readAccessLog,
  readRecord,
} from "../lib/features/records/mod.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { fakeProvider } from "./codes_site.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

/** The form as the browser posts it. */
const FORM = {
  name: PERSON.name,
  organisation: PERSON.organisation,
  email: "ada.q@mail.example.org",
  mobile_country: "AU",
  mobile_number: "0412 345 678",
  enquiry_type: PERSON.enquiry_type,
  message: PERSON.message,
};

/** Creates a holder at level 4, with a passkey, a confirmed number, a key and a declaration. */
async function correctionFixture() {
  const provider = fakeProvider();
  const fixture = await recordFixture({}, { codeProvider: provider });
  const { kv, records, contactIndex } = fixture.site.services;
  const { hash, cookie } = await fixture.holder();
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  await records.declare(hash, "I intend this record for a grant application.", reader);
  await storePasskey(kv, passkeyOf(hash, { id: "cred" }));
  for (const change of ["passkey_added", "mobile_confirmed"] as const) {
    const commit = kv.atomic();
    changeRecord(commit, (await readRecord(kv, hash))!, { change }, fixture.clock.now);
    await contactIndex.add(commit, "mobile", "+61412345678", hash);
    assert((await commit.commit()).ok);
  }
  const { key } = unwrap(await records.keys.issue({ hash, reader }));
  fixture.clock.now += 1; // so that all of this happened before a correction
  await checkIdentity(fixture.site.services, { hash, by: "admin@example.org", note: "passport" });
  return {
    ...fixture,
    provider,
    hash,
    cookie,
    key,
    row: async (of: string) => (await readRecord(kv, of))?.row,
    correct: (change: Record<string, string>, as = cookie) =>
      fixture.fetch("/my-record/correct", { cookie: as, form: { ...FORM, ...change } }),
    /** The record that a session opens. */
    opened: async (as = cookie) =>
      (await records.session(
        new Request("http://trust.localhost:8000/", { headers: { cookie: as } }),
        "trust",
      ))
        ?.record,
    find: (email: string) => contactIndex.find("email", email),
    async token(subject: string) {
      const mail = (await fixture.mails()).find((mail) => mail.subject.includes(subject))!;
      return new URL(mail.link!).searchParams.get("token")!;
    },
  };
}

Deno.test("a correction moves a log of a hundred entries in a few round trips to the store, and counts each entry once", async () => {
  const counted = countRoundTrips(await openKv(":memory:"));
  await using fixture = await recordFixture({}, { kv: counted.kv });
  const { kv } = fixture.site.services;
  const { hash, cookie } = await fixture.holder();
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  for (let i = 0; i < 100; i++) {
    const commit = kv.atomic();
    addAccess(commit, hash, { what: "exported", reader }, fixture.clock.now + i);
    assert((await commit.commit()).ok);
  }
  const form = { ...FORM, name: "Ada Corrected" };
  const correct = () => fixture.fetch("/my-record/correct", { cookie, form });
  const { result, trips } = await counted.measure(correct, 20);
  assertEquals(await statusOf(result), 303);
  assertLess(trips.length, 60);
  const to = (await readRecord(kv, hash))!.row.replaced_by!;
  const { entries } = await readAccessLog(kv, to, fixture.clock.now, { limit: 200 });
  assertEquals(entries.filter(({ what }) => what === "exported").length, 100);
  assertEquals((await kv.get<Deno.KvU64>(accessCountKey(to))).value?.value, BigInt(entries.length));
});

Deno.test("a correction of the name takes effect at once and moves everything except level 4", async () => {
  await using fixture = await correctionFixture();
  const { kv, records, chains } = fixture.site.services;
  const response = await fixture.correct({ name: "Ada Corrected" });
  assertEquals([response.status, response.headers.get("location")], [303, "/my-record"]);
  const old = (await fixture.row(fixture.hash))!;
  const to = old.replaced_by!;
  const next = (await readRecord(kv, to))!;
  assertEquals(next.row.replaces, fixture.hash);
  assertEquals([next.row.level, next.row.identity, next.row.passkeys], [3, null, 1]);
  assertEquals(next.row.user_handle, old.user_handle);
  assert(next.row.mobile_confirmed_at !== null);
  const { record, salt, declarations } = next.contact.value;
  assertEquals([record.name, declarations!.length], ["Ada Corrected", 1]);
  assertEquals(await recordHash(decodeHex(salt), record), to);
  const { contact } = (await readRecord(kv, fixture.hash))!;
  assert(contact.value.salt !== salt, "a salt must not be used twice");
  assertEquals((await chains.page(to))!.events.map(({ kind }) => kind), ["hash_generated"]);

  assertEquals(await fixture.opened(), to);
  assertEquals(await fixture.find(FORM.email), [to]);
  assertEquals(await fixture.site.services.contactIndex.find("mobile", "+61412345678"), [to]);
  assertEquals(await records.keys.state(fixture.key), {
    state: "current",
    hash: to,
    card_hash: fixture.hash,
  });
  const passkey = await kv.get<{ contact_hash: string }>(["passkey_credentials", "cred"]);
  assertEquals(passkey.value!.contact_hash, to);
  const log = await Array.fromAsync(kv.list({ prefix: ["access_log", to] }));
  assert(log.length > 3, "the access log moves too");
  assertEquals(await fixture.count("record_corrections"), 0);
});

Deno.test("registrations and corrections together mail at most five links an hour to a mailbox", async () => {
  await using fixture = await recordFixture({ CONTACT_CLIENT_LIMIT: "20" });
  const target = "Someone.Else+1@mail.example.org";
  const linksTo = async () =>
    (await fixture.mails()).filter(({ to }) => to.toLowerCase() === target.toLowerCase()).length;
  const correct = async ({ cookie }: { cookie: string }, email: string) => {
    const json = { ...PERSON, email };
    const response = await fixture.fetch("/my-record/correct", { cookie, json });
    const wait = Number(response.headers.get("retry-after"));
    return [response.status, (await response.json()).error, wait];
  };
  const first = await fixture.holder();
  const second = await fixture.holder({ ...PERSON, email: "second@example.org" });
  for (let i = 0; i < 3; i++) await fixture.send({ ...PERSON, email: target });
  await correct(first, target);
  await correct(second, target);
  const links = await linksTo();
  assertEquals(await correct(first, target), [429, "rate_limited", 3600]);
  assertEquals([links, await linksTo()], [5, 5]);
  // The correction that waits is not withdrawn, and another mailbox has its own limit.
  assertEquals(await fixture.count("record_corrections"), 2);
  assertEquals((await correct(first, "elsewhere@example.org"))[0], 200);
});

Deno.test("a corrected address leaves the old record in force until it is confirmed", async () => {
  await using fixture = await correctionFixture();
  const { records } = fixture.site.services;
  const response = await fixture.correct({ email: "new@mail.example.org" });
  assertEquals(response.headers.get("location"), "/my-record/correct");
  const { correction, level, replaced_by } = (await fixture.row(fixture.hash))!;
  assertEquals([level, replaced_by], [4, null]);
  assertEquals(await fixture.opened(), fixture.hash);
  assertEquals(await records.keys.state(fixture.key), { state: "current", hash: fixture.hash });
  assertEquals(await fixture.find("new@mail.example.org"), []);
  const page = await (await fixture.fetch("/my-record/correct", { cookie: fixture.cookie })).text();
  assertStringIncludes(page, "A correction is waiting");

  // The old address gets a notice with a link that withdraws it; the new one gets a link.
  const [first, second] = (await fixture.mails()).slice(0, 2);
  assertEquals([first.to, second.to].sort(), ["ada.q@mail.example.org", "new@mail.example.org"]);
  const token = await fixture.token("Confirm your corrected email address");
  const confirm = await (await fixture.fetch(`/confirm?token=${token}`)).text();
  assertStringIncludes(confirm, "puts the corrected record in force");
  // Otherwise somebody could enter another person's address and share the record with them.
  assertStringIncludes(confirm, "every browser that is signed in keep access to it");
  assertStringIncludes(
    second.text + first.text,
    "Everyone who can open the record now keeps access",
  );
  assertEquals(await statusOf(fixture.fetch("/confirm", { form: { token } })), 200);
  const after = (await fixture.row(fixture.hash))!;
  assertEquals([after.replaced_by, after.correction], [correction!.to, null]);
  assertEquals(await fixture.find("new@mail.example.org"), [correction!.to]);
  assertEquals(await fixture.find(FORM.email), []);
  assertEquals(await fixture.opened(), correction!.to);
  assertEquals((await fixture.row(correction!.to))!.level, 3);
});

Deno.test("a declaration that is made while a correction waits is kept, and so is the level", async () => {
  await using fixture = await correctionFixture();
  const { records } = fixture.site.services;
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  await fixture.correct({ email: "new@mail.example.org" });
  fixture.clock.now += DAY_MS;
  await records.declare(fixture.hash, "I intend this record for a tender.", reader);
  const token = await fixture.token("Confirm your corrected email address");
  assertEquals(await statusOf(fixture.fetch("/confirm", { form: { token } })), 200);
  const to = (await fixture.row(fixture.hash))!.replaced_by!;
  const { contact, row } = (await readRecord(fixture.site.services.kv, to))!;
  assertEquals(contact.value.declarations!.map(({ text }) => text), [
    "I intend this record for a grant application.",
    "I intend this record for a tender.",
  ]);
  assertEquals(row.level, 3);
});

Deno.test("a corrected address that is never confirmed is removed after a week", async () => {
  await using fixture = await correctionFixture();
  await statusOf(fixture.correct({ email: "new@mail.example.org" }));
  const { correction } = (await fixture.row(fixture.hash))!;
  await fixture.site.services.jobs.run("corrections");
  assert(await fixture.row(correction!.to));
  fixture.clock.now += 7 * DAY_MS;
  await fixture.site.services.jobs.run("corrections");
  assertEquals(await fixture.row(correction!.to), undefined);
  const row = (await fixture.row(fixture.hash))!;
  assertEquals([row.correction, row.replaced_by, row.level, row.passkeys], [null, null, 4, 1]);
  for (const { text } of await fixture.entries()) assertFalse(text.includes("new@mail"));
});

Deno.test("a corrected number takes effect when it is confirmed in the corrected record", async () => {
  await using fixture = await correctionFixture();
  await statusOf(fixture.correct({ mobile_number: "0412 000 111" }));
  const { correction } = (await fixture.row(fixture.hash))!;
  const { to } = correction!;
  const open = { cookie: fixture.cookie, form: { act: "open" } };
  const opened = await fixture.fetch("/my-record/correct", open);
  assertEquals(opened.headers.get("location"), "/my-record/number");
  assertEquals(await fixture.opened(), to);
  assertEquals((await fixture.row(fixture.hash))!.replaced_by, null);
  const page = await (await fixture.fetch("/my-record", { cookie: fixture.cookie })).text();
  assertStringIncludes(page, "This correction is not in force yet");

  const post = (path: string, json: unknown, cookie: string) =>
    fixture.fetch(`/api/auth/otp/${path}`, { cookie, json });
  const purpose = "confirm_number";
  const sent = await post("send", { method: "sms", purpose }, fixture.cookie);
  const cookie = `${fixture.cookie}; ${sent.headers.get("set-cookie")!.split(";")[0]}`;
  await sent.body?.cancel();
  const code = fixture.provider.code("+61412000111");
  assertEquals(await statusOf(post("verify", { code, purpose }, cookie)), 200);
  assertEquals((await fixture.row(fixture.hash))!.replaced_by, to);
  const { contactIndex } = fixture.site.services;
  assertEquals(await contactIndex.find("mobile", "+61412000111"), [to]);
  assertEquals(await contactIndex.find("mobile", "+61412345678"), []);
});

Deno.test("removing the number takes effect at once, and the level is computed without it", async () => {
  await using fixture = await correctionFixture();
  await statusOf(fixture.correct({ mobile_number: "" }));
  const { replaced_by } = (await fixture.row(fixture.hash))!;
  const row = (await fixture.row(replaced_by!))!;
  assertEquals([row.mobile_confirmed_at, row.level], [null, 3]);
  assertEquals(await fixture.site.services.contactIndex.find("mobile", "+61412345678"), []);
});

Deno.test("the old address withdraws a waiting correction, and undoes one in force", async () => {
  await using fixture = await correctionFixture();
  const { records } = fixture.site.services;
  const { hash } = fixture;
  const undo = async () => {
    const token = await fixture.token("A correction of your record was entered");
    return await (await fixture.fetch("/my-record/undo", { form: { token } })).text();
  };
  await statusOf(fixture.correct({ email: "thief@mail.example.org" }));
  const first = (await fixture.row(hash))!.correction!.to;
  assertStringIncludes(await undo(), "The correction is withdrawn");
  assertEquals(await fixture.row(first), undefined);
  assertEquals(await fixture.opened(), undefined);

  const cookie = await fixture.signIn([hash]);
  await statusOf(fixture.correct({ email: "thief@mail.example.org" }, cookie));
  const second = (await fixture.row(hash))!.correction!.to;
  const token = await fixture.token("Confirm your corrected email address");
  const confirmed = await fixture.fetch("/confirm", { form: { token } });
  const thief = confirmed.headers.get("set-cookie")!.match(/record_session=[^;]+/)![0];
  await confirmed.body?.cancel();
  assertEquals(await fixture.opened(thief), second);
  assertStringIncludes(await undo(), "your previous record is in force");
  assertEquals(await fixture.row(second), undefined);
  const row = (await fixture.row(hash))!;
  assertEquals([row.replaced_by, row.passkeys, row.level], [null, 1, 4]);
  assertEquals(await fixture.find(FORM.email), [hash]);
  assertEquals(await fixture.find("thief@mail.example.org"), []);
  assertEquals(await records.keys.state(fixture.key), { state: "current", hash });
  assertEquals(await fixture.opened(thief), undefined);
  assertEquals(await fixture.opened(cookie), undefined);
});

Deno.test("a correction of a record whose deletion has begun is not withdrawn, and nothing is logged", async () => {
  await using fixture = await correctionFixture();
  const { kv, records } = fixture.site.services;
  const { hash } = fixture;
  await statusOf(fixture.correct({ email: "second@mail.example.org" }));
  const correction = (await fixture.row(hash))!.correction;
  const commit = kv.atomic();
  deletions.put(commit, [hash], { due: new Date(fixture.clock.now).toISOString(), begun: true });
  assert((await commit.commit()).ok);
  const log = async () => (await readAccessLog(kv, hash, fixture.clock.now)).entries;
  const before = await log();
  await records.correction.withdraw(hash, { network: "n", browser: "b" });
  assertEquals((await fixture.row(hash))!.correction, correction);
  assertEquals(await log(), before);
});

Deno.test("a second correction replaces a waiting one, and a correction of a replaced record is refused", async () => {
  await using fixture = await correctionFixture();
  await statusOf(fixture.correct({ email: "first@mail.example.org" }));
  const first = (await fixture.row(fixture.hash))!.correction!.to;
  const stale = await fixture.token("Confirm your corrected email address");
  await statusOf(fixture.correct({ email: "second@mail.example.org" }));
  assertEquals(await fixture.row(first), undefined);
  assertEquals(await statusOf(fixture.fetch("/confirm", { form: { token: stale } })), 404);
  const { records } = fixture.site.services;
  await records.correction.withdraw(fixture.hash, { network: "n", browser: "b" });
  await statusOf(fixture.correct({ name: "Another" }));
  const reader = { network: "n", browser: "b" };
  const enquiry = { name: "X", email: "x@example.org", enquiry_type: "Other" as const };
  const refused = await records.correction.start(fixture.hash, enquiry, reader);
  assertEquals(refused.ok ? null : refused.error, "conflict");
});

Deno.test("an interrupted correction is finished by the job", async () => {
  await using fixture = await correctionFixture();
  const { kv, jobs, records } = fixture.site.services;
  const list = kv.list.bind(kv);
  kv.list = ((...args: Parameters<typeof list>) => {
    const [selector] = args;
    if ("prefix" in selector && selector.prefix[0] === "access_log") throw new Error("interrupted");
    return list(...args);
  }) as typeof list;
  assertEquals(await statusOf(fixture.correct({ name: "Interrupted" })), 500);
  kv.list = list;
  const { replaced_by } = (await fixture.row(fixture.hash))!;
  assertEquals(await fixture.count("record_corrections"), 1);
  await jobs.run("corrections");
  assertEquals(await fixture.count("record_corrections"), 0);
  assertEquals(await records.keys.state(fixture.key), {
    state: "current",
    hash: replaced_by!,
    card_hash: fixture.hash,
  });
  const rest = await Array.fromAsync(kv.list({ prefix: ["access_log", fixture.hash] }));
  assertEquals(rest.length, 0);
});

Deno.test("an interrupted sign-out ends the sessions of the record that corrects its own", async () => {
  await using fixture = await correctionFixture();
  const { kv, jobs } = fixture.site.services;
  await kv.set(["record_sign_outs", fixture.hash], { at: new Date(0).toISOString() });
  assertEquals(await statusOf(fixture.correct({ name: "Ada Corrected" })), 303);
  const { replaced_by } = (await fixture.row(fixture.hash))!;
  assertEquals(await fixture.opened(), replaced_by);
  await jobs.run("sign-outs");
  assertEquals(await fixture.opened(), undefined);
  assertEquals(await fixture.count("record_sign_outs"), 0);
});

Deno.test("the form is prefilled; a refused correction, an old sign-in and a stranger change nothing", async () => {
  await using fixture = await correctionFixture();
  const { hash, cookie } = fixture;
  const html = await (await fixture.fetch("/my-record/correct", { cookie })).text();
  for (const text of [FORM.name, FORM.email, "412345678", "xylographic"]) {
    assertStringIncludes(html, text);
  }
  const cases: [change: Record<string, string>, text: string, status: number][] = [
    [{ email: "not an address" }, "not an address", 400],
    [{ mobile_number: "12" }, "There is no such number in Australia", 400],
    [{}, "You have not changed anything.", 409],
  ];
  for (const [change, text, status] of cases) {
    const response = await fixture.correct(change);
    assertEquals(response.status, status);
    assertStringIncludes(await response.text(), text);
  }
  const old = await fixture.signIn([hash], { recent: false });
  const refused = await fixture.correct({ name: "Y" }, old);
  assertEquals(refused.headers.get("location"), "/my-record?again=correct");
  const stranger = await fixture.correct({ name: "Y" }, "");
  assertEquals(stranger.headers.get("location"), "/my-record");
  const json = { name: 1, email: [] };
  assertEquals(await statusOf(fixture.fetch("/my-record/correct", { cookie, json })), 400);
  const row = (await fixture.row(hash))!;
  assertEquals([row.replaced_by, row.correction ?? null], [null, null]);
});

Deno.test("a sixth correction within a day is refused, and the fifth stays", async () => {
  await using fixture = await correctionFixture();
  const statuses = [];
  for (let i = 0; i < 7; i++) {
    statuses.push(await statusOf(fixture.correct({ email: `flood${i}@mail.example.org` })));
  }
  assertEquals(statuses, [303, 303, 303, 303, 303, 429, 429]);
  const { correction } = (await fixture.row(fixture.hash))!;
  assert(correction, "a refused correction does not withdraw the one that waits");
});

Deno.test("concurrent corrections register one record in force", async () => {
  await using fixture = await correctionFixture();
  await Promise.all(
    Array.from({ length: 5 }, (_, i) => statusOf(fixture.correct({ name: `Ada ${i}` }))),
  );
  const inForce = [];
  for (const { key, text } of await fixture.entries()) {
    if (key.startsWith('["records"') && /replaced_by: null/.test(text)) inForce.push(key);
  }
  assertEquals(inForce.length, 1);
});
