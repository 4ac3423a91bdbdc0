import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY_MS } from "../lib/base/time.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { inUnit } from "../lib/platform/kv/mod.ts";
import { TEST_MS, WAITING_MS } from "../lib/features/issuing/mod.ts";
import { type IssuingFixture, issuingFixture, RECIPIENT } from "./issuing_site.ts";

const wordsOf = (html: string) =>
  html.replaceAll(/<script.*?<\/script>/gs, "").replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");

async function issued(result: ReturnType<IssuingFixture["issue"]>) {
  const done = await result;
  if (!done.ok) throw new Error(done.error);
  return done;
}

/** Returns everything in the store that contains one of some texts. */
async function rowsWith(kv: Deno.Kv, ...texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const { key, value } of kv.list({ prefix: [] })) {
    const row = JSON.stringify(
      [key, value],
      (_, part) => typeof part === "bigint" ? `${part}` : part,
    );
    if (texts.some((text) => row.includes(text))) found.push(String(key[0]));
  }
  return found;
}

Deno.test("a recipient opens the link, accepts, and has a record with the document, whose chain starts then", async () => {
  await using fixture = await issuingFixture();
  const { kv, documents, chains } = fixture.site.services;
  const { document } = await issued(fixture.issue());
  assertEquals([document.record, document.issuer.name], [null, "Harbour College"]);
  const mails = await fixture.mails();
  assertEquals(mails.length, 1);
  assertEquals(mails[0].subject, "Grace Student: Certificate III");
  const { path, fields } = await fixture.acceptLink();
  const page = wordsOf(await (await fixture.fetch(path)).text());
  assertStringIncludes(page, "Harbour College has issued a document to you");
  assertStringIncludes(page, "Grace Student");
  assertFalse(page.includes("runs this page"));
  assertEquals(await rowsWith(kv, "record_sessions"), []);
  assertEquals(await fixture.count("contacts"), 0); // reading changes nothing

  const accepted = await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  assertEquals(accepted.status, 200);
  const cookie = accepted.headers.get("set-cookie")!.split(";")[0];
  assertMatch(cookie, /record_session=/);
  assertStringIncludes(wordsOf(await accepted.text()), "You have accepted");
  const { record } = (await documents.read(document.id))!;
  const chain = await chains.page(record!);
  assertEquals(chain!.events.map(({ kind }) => kind), ["hash_generated", "email_confirmed"]);
  const own = wordsOf(await (await fixture.fetch("/my-record", { cookie })).text());
  assertStringIncludes(own, "Certificate III");

  // Later documents of the same issuer get into the record at once, without another link.
  const { document: second } = await issued(fixture.issue({ title: "Diploma" }));
  assertEquals(second.record, record);
  const [newest] = await fixture.mails();
  assertStringIncludes(JSON.stringify(newest), "has added a document to your record");
  // The link does not sign in again.
  const again = await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  assertEquals([again.status, again.headers.get("set-cookie")], [200, null]);
  assertEquals(await fixture.count("contacts"), 1);
  // It cannot be refused any more.
  await fixture.fetch("/accept", { form: { ...fields, act: "refuse" } });
  assertEquals((await documents.read(document.id))!.record, record);
});

Deno.test("each issuer has its own recipient for an address, and other records are neither changed nor shown", async () => {
  await using fixture = await issuingFixture();
  const { documents } = fixture.site.services;
  const other = await fixture.holder({ ...RECIPIENT, elapsed_ms: 5_000 });
  const quay = await fixture.addIssuer("Quay School");
  const first = await issued(fixture.issue());
  const second = await issued(fixture.issue({}, { issuer: quay }));
  assert(first.recipient.id !== second.recipient.id);
  assertEquals([first.document.record, second.document.record], [null, null]);
  assertEquals(await documents.list(other.hash), []);
  const { fields } = await fixture.acceptLink();
  await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  assertEquals((await documents.read(first.document.id))!.record, null);
  const { record } = (await documents.read(second.document.id))!;
  assert(record !== null && record !== other.hash);
});

Deno.test("“This is not me” erases name, address and file, and the issuer cannot mail again for 90 days", async () => {
  await using fixture = await issuingFixture();
  const { kv, documents, jobs } = fixture.site.services;
  const { document } = await issued(fixture.issue({ title: "Diploma of Grace", public: true }));
  const { fields } = await fixture.acceptLink();
  const refused = await fixture.fetch("/accept", { form: { ...fields, act: "refuse" } });
  assertStringIncludes(wordsOf(await refused.text()), "the name and the files are erased");
  await fixture.site.services.mailer.flush();
  assertEquals(await rowsWith(kv, "Grace", "grace@"), []);
  assertEquals(await fixture.count("document_bytes"), 0);
  const stored = (await documents.read(document.id))!;
  assertEquals([stored.record, stored.versions[0].original.sha256], [
    null,
    document.versions[0].original.sha256,
  ]);
  assertEquals((await fixture.fetch(`/d/${document.id}`)).status, 200);
  const again = await fixture.issue();
  assertEquals(again.ok || again.error, "recipient_refused");
  // The issuer's tests and other issuers are not affected.
  assert((await fixture.issue({}, { test: true })).ok);
  fixture.clock.now += 91 * DAY_MS;
  await jobs.run("recipients");
  assert((await fixture.issue()).ok);
});

Deno.test("a document that nobody accepts can be checked, and its recipient is forgotten after 90 days", async () => {
  await using fixture = await issuingFixture();
  const { kv, documents, jobs } = fixture.site.services;
  const { document } = await issued(fixture.issue({ guessable: false }));
  const { path, fields } = await fixture.acceptLink();
  const { sha256 } = document.versions[0].original;
  const check = async () => {
    const headers = { accept: "application/json" };
    return (await (await fixture.fetch(`/check?sha256=${sha256}`, { headers })).json()).state;
  };
  assertEquals(await check(), "current");
  fixture.clock.now += WAITING_MS - DAY_MS;
  await jobs.run("recipients");
  assertStringIncludes(await (await fixture.fetch(path)).text(), "Grace Student");
  fixture.clock.now += 2 * DAY_MS;
  await jobs.run("recipients");
  assertEquals(await rowsWith(kv, "Grace", "grace@"), []);
  assertEquals(await fixture.count("document_bytes"), 0);
  assertEquals(await check(), "current");
  const late = await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  assertStringIncludes(wordsOf(await late.text()), "This offer has ended");
  assertEquals((await documents.read(document.id))!.erased_at !== undefined, true);
  // The address can be used again, for a new recipient.
  const next = await issued(fixture.issue());
  assertEquals(next.recipient.state, "waiting");
});

Deno.test("a document waits for exactly 90 days, whenever the job runs", async () => {
  await using fixture = await issuingFixture();
  const { issuing, jobs } = fixture.site.services;
  const { document, recipient } = await issued(fixture.issue());
  const { path, fields } = await fixture.acceptLink();
  const page = async () => wordsOf(await (await fixture.fetch(path)).text());
  fixture.clock.now += WAITING_MS - 1;
  assertStringIncludes(await page(), "Accept");
  assertEquals((await issuing.recipientsOf([document])).get(recipient.id)?.state, "waiting");
  fixture.clock.now += 1;
  assertStringIncludes(await page(), "This offer has ended");
  for (const act of ["accept", "refuse"]) {
    const late = await fixture.fetch("/accept", { form: { ...fields, act } });
    assertStringIncludes(wordsOf(await late.text()), "This offer has ended");
  }
  const { state, name } = (await issuing.recipientsOf([document])).get(recipient.id)!;
  assertEquals([state, name], ["lapsed", null]);
  const sent = await issuing.resend(document);
  assertEquals(sent.ok || sent.error, "recipient_forgotten");
  // A document that is issued now does not revive the earlier ones.
  const next = await issued(fixture.issue());
  assert(next.recipient.id !== recipient.id);
  await jobs.run("recipients");
  assertEquals(
    (await issuing.recipientsOf([next.document])).get(next.recipient.id)?.name,
    RECIPIENT.name,
  );
  assertStringIncludes(await page(), "This offer has ended");
});

Deno.test("the offer of a withdrawn document says why and has no way to accept it; the reason is erased with the person, and the log keeps the withdrawal", async () => {
  await using fixture = await issuingFixture();
  const { kv, documents, jobs } = fixture.site.services;
  const { document } = await issued(fixture.issue({ guessable: false }));
  assert((await documents.withdraw(document.id, "Grace has cheated.", "key k1")).ok);
  const { sha256 } = document.versions[0].original;
  const look = async () => {
    const headers = { accept: "application/json" };
    return (await (await fixture.fetch(`/check?sha256=${sha256}`, { headers })).json()).matches[0];
  };
  const before = await look();
  assertEquals([before.state, before.reason], ["withdrawn", "Grace has cheated."]);
  assertStringIncludes(
    await (await fixture.fetch(`/d/${document.id}`)).text(),
    "Grace has cheated.",
  );
  const { path } = await fixture.acceptLink();
  const offer = async () => wordsOf(await (await fixture.fetch(path)).text());
  const withdrawn = await offer();
  assertStringIncludes(withdrawn, "The reason given: Grace has cheated.");
  assertStringIncludes(withdrawn, "A document of Harbour College was withdrawn");
  assertFalse(withdrawn.includes("Register a record"));
  await issued(fixture.issue({ title: "Diploma" }));
  assertStringIncludes(await offer(), "Register a record with them");
  fixture.clock.now += WAITING_MS;
  await jobs.run("recipients");
  await fixture.site.services.mailer.flush();
  assertEquals(await rowsWith(kv, "Grace"), []);
  const { log, reason, ...after } = await look();
  assertEquals([after.state, after.withdrawn_by, reason], [
    "withdrawn",
    before.withdrawn_by,
    undefined,
  ]);
  assertEquals(log.statements, before.log.statements);
  const page = wordsOf(await (await fixture.fetch(`/d/${document.id}`)).text());
  assertStringIncludes(page, "withdrew this document");
  assertFalse(page.includes("The reason given"));
});

Deno.test("a process that dies while a recipient accepts leaves something that the next attempt completes", async () => {
  await using fixture = await issuingFixture();
  const { kv, documents, issuing, chains } = fixture.site.services;
  const { document, recipient } = await issued(fixture.issue());
  const { fields } = await fixture.acceptLink();
  const { append } = chains;
  // The process dies after the record is registered, before its address is confirmed.
  chains.append = () => Promise.reject(new Error("died"));
  await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  chains.append = append;
  assertEquals(await fixture.count("contacts"), 1);
  assertEquals((await documents.read(document.id))!.record, null);
  const accepted = await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  assertMatch(accepted.headers.get("set-cookie") ?? "", /record_session=/);
  assertEquals(await fixture.count("contacts"), 1);
  const hash = (await documents.read(document.id))!.record!;
  // The process dies before the documents are in the record.
  await kv.set(["documents", document.id], {
    ...(await documents.read(document.id))!,
    record: null,
  });
  const [row] = await Array.fromAsync(
    kv.list<{ due_at: string | null }>({ prefix: ["recipients"] }),
  );
  const due_at = new Date(fixture.clock.now).toISOString();
  await kv.set(row.key, { ...row.value, due_at });
  await issuing.finishRecipient(recipient.id);
  assertEquals((await documents.read(document.id))!.record, hash);
});

Deno.test("a mail about a further document goes to the corrected address, and an old link shows no titles", async () => {
  await using fixture = await issuingFixture();
  const { documents, kv } = fixture.site.services;
  const { document } = await issued(fixture.issue());
  const { path, fields } = await fixture.acceptLink();
  await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  const { record } = (await documents.read(document.id))!;
  // As after a correction of the address.
  const contact = await kv.get<{ record: { email: string } }>(["contacts", record!]);
  contact.value!.record.email = "grace@new.example.org";
  await kv.set(contact.key, contact.value);
  await issued(fixture.issue({ title: "Diploma" }));
  const [newest] = await fixture.mails();
  assertEquals(newest.to, "grace@new.example.org");
  const page = wordsOf(await (await fixture.fetch(path)).text());
  assertEquals(page.includes("Diploma"), false);
});

Deno.test("a document that its recipient has accepted or was mailed about is kept, and removing others resets no limit", async () => {
  await using fixture = await issuingFixture();
  const { documents, issuing, kv } = fixture.site.services;
  const LATER = { mail: "later" } as const;
  const outcomes: string[] = [];
  const unissue = (id: string) =>
    inUnit(fixture.site.services, async (unit) => {
      outcomes.push(String(await issuing.write.unissue(unit, id)));
      return {};
    });
  // Nobody has learned of this one.
  const { document: quiet } = await issued(fixture.issue({}, {}, LATER));
  await unissue(quiet.id);
  assertEquals([await documents.read(quiet.id), await fixture.count("recipients")], [null, 0]);
  // The recipient of this one was mailed.
  const { document: mailed } = await issued(fixture.issue({}, {}, LATER));
  fixture.clock.now += 1_000;
  assert((await issuing.resend(mailed)).ok);
  await unissue(mailed.id);
  assert(await documents.read(mailed.id) !== null);
  const { fields } = await fixture.acceptLink();
  await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  await unissue(mailed.id);
  const { record } = (await documents.read(mailed.id))!;
  assert(record !== null);
  // A later document gets into the record when it is sent, so until then the holder does not see it.
  fixture.clock.now += 1_000;
  const { document: later } = await issued(fixture.issue({ title: "Later" }, {}, LATER));
  assertEquals(later.record, null);
  await unissue(later.id);
  assertEquals(await documents.read(later.id), null);
  const { document: sent } = await issued(fixture.issue({ title: "Sent" }, {}, LATER));
  await issuing.deliver(sent.id);
  assertEquals((await documents.read(sent.id))!.record, record);
  assertEquals(outcomes, ["removed", "kept", "kept", "removed"]);

  // A removed document does not reset the number of mails of the day.
  const alan = { recipient: { name: "Alan", email: "alan@example.org" } };
  const { document: first } = await issued(fixture.issue(alan));
  await documents.remove(first.id);
  const { document: second } = await issued(fixture.issue(alan, {}, LATER));
  await unissue(second.id);
  const rows = await Array.fromAsync(kv.list<{ mailed_at: string[] }>({ prefix: ["recipients"] }));
  assertEquals(rows.map(({ value }) => value.mailed_at.length).toSorted(), [1, 1]);
});

Deno.test("people who share an address keep their names, and an old mail gives no recent session", async () => {
  await using fixture = await issuingFixture();
  const { documents, kv } = fixture.site.services;
  const first = await issued(fixture.issue({ recipient: { ...RECIPIENT, name: "Anna Family" } }));
  const second = await issued(fixture.issue({ recipient: { ...RECIPIENT, name: "Ben Family" } }));
  assertEquals([first.document.named, second.document.named], ["Anna Family", "Ben Family"]);
  const { path, fields } = await fixture.acceptLink();
  const page = wordsOf(await (await fixture.fetch(path)).text());
  for (const name of ["Anna Family", "Ben Family"]) assertStringIncludes(page, name);
  fixture.clock.now += 20 * 60_000;
  const accepted = await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  assertMatch(accepted.headers.get("set-cookie") ?? "", /record_session=/);
  const [session] = await Array.fromAsync(
    kv.list<{ recent_until: string | null }>({ prefix: ["record_sessions"] }),
  );
  const recent = session.value.recent_until;
  assert(recent === null || Date.parse(recent) <= fixture.clock.now, `recent until ${recent}`);
  assert((await documents.read(first.document.id))!.record !== null);
});

Deno.test("a test is not mailed, logged or accepted, and is removed after 30 days", async () => {
  await using fixture = await issuingFixture();
  const { documents, jobs, issuing } = fixture.site.services;
  const before = await fixture.count("log");
  const { document, recipient } = await issued(fixture.issue({ guessable: false }, { test: true }));
  assertEquals([document.test, recipient.test, document.log_salt], [true, true, undefined]);
  const { sha256 } = document.versions[0].original;
  const checked = wordsOf(await (await fixture.fetch(`/check?sha256=${sha256}`)).text());
  assertStringIncludes(checked, "matches a TEST, which is not registered");
  assertEquals(await fixture.mails(), []);
  assertEquals(await fixture.count("log"), before);
  const page = wordsOf(await (await fixture.fetch(`/d/${document.id}`)).text());
  assertStringIncludes(page, "A test, not a document");
  assertStringIncludes(page, "not registered");
  for (const text of ["A registered document", "registered with", "registered a document"]) {
    assertFalse(page.includes(text), text);
  }
  await inUnit(
    fixture.site.services,
    async (unit) => unwrap(await issuing.write.simulate(unit, document, "accepted")),
  );
  assertEquals((await documents.read(document.id))!.record, null);
  assert((await fixture.issue({}, { test: true })).ok);
  fixture.clock.now += TEST_MS + DAY_MS;
  await jobs.run("recipients");
  assertEquals(await documents.read(document.id), null);
  assertEquals([await fixture.count("documents"), await fixture.count("recipients")], [0, 0]);
});

Deno.test("the holder's download has the name that the issuer gave, and somebody who waits is forgotten by address", async () => {
  await using fixture = await issuingFixture();
  const { kv, issuing, records, documents } = fixture.site.services;
  const { document } = await issued(fixture.issue());
  const { fields } = await fixture.acceptLink();
  await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  const { record } = (await documents.read(document.id))!;
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  const download = JSON.parse((await records.download(record!, reader))!);
  assertEquals(download.named_by_issuers.map(({ name }: { name: string }) => name), [
    RECIPIENT.name,
  ]);
  await issued(fixture.issue({ recipient: { name: "Alan", email: "alan@example.org" } }));
  assertEquals(await issuing.forget("Alan@Example.org"), 1);
  await fixture.site.services.mailer.flush();
  assertEquals(await rowsWith(kv, "Alan", "alan@"), []);
});

Deno.test("deleting the record of a recipient erases the documents, the name and the address", async () => {
  await using fixture = await issuingFixture();
  const { kv, documents, records } = fixture.site.services;
  const { document } = await issued(fixture.issue());
  const { fields } = await fixture.acceptLink();
  await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  const { record } = (await documents.read(document.id))!;
  await fixture.site.services.mailer.flush();
  assert((await records.deletion.deleteRecord(record!)).ok);
  assertEquals(await documents.read(document.id), null);
  assertEquals(await rowsWith(kv, "Grace", "grace@"), []);
  const next = await issued(fixture.issue());
  assertEquals([next.recipient.state, next.document.record], ["waiting", null]);
});
