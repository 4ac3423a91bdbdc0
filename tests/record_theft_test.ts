import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { readRecord } from "../lib/features/records/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { accessFixture } from "./access_site.ts";
import { errorOf, statusOf } from "./contact_site.ts";
import { MAILBOX, thiefSite } from "./thief_site.ts";

type Site = Awaited<ReturnType<typeof thiefSite>>;

/** Uses the link of the holder's newest notice with a subject. Returns the page. */
async function undo(site: Site, subject: string, form: Record<string, string> = {}) {
  const mail = (await site.noticesToHolder()).find((mail) => mail.subject.startsWith(subject))!;
  const token = new URL(mail.link!).searchParams.get("token")!;
  const response = await site.fetch("/my-record/undo", { form: { token, ...form } });
  return { status: response.status, html: await response.text() };
}

/** Lets the thief replace the record's address. Returns the cookie of the thief's browser. */
async function takeOver(site: Site): Promise<string> {
  assert(await site.thief.correctEmail(0));
  assert(await site.thief.confirmEmail());
  return site.loot.cookies.at(-1)!;
}

/** Every request that changes something of the open record. */
const REQUESTS: [path: string, json: Record<string, unknown>][] = [
  ["/api/auth/register-passkey", {}],
  ["/my-record/key", { act: "show" }],
  ["/my-record/key", { act: "revoke", id: "0".repeat(64) }],
  ["/my-record/declaration", { text: "I intend this record for something.", deliberate: true }],
  ["/my-record/delete", { digits: "0000" }],
  ["/my-record/number", { act: "reject" }],
  ["/my-record/requests", { act: "approve", id: "0".repeat(20) }],
  ["/my-record/share", { act: "create" }],
  ["/my-record/agents", { act: "disconnect_all" }],
  ["/my-record/notifications", { act: "test" }],
  ["/my-record/passkeys", { act: "remove", id: "0".repeat(64) }],
  ["/api/push/register", { platform: "android", token: "phone" }],
];

Deno.test("every request that changes something returns 403 on a correction that is not in force", async () => {
  await using site = await thiefSite();
  await site.thief.correctNumber(0);
  await site.thief.openCorrection(0);
  const headers = { accept: "application/json" };
  const refused: unknown[] = [];
  for (const [path, json] of REQUESTS) {
    const response = await site.fetch(path, { cookie: site.loot.cookies[0], json, headers });
    const { status, error } = await errorOf(response);
    refused.push([path, json, status, error]);
  }
  assertEquals(refused, REQUESTS.map((request) => [...request, 403, "not_in_force"]));
});

Deno.test("the pages of a correction that is not in force offer only to confirm or withdraw it", async () => {
  await using site = await thiefSite();
  await site.thief.correctNumber(0);
  await site.thief.openCorrection(0);
  const [cookie] = site.loot.cookies;
  const html = await (await site.fetch("/my-record", { cookie })).text();
  assertStringIncludes(html, "This correction is not in force yet");
  for (const path of ["/my-record/number", "/my-record/correct"]) assertStringIncludes(html, path);
  const hidden = ["/my-record/delete", "/my-record/key", "download.json", "/my-record/declaration"];
  for (const path of hidden) assertFalse(html.includes(path), path);
  const withdrawn = await site.fetch("/my-record/correct", { cookie, form: { act: "withdraw" } });
  assertEquals(withdrawn.headers.get("location"), "/my-record");
  assertEquals((await site.current()).row.correction, null);
  await site.thief.correctNumber(0);
  await site.thief.openCorrection(0);
  const page = await site.fetch("/my-record/key", { cookie });
  assertEquals([page.status, page.headers.get("location")], [303, "/my-record"]);
});

Deno.test("a waiting correction cannot be deleted, by a session, an administrator or the command", async () => {
  await using site = await thiefSite();
  const { owner, site: { services: { records, jobs } } } = site;
  await site.thief.correctEmail(0);
  const { to } = (await site.current()).row.correction!;
  const reader = { network: "n", browser: "b" };
  const refused = [
    await records.deletion.request(to, reader),
    await records.deletion.deleteRecord(to),
  ];
  assertEquals(refused.map((each) => each.ok ? null : each.error), ["conflict", "conflict"]);
  const as = "admin@example.org";
  const form = { act: "delete", digits: to.slice(0, 8) };
  assertEquals((await site.console(`/console/records/${to}`, { form, as })).status, 409);
  site.clock.now += 8 * DAY_MS;
  await jobs.run("due");
  assert(await records.read(owner.hash), "the record in force was destroyed");
});

Deno.test("a deletion of a waiting correction that an earlier version has scheduled is dropped", async () => {
  await using site = await thiefSite();
  const { owner, site: { services: { records, jobs, kv } } } = site;
  await site.thief.correctNumber(0);
  const { to } = (await site.current()).row.correction!;
  const due = new Date(site.clock.now + DAY_MS).toISOString();
  const { row } = (await readRecord(kv, to))!;
  await kv.set(["records", to], { ...row, deletion_at: due });
  await kv.set(["record_deletions", to], { due });
  site.clock.now += DAY_MS;
  await jobs.run("due");
  assert(await records.read(owner.hash));
  assertEquals(await site.count("record_deletions"), 0);
});

Deno.test("a requested deletion closes the record: waiting corrections, apps, devices and access end", async () => {
  await using site = await thiefSite();
  const { thief, owner, document, loot } = site;
  const { services } = site.site;
  for (
    const act of [
      "approve",
      "openDocument",
      "share",
      "openShare",
      "connectApp",
      "addDevice",
      "correctEmail",
    ] as const
  ) {
    assert(await thief[act](0), act);
  }
  const { to } = (await site.current()).row.correction!;
  assert(await thief.delete(0));
  assertEquals(await services.records.read(to), null);
  assertEquals((await site.current()).row.correction, null);
  assertEquals(await services.oauth.agents.list(owner.hash), []);
  assertEquals((await services.push.overview(owner.hash)).devices, []);
  for (const cookie of loot.grants) {
    assertEquals(await statusOf(site.fetch(`/d/${document}/file`, { cookie })), 303);
  }
  assertEquals(loot.grants.length, 2);
  assertFalse(await thief.openShare(0), "the link has ended");
  assertFalse(await thief.confirmEmail(), "the correction was withdrawn");

  // The chain remains, as for a deleted record.
  assertEquals(await statusOf(site.fetch(`/verify?hash=${owner.hash}`)), 200);
  const cookie = await site.signIn([owner.hash]);
  for (const path of ["/my-record/download.json", "/my-record/log", `/d/${document}/file`]) {
    const response = await site.fetch(path, { cookie });
    assertEquals(response.status, 303, path);
    await response.body?.cancel();
  }
  const { html } = await undo(site, "Your record will be deleted");
  assertStringIncludes(html, "Your record will not be deleted");
  const revoked = await site.fetch(`/d/${document}/file`, { cookie: loot.grants[0] });
  assertEquals(revoked.status, 303);
});

Deno.test("the link of the notice deletes the record sooner, after the digits of the hash were typed", async () => {
  await using site = await thiefSite();
  const { owner, site: { services: { records, chains } } } = site;
  assert(await site.thief.delete(0));
  const [mail] = await site.noticesToHolder();
  const page = await (await site.fetch(new URL(mail.link!).pathname + new URL(mail.link!).search))
    .text();
  assertStringIncludes(page, "Delete it now");
  assertStringIncludes(page, owner.hash);
  const subject = "Your record will be deleted";
  for (const digits of ["", "zzzz"]) {
    const { status, html } = await undo(site, subject, { act: "delete", digits });
    assertEquals(status, 400);
    assertStringIncludes(html, "These are not the last four digits");
  }
  const digits = owner.hash.slice(-4).toUpperCase();
  const { status, html } = await undo(site, subject, { act: "delete", digits });
  assertEquals(status, 200);
  assertStringIncludes(html, "Your record is deleted");
  assertEquals(await records.read(owner.hash), null);
  assert(await chains.page(owner.hash));
  assertEquals(await site.count("record_deletions"), 0);
  assertEquals((await undo(site, subject, { act: "delete", digits })).status, 404);
});

Deno.test("the link of another notice, and a deletion that was cancelled, delete nothing", async () => {
  await using site = await thiefSite();
  const { owner, site: { services: { records } } } = site;
  assert(await site.thief.addPasskey(0));
  const digits = owner.hash.slice(-4);
  const other = await undo(site, "A passkey was added", { act: "delete", digits });
  assertEquals(other.status, 404);
  assert(await site.thief.delete(0));
  const early = await undo(site, "A passkey was added", { act: "delete", digits });
  assertEquals([early.status, (await records.read(owner.hash)) !== null], [404, true]);
  const cookie = await site.signIn([owner.hash]);
  await statusOf(site.fetch("/my-record/delete", { cookie, form: { act: "cancel" } }));
  const { status } = await undo(site, "Your record will be deleted", { act: "delete", digits });
  assertEquals(status, 404);
  assert(await records.read(owner.hash));
  const subjects = (await site.noticesToHolder()).map(({ subject }) => subject);
  assertStringIncludes(subjects[0], "Your record will not be deleted");
});

Deno.test("nobody erases a record sooner while a replaced address can undo that, to the millisecond", async () => {
  await using site = await thiefSite();
  const { owner, site: { services: { records } } } = site;
  await takeOver(site);
  const replaced = Date.parse(
    (await readRecord(site.site.services.kv, owner.hash))!.row.replaced_at!,
  );
  assert(await site.thief.delete(0));
  const { hash } = await site.current();
  const complete = async () => {
    const [mail] = await site.linksTo((to) => to.startsWith("thief"), "/my-record/undo");
    const token = new URL(mail.link!).searchParams.get("token")!;
    const form = { token, act: "delete", digits: hash.slice(-4) };
    return await statusOf(site.fetch("/my-record/undo", { form }));
  };
  assertEquals(await complete(), 409);
  site.clock.now = replaced + 7 * DAY_MS - 1;
  assertEquals(await complete(), 409);
  const refused = await records.deletion.deleteRecord(hash);
  assertEquals(refused.ok ? null : refused.error, "conflict");
  site.clock.now += 1;
  assert((await records.deletion.deleteRecord(hash)).ok);
  assertEquals(await records.read(owner.hash), null);
});

Deno.test("the earlier address undoes a correction and the deletion that followed it", async () => {
  await using site = await thiefSite();
  await takeOver(site);
  assert(await site.thief.delete(0));
  site.clock.now += 7 * DAY_MS - HOUR_MS;
  await site.site.services.jobs.run("due");
  await undo(site, "A correction of your record took effect");
  await site.assertRecordIsSafe();
  assertEquals(await site.count("record_deletions"), 0);
});

Deno.test("a correction that is confirmed late is mailed to the earlier address again, which has seven days", async () => {
  await using site = await thiefSite();
  await site.thief.correctEmail(0);
  site.clock.now += 6 * DAY_MS;
  await site.thief.confirmEmail();
  site.clock.now += 6 * DAY_MS;
  assertEquals((await undo(site, "A correction of your record was entered")).status, 410);
  const { html } = await undo(site, "A correction of your record took effect");
  assertStringIncludes(html, "The correction is undone");
  await site.assertRecordIsSafe();
  await site.assertNothingOfTheThiefWorks();
});

/** Corrects the address as the holder, who signs in with the passkey, and confirms it. */
async function repair(site: Site, email: string): Promise<void> {
  const cookie = (await site.enter(site.own))!;
  const { contact: { value: { record } } } = await site.current();
  const json = { ...record, email, mobile: { country: "AU", number: "0412 345 678" } };
  assertEquals(await statusOf(site.fetch("/my-record/correct", { cookie, json })), 200);
  const [mail] = await site.linksTo((to) => to === email, "/confirm");
  const token = new URL(mail.link!).searchParams.get("token")!;
  await statusOf(site.fetch("/confirm", { form: { token } }));
  assertEquals((await site.current()).contact.value.record.email, email);
}

/** Uses every link of a notice that an address has got. Returns how many there were. */
async function undoAll(site: Site, isTheirs: (to: string) => boolean): Promise<number> {
  const mails = await site.linksTo(isTheirs, "/my-record/undo");
  for (const { link } of mails) {
    const token = new URL(link!).searchParams.get("token")!;
    await statusOf(site.fetch("/my-record/undo", { form: { token } }));
  }
  return mails.length;
}
const isThief = (to: string) => to.startsWith("thief");

Deno.test("an address that a thief entered cannot undo its replacement by the holder's own address", async () => {
  await using site = await thiefSite();
  await takeOver(site);
  // A link from before the repair, which works longer than those of the holder.
  await site.wait(DAY_MS - HOUR_MS);
  assert(await site.thief.signInByLink());
  assert(await site.thief.correctNumber(0));
  assert(await site.thief.withdraw(0));
  await site.wait(HOUR_MS);
  await repair(site, MAILBOX);
  const { hash } = await site.current();
  const sent = (await site.mails()).filter(({ to }) => isThief(to));
  assert(sent.some(({ subject }) => subject.startsWith("A correction of your record took effect")));
  site.clock.now += 6 * DAY_MS - 30 * MINUTE_MS; // the holder's links have expired
  assertEquals(await undoAll(site, isThief), 1); // of the correction before the repair
  assertEquals((await site.current()).hash, hash);
  assertFalse(await site.thief.signInByLink());
});

Deno.test("a correction to an address that was returned from is mailed with a link", async () => {
  await using site = await thiefSite();
  await takeOver(site);
  const { email } = (await site.current()).contact.value.record;
  await site.wait(DAY_MS);
  await repair(site, MAILBOX);
  const { hash } = await site.current();
  await site.wait(6 * DAY_MS + HOUR_MS); // the holder's first links have expired
  await repair(site, email);
  site.clock.now += HOUR_MS;
  assert(await undoAll(site, (to) => to === MAILBOX) > 0);
  assertEquals((await site.current()).hash, hash);
});

Deno.test("an undo by a later address renews the link of the oldest one, and is mailed to the one that it erases", async () => {
  await using site = await thiefSite();
  const other = "ada.other@mail.example.org";
  await takeOver(site);
  await site.wait(DAY_MS);
  await repair(site, other);
  await site.wait(7 * DAY_MS - HOUR_MS);
  assert(await undoAll(site, isThief) > 0);
  assert(isThief((await site.current()).contact.value.record.email));
  const subject = "A correction of your record was undone";
  const told = (await site.mails()).filter((mail) => mail.subject.startsWith(subject));
  assertEquals(told.map(({ to, link }) => [to, link !== undefined]).sort(), [
    [other, false],
    [MAILBOX, true],
  ]);
  const refused = await site.site.services.records.deletion.deleteRecord(site.owner.hash);
  assertEquals(refused.ok ? null : refused.error, "conflict");
  site.clock.now += 7 * DAY_MS - 1;
  const { html } = await undo(site, subject);
  assertStringIncludes(html, "The record with this address is in force again");
  await site.assertRecordIsSafe();
  await site.assertNothingOfTheThiefWorks();
});

Deno.test("an address that was replaced 15 days ago gets no link when a later replacement is undone", async () => {
  await using site = await thiefSite();
  await takeOver(site);
  const { email } = (await site.current()).contact.value.record;
  await site.wait(15 * DAY_MS);
  await repair(site, "ada.other@mail.example.org");
  assert(await undoAll(site, (to) => to === email) > 0);
  assertEquals((await site.current()).contact.value.record.email, email);
  const subject = "A correction of your record was undone";
  const notified = (await site.mails()).filter((mail) => mail.subject.startsWith(subject));
  assertFalse(notified.some(({ to }) => to === MAILBOX));
});

Deno.test("an undo after many corrections renews the links of the three oldest addresses", async () => {
  await using site = await thiefSite();
  await takeOver(site);
  const addresses = [1, 2, 3, 4].map((n) => `ada${n}@mail.example.org`);
  for (const address of addresses) {
    await site.wait(DAY_MS);
    await repair(site, address);
  }
  assert(await undoAll(site, (to) => to === addresses[2]) > 0);
  assertEquals((await site.current()).contact.value.record.email, addresses[2]);
  const subject = "A correction of your record was undone";
  const told = (await site.mails()).filter((mail) => mail.subject.startsWith(subject));
  const linked = told.filter(({ link }) => link !== undefined).map(({ to }) => to);
  assertEquals(linked.map((to) => isThief(to) ? "thief" : to).sort(), [
    MAILBOX,
    addresses[0],
    "thief",
  ]);
});

Deno.test("undoing a correction while another one waits loses no passkey, key or document", async () => {
  await using site = await thiefSite();
  assert(await site.thief.correctName(0));
  assert(await site.thief.correctNumber(0));
  await undo(site, "A correction of your record was entered"); // the one that waits
  const oldest = (await site.noticesToHolder()).at(-1)!;
  assert(await site.thief.steal());
  assert(await site.thief.correctNumber(0));
  const token = new URL(oldest.link!).searchParams.get("token")!;
  await statusOf(site.fetch("/my-record/undo", { form: { token } }));
  await site.assertRecordIsSafe();
  assert(await site.enter(site.own) !== null, "the holder's passkey");
  assertEquals((await site.site.services.records.keys.state(site.ownKey)).state, "current");
  assertEquals(await site.count("record_corrections"), 0);
});

Deno.test("withdrawing a correction ends the sessions that only the corrected address has", async () => {
  await using site = await thiefSite();
  const { records, kv } = site.site.services;
  await site.thief.correctNumber(0);
  const { to } = (await site.current()).row.correction!;
  const stranger = await site.signIn([to]);
  const reader = { network: "n", browser: "b" };
  await records.correction.withdraw(site.owner.hash, reader);
  const session = (cookie: string) =>
    records.session(new Request("http://trust.localhost/", { headers: { cookie } }), "trust");
  assertEquals(await session(stranger), null);
  assertEquals((await session(site.loot.cookies[0]))!.record, site.owner.hash);
  assertEquals(await readRecord(kv, to), null);
});

Deno.test("approving a request requires a recent sign-in, is mailed, and its link revokes the access", async () => {
  await using fixture = await accessFixture();
  const { owner, document, fetch, site: { services } } = fixture;
  const id = await fixture.open();
  const old = await fixture.signIn([owner.hash], { recent: false });
  const approved = await fixture.decide({ act: "approve", id }, old);
  assertEquals([approved.status, approved.headers.get("location")], [
    303,
    "/my-record?again=requests",
  ]);
  const json = { act: "approve", id };
  const asJson = { cookie: old, json, headers: { accept: "application/json" } };
  assertEquals((await errorOf(await fetch("/my-record/requests", asJson))).error, "sign_in_again");
  assertEquals((await services.access.list(owner.hash))[0].state, "open");
  // Ending access needs no recent sign-in.
  const recent = await fixture.signIn([owner.hash]);
  assertEquals(await statusOf(fixture.decide({ act: "approve", id }, recent)), 303);
  await fixture.sendHeld();
  const mails = await fixture.mails();
  const notice = mails.find(({ subject }) => subject.startsWith("A request to read"))!;
  assertEquals(notice.to, MAILBOX);
  assertStringIncludes(notice.text, "sibylla@mail.example.com");
  const grant = await fixture.use((await fixture.tokens("/s"))[0]);
  const read = () => statusOf(fetch(`/d/${document}/file`, { cookie: grant }));
  assertEquals(await read(), 200);
  const token = new URL(notice.link!).searchParams.get("token")!;
  const undone = await (await fetch("/my-record/undo", { form: { token } })).text();
  assertStringIncludes(undone, "The person can no longer read the document.");
  assertEquals(await read(), 303);
});

Deno.test("signing out everywhere revokes every grant of the last seven days, and signing out here none", async () => {
  await using fixture = await accessFixture();
  const { owner, document, fetch, site: { services } } = fixture;
  const { token } = await fixture.approve();
  const unused = await fixture.approve({ email: "friend@mail.example.com" });
  const grant = await fixture.use(token);
  const read = () => statusOf(fetch(`/d/${document}/file`, { cookie: grant }));
  await statusOf(fetch("/my-record/sign-out", {
    cookie: await fixture.signIn([owner.hash]),
    form: { everywhere: "" },
  }));
  await services.records.signOut(
    new Request("http://trust.localhost/", {
      headers: { cookie: await fixture.signIn([owner.hash]) },
    }),
  );
  assertEquals(await read(), 200);
  const cookie = await fixture.signIn([owner.hash]);
  await statusOf(fetch("/my-record/sign-out", { cookie, form: { everywhere: "1" } }));
  assertEquals(await read(), 303);
  assertEquals(await statusOf(fetch("/s", { form: { act: "open", code: unused.token } })), 410);
  const states = (await services.access.list(owner.hash)).map(({ state }) => state);
  assertEquals(states, ["revoked", "revoked"]);
});

Deno.test("signing out everywhere from a correction that is not in force ends everything of the record", async () => {
  await using site = await thiefSite();
  const { thief, owner, fetch, site: { services } } = site;
  for (const act of ["approve", "connectApp", "addDevice"] as const) assert(await thief[act](0));
  await thief.correctNumber(0);
  const cookie = await site.signIn([owner.hash]);
  await statusOf(fetch("/my-record/correct", { cookie, form: { act: "open" } }));
  await statusOf(fetch("/my-record/sign-out", { cookie, form: { everywhere: "1" } }));
  assertEquals(await site.count("record_sessions"), 0);
  assertEquals((await services.access.list(owner.hash))[0].state, "revoked");
  assertEquals(await services.oauth.agents.list(owner.hash), []);
  assertEquals((await services.push.overview(owner.hash)).devices, []);
});

Deno.test("an administrator's recovery moves with every correction, and either address stops it", async () => {
  await using site = await thiefSite();
  const { administrator, thief, owner } = site;
  const { records, jobs } = site.site.services;
  assert(await administrator.startRecovery(0));
  for (let i = 0; i < 3; i++) assert(await thief.correctName(0));
  const { hash } = await site.current();
  assert(await records.recoveries.read(hash));
  assertEquals(await records.recoveries.read(owner.hash), null);
  const { html } = await undo(site, "Someone asked for access");
  assertStringIncludes(html, "The recovery is stopped");
  assertEquals(await records.recoveries.read(hash), null);
  site.clock.now += 4 * DAY_MS;
  await jobs.run("recoveries");
  assertEquals((await site.mails()).filter(({ to }) => to.startsWith("recovered")), []);
});

Deno.test("the link of a recovery opens the record after corrections, and after they were undone", async () => {
  for (const undone of [false, true]) {
    await using site = await thiefSite();
    assert(await site.administrator.startRecovery(0));
    site.clock.now += 3 * DAY_MS;
    await site.site.services.jobs.run("recoveries");
    assert(await site.thief.steal());
    assert(await site.thief.correctName(0));
    if (undone) await undo(site, "A correction of your record was entered");
    assert(await site.thief.useRecovery(), `undone: ${undone}`);
    assertEquals(
      await site.site.services.records.recoveries.read((await site.current()).hash),
      null,
    );
  }
});

Deno.test("undoing a correction ends a recovery that was started since, and keeps an earlier one", async () => {
  for (const earlier of [false, true]) {
    await using site = await thiefSite();
    const { recoveries } = site.site.services.records;
    if (earlier) assert(await site.administrator.startRecovery(0));
    site.clock.now += 1_000;
    assert(await site.thief.steal());
    assert(await site.thief.correctName(0));
    site.clock.now += 1_000;
    if (!earlier) assert(await site.administrator.startRecovery(0));
    await undo(site, "A correction of your record was entered");
    assertEquals(await recoveries.read((await site.current()).hash) !== null, earlier);
  }
});

Deno.test("a recovery cannot be started on a waiting correction or a replaced record", async () => {
  await using site = await thiefSite();
  const { records } = site.site.services;
  const start = async (hash: string) => {
    const reader = { network: "n", browser: "b" };
    const recovery = { hash, newEmail: "x@example.org", by: "a@example.org", note: "n", reader };
    const started = await records.recoveries.start(recovery);
    return started.ok ? null : started.message;
  };
  await site.thief.correctNumber(0);
  const { to } = (await site.current()).row.correction!;
  assertStringIncludes((await start(to))!, "not in force");
  assert(await site.thief.correctName(0));
  assertStringIncludes((await start(site.owner.hash))!, "was replaced");
});

Deno.test("undoing a correction revokes a key that was created since, and keeps the others", async () => {
  await using site = await thiefSite();
  const { keys } = site.site.services.records;
  const reader = { network: "n", browser: "b" };
  await takeOver(site);
  assert(await site.thief.replaceKey(0));
  await undo(site, "A correction of your record took effect");
  assertEquals((await keys.state(site.loot.keys[0])).state, "revoked");
  assertEquals((await keys.state(site.ownKey)).state, "replaced");
  const issued = await keys.issue({ hash: site.owner.hash, reader });
  assert(issued.ok, "the holder gets a new key");
});

const NOTICES: [act: keyof Site["thief"], subject: string][] = [
  ["declare", "A declaration was added to your record"],
  ["download", "Your data was downloaded"],
  ["addDevice", "A device was added to your record"],
  ["rejectNumber", "Your mobile number was rejected"],
  ["revokeKey", "The key of your record was revoked"],
];
for (const [act, subject] of NOTICES) {
  Deno.test(`${act} with a stolen session is mailed to the holder, and the link ends the session`, async () => {
    await using site = await thiefSite();
    assert(await site.thief[act](0));
    const [mail] = await site.noticesToHolder();
    assertStringIncludes(mail.subject, subject);
    await undo(site, subject);
    await site.assertRecordIsSafe();
    await site.assertNothingOfTheThiefWorks();
  });
}

Deno.test("the first key of a record is mailed to the holder, and the link revokes it", async () => {
  await using site = await thiefSite();
  const { keys } = site.site.services.records;
  assertEquals((await keys.state(site.ownKey)).state, "current");
  const mail = (await site.mails()).find(({ subject }) =>
    subject.startsWith("A key of your record")
  )!;
  assertEquals(mail.to, MAILBOX);
  const token = new URL(mail.link!).searchParams.get("token")!;
  await statusOf(site.fetch("/my-record/undo", { form: { token } }));
  assertEquals((await keys.state(site.ownKey)).state, "revoked");
});

Deno.test("a number that was rejected with a stolen session can be confirmed again after the undo", async () => {
  await using site = await thiefSite();
  assert(await site.thief.rejectNumber(0));
  assertFalse(await site.thief.confirmNumber(3));
  await undo(site, "Your mobile number was rejected");
  for (let i = 0; i < 2; i++) assert(await site.thief.steal());
  assert(await site.thief.confirmNumber(3));
});

Deno.test("at most five downloads an hour are mailed to the holder", async () => {
  await using site = await thiefSite();
  const count = async () => (await site.noticesToHolder()).length;
  for (let i = 0; i < 7; i++) assert(await site.thief.download(0));
  assertEquals(await count(), 5);
  site.clock.now += HOUR_MS;
  assert(await site.thief.download(0));
  assertEquals(await count(), 6);
});

Deno.test("the chain of corrections stays short: five a day, however many records they create", async () => {
  await using site = await thiefSite();
  const done: boolean[] = [];
  for (let i = 0; i < 6; i++) done.push(await site.thief.correctName(0));
  assertEquals(done, [true, true, true, true, true, false]);
});
