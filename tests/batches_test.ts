import { apart, inUnit, openKv } from "../lib/platform/kv/mod.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import {
  batchDefaults,
  batchLimits,
  type BatchLine,
  type BatchRow,
  CHECKED_MS,
  HOLD_MS,
  MAX_CHECKED,
  MAX_ROWS_A_DAY,
  MAX_UNFINISHED,
  STORING_MS,
} from "../lib/features/issuing/batches/mod.ts";
import { batchLines } from "../lib/features/issuing/batches/rows.ts";
import { byKey } from "../lib/features/documents/mod.ts";
import { MAX_ISSUED } from "../lib/features/issuing/issued_limit.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { statusOf } from "./contact_site.ts";
import { issuingFixture } from "./issuing_site.ts";
import type { SiteOverrides } from "./site.ts";
import { keyForm } from "./key_site.ts";

const BY = "key k1";
const DEFAULTS = batchDefaults.parse({ title: "Certificate III", date: "2026-11-20" });

async function batchFixture(overrides: SiteOverrides = {}) {
  const fixture = await issuingFixture({}, overrides);
  const { batches, jobs, documents, kv, mailer } = fixture.site.services;
  const live = { issuer: fixture.issuer, test: false };
  const people = (count: number) =>
    Array.from({ length: count }, (_, i) => `Student ${i},student${i}@example.org,A-${i}`);
  const check = (lines: readonly string[], owner = live) =>
    batches.check(
      owner.issuer,
      new Blob([["name,email,external_id", ...lines].join("\n")]).stream(),
      DEFAULTS,
    );
  return {
    ...fixture,
    live,
    people,
    check,
    async add(lines: readonly string[], owner = live, by = BY): Promise<BatchRow> {
      const checked = await check(lines, owner);
      if (!checked.ok) throw new Error(JSON.stringify(checked));
      const added = await batches.add(owner, { name: "students.csv", by, rows: checked.rows });
      if (!added.ok) throw new Error(added.message);
      return added.batch;
    },
    async run(): Promise<void> {
      const run = await jobs.run("batches");
      assertEquals(run?.outcome, "done", run?.detail ?? "");
    },
    read: async ({ id }: { id: string }, owner = live) => (await batches.read(owner, id))!,
    lines: (batch: BatchRow): Promise<BatchLine[]> => Array.fromAsync(batches.lines(batch)),
    async documentsOf(batch: BatchRow) {
      const lines = await Array.fromAsync(batches.lines(batch));
      return await Promise.all(lines.flatMap(({ document }) => document ?? []).map(documents.read));
    },
    /** Returns how many mails were sent to each address. */
    async mailed(): Promise<Map<string, number>> {
      await mailer.flush();
      const counts = new Map<string, number>();
      for (const { to } of await fixture.mails()) counts.set(to, (counts.get(to) ?? 0) + 1);
      return counts;
    },
    rowsWith: async (text: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const { key, value } of kv.list({ prefix: [] })) {
        const row = JSON.stringify(
          [key, value],
          (_, part) => typeof part === "bigint" ? `${part}` : part,
        );
        if (row.includes(text)) found.push(String(key[0]));
      }
      return found;
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

Deno.test("a batch issues a document for each row, waits an hour, and mails each recipient once", async () => {
  await using fixture = await batchFixture();
  const { clock } = fixture;
  // The last two are for the same person.
  const batch = await fixture.add([
    ...fixture.people(60),
    "Grace Student,grace@example.org,B-1",
    "Grace Student,grace@example.org,B-2",
  ]);
  assertEquals([batch.state, batch.rows], ["issuing", 62]);
  await fixture.run();
  const held = await fixture.read(batch);
  assertEquals([held.state, held.issued, held.failed, held.sent], ["holding", 62, 0, 0]);
  assertEquals(Date.parse(held.send_at!), clock.now + HOLD_MS);
  const lines = await fixture.lines(batch);
  assert(lines.every(({ state, values }) => state === "issued" && values === null));
  const issued = await fixture.documentsOf(batch);
  assertEquals(issued.map((document) => document!.external_id), [
    ...Array.from({ length: 60 }, (_, i) => `A-${i}`),
    "B-1",
    "B-2",
  ]);
  const [{ title, kind, date, versions: [version] }] = issued as NonNullable<typeof issued[0]>[];
  assertEquals([title, kind, date, version.by, version.original.media_type], [
    "Certificate III",
    "Certificate",
    "2026-11-20",
    BY,
    "application/pdf",
  ]);
  assertEquals(await fixture.count("recipients"), 61);
  clock.now += HOLD_MS - MINUTE_MS;
  await fixture.run();
  assertEquals((await fixture.mailed()).size, 0);
  clock.now += MINUTE_MS;
  await fixture.run();
  const done = await fixture.read(batch);
  assertEquals([done.state, done.sent], ["done", 62]);
  const mailed = await fixture.mailed();
  assertEquals([mailed.size, new Set(mailed.values())], [61, new Set([1])]);
  clock.now += HOLD_MS;
  await fixture.run();
  assertEquals((await fixture.mailed()).size, 61);
});

Deno.test("a batch of a key puts the document of a recipient who has accepted one into their record, and mails them", async () => {
  await using fixture = await batchFixture();
  const { issuerKeys } = fixture.site.services;
  const { row } = unwrap(
    await issuerKeys.create({
      issuer: fixture.issuer.id,
      by: "admin@example.org",
      ...keyForm(),
    }),
  );
  unwrap(await fixture.issue({ recipient: { name: "Student 0", email: "student0@example.org" } }));
  const { fields } = await fixture.acceptLink();
  await statusOf(fixture.fetch("/accept", { form: { ...fields, act: "accept" } }));
  const before = (await fixture.mailed()).get("student0@example.org")!;
  const batch = await fixture.add(fixture.people(1), fixture.live, byKey(row.id));
  await fixture.run();
  assertEquals((await fixture.documentsOf(batch)).map((each) => each!.record), [null]);
  fixture.clock.now += HOLD_MS;
  await fixture.run();
  assert((await fixture.documentsOf(batch))[0]!.record);
  assertEquals((await fixture.mailed()).get("student0@example.org"), before + 1);
});

Deno.test("documents that wait in a batch count for the limit, and become offers if the holder ends the issuer meanwhile", async () => {
  await using fixture = await batchFixture();
  const { batches, issuing, kv } = fixture.site.services;
  const email = "student0@example.org";
  const { recipient, document } = unwrap(
    await fixture.issue({ recipient: { name: "Student 0", email } }),
  );
  const accept = async () => {
    const { fields } = await fixture.acceptLink();
    await statusOf(fixture.fetch("/accept", { form: { ...fields, act: "accept" } }));
  };
  await accept();
  const record = (await fixture.site.services.documents.read(document.id))!.record!;
  for (let i = 3; i < MAX_ISSUED; i++) {
    await kv.set(["documents_by_recipient", recipient.id, "2026", `${i}`], null);
  }
  const rows = ["A", "B", "C"].map((id) => `Student 0,${email},${id}`);
  const batch = await fixture.add(rows);
  await fixture.run();
  const { issued, failed } = await fixture.read(batch);
  assertEquals([issued, failed], [2, 1]);
  const lines = await fixture.lines(batch);
  assertEquals(lines.flatMap(({ problem }) => problem?.error ?? []), ["too_many_documents"]);

  const reader = { network: "203.0.113.0/24", browser: "Firefox" };
  await issuing.laterDocuments.end(record, { issuer: fixture.issuer.id, reader });
  const before = (await fixture.mailed()).get(email)!;
  unwrap(await batches.send(fixture.live, batch.id, BY));
  await fixture.run();
  const offered = (await fixture.documentsOf(batch)).map((each) => each!);
  assertEquals(offered.map((each) => each.record), [null, null]);
  const [waiting, ...others] = (await issuing.recipientsOf(offered)).values();
  assertEquals([waiting.state, waiting.email, others.length], ["waiting", email, 0]);
  assertEquals((await fixture.mailed()).get(email), before + 1);
  await accept();
  const accepted = (await fixture.documentsOf(batch)).map((each) => each!.record);
  assert(accepted.every((each) => each !== null && each !== record));
});

Deno.test("documents that wait in a batch are erased if their recipient's record is erased, or the mailbox refuses", async () => {
  await using fixture = await batchFixture();
  const { batches, documents, issuing, records, secrets } = fixture.site.services;
  const offer = async (email: string) => {
    const { recipient: { id } } = unwrap(await fixture.issue({ recipient: { name: "A", email } }));
    return { id, token: await secrets.sign("acceptance", id) };
  };
  const reader = { network: "203.0.113.0/24", browser: "Firefox" };
  const accepted = await Promise.all(["a", "b"].map(async (name) => {
    const link = await offer(`${name}@example.org`);
    const use = { surface: "trust", browser: null, reader, previous: null } as const;
    await issuing.acceptance.accept(link, use);
    const [{ record }] = await documents.ofRecipient(link.id);
    return record!;
  }));
  const batch = await fixture.add(["A,a@example.org,1", "B,b@example.org,2"]);
  await fixture.run();
  assertEquals((await fixture.read(batch)).issued, 2);
  await issuing.laterDocuments.end(accepted[0], { issuer: fixture.issuer.id, reader });
  await issuing.acceptance.refuse(await offer("a+tag@example.org"));
  assert((await records.deletion.deleteRecord(accepted[1])).ok);
  unwrap(await batches.send(fixture.live, batch.id, BY));
  await fixture.run();
  for (const document of await fixture.documentsOf(batch)) {
    assert(document!.erased_at !== undefined && document!.record === null);
  }
});

Deno.test("“Send now” sends without waiting, even if documents are still being issued", async () => {
  await using fixture = await batchFixture();
  const { batches } = fixture.site.services;
  const first = await fixture.add(fixture.people(2));
  await fixture.run();
  assert((await batches.send(fixture.live, first.id, BY)).ok);
  await fixture.run();
  assertEquals((await fixture.read(first)).state, "done");
  const second = await fixture.add(["Ada,ada@example.org,C-1"]);
  assert((await batches.send(fixture.live, second.id, BY)).ok);
  await fixture.run();
  assertEquals((await fixture.read(second)).state, "done");
  assertEquals((await fixture.mailed()).size, 3);
  const late = await batches.cancel(fixture.live, second.id, BY);
  assertEquals(late.ok || late.error, "conflict");
});

Deno.test("a batch that is undone within the hour leaves no document, recipient, file or mail", async () => {
  await using fixture = await batchFixture();
  const { batches, documents, issuing, kv } = fixture.site.services;
  // The document that was issued before stays with its recipient.
  const before = await fixture.issue({
    recipient: { name: "Student 0", email: "student0@example.org" },
  });
  assert(before.ok);
  const files = await fixture.count("document_bytes");
  const batch = await fixture.add(fixture.people(30));
  await fixture.run();
  assertEquals(await fixture.count("documents"), 31);
  assert((await batches.cancel(fixture.live, batch.id, BY)).ok);
  assertEquals((await batches.send(fixture.live, batch.id, BY)).ok, false);
  await fixture.run();
  const undone = await fixture.read(batch);
  assertEquals([undone.state, undone.removed], ["undone", 30]);
  const left = await issuing.findRecipient(
    { id: fixture.issuer.id, test: false },
    "student0@example.org",
  );
  assertEquals((await documents.ofRecipient(left!.id)).map(({ id }) => id), [
    before.ok && before.document.id,
  ]);
  assertEquals([await fixture.count("documents"), await fixture.count("recipients")], [1, 1]);
  assertEquals(await fixture.count("document_bytes"), files);
  assertEquals(await Array.fromAsync(kv.list({ prefix: ["document_uploads"] })), []);
  assertEquals(await fixture.rowsWith("student1@"), []);
  fixture.clock.now += 2 * HOUR_MS;
  await fixture.run();
  assertEquals((await fixture.mailed()).size, 1);
});

Deno.test("an undone batch keeps the documents whose recipients were mailed about them, and counts these", async () => {
  await using fixture = await batchFixture();
  const { batches, issuing, mailer } = fixture.site.services;
  const batch = await fixture.add(fixture.people(3));
  await fixture.run();
  const [document] = await fixture.documentsOf(batch);
  fixture.clock.now += MINUTE_MS;
  assert((await issuing.resend(document!)).ok);
  await mailer.flush();
  assert((await batches.cancel(fixture.live, batch.id, BY)).ok);
  await fixture.run();
  const { state, removed, kept } = await fixture.read(batch);
  assertEquals([state, removed, kept], ["undone", 2, 1]);
  assertEquals((await fixture.lines(batch)).map(({ state }) => state), [
    "kept",
    "removed",
    "removed",
  ]);
  assertEquals(await fixture.count("documents"), 1);
});

Deno.test("a row that becomes sent while its batch is undone keeps its state and its document", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await batchFixture({ kv });
  const { batches } = fixture.site.services;
  const batch = await fixture.add(fixture.people(1));
  await fixture.run();
  assert((await batches.cancel(fixture.live, batch.id, BY)).ok);
  kv.meanwhile("issuing_batch_rows", async () => {
    const entry = await batchLines.get(kv, batch.id, 0);
    const commit = kv.atomic();
    batchLines.replace(commit, entry, { ...entry.value!, state: "sent" }, fixture.clock.now);
    assert((await commit.commit()).ok);
  });
  await fixture.run();
  assertEquals((await fixture.lines(batch)).map(({ state }) => state), ["sent"]);
  assertEquals(await fixture.count("documents"), 1);
});

Deno.test("the own organisation, which has no row, has its batch mailed", async () => {
  await using fixture = await batchFixture();
  const [own] = await fixture.site.services.issuers.list("commercial");
  assertEquals(own.id, "commercial");
  const owner = { issuer: own, test: false };
  const batch = await fixture.add(fixture.people(1), owner);
  await fixture.run();
  fixture.clock.now += HOLD_MS;
  await fixture.run();
  const { state, sent } = await fixture.read(batch, owner);
  assertEquals([state, sent, (await fixture.mailed()).size], ["done", 1, 1]);
});

Deno.test("the progress of a batch that is cancelled while documents are issued counts each of them, and no more are issued", async () => {
  await using fixture = await batchFixture();
  const { batches, issuing } = fixture.site.services;
  const batch = await fixture.add(fixture.people(100));
  const { draft } = issuing;
  let count = 0;
  let shown: [stored: number, counted: boolean] | undefined;
  issuing.draft = async (...request) => {
    if (++count === 70) {
      const row = await fixture.read(batch);
      // 16 are issued at a time, so most of the 70 are issued now.
      shown = [row.issued, (await batches.progress(row)).issued >= 54];
      await batches.cancel(fixture.live, batch.id, BY);
    }
    return await draft(...request);
  };
  await fixture.run();
  assertEquals((await fixture.read(batch)).state, "undone");
  assertEquals(shown, [48, true]);
  assert(count < 100);
  assertEquals([await fixture.count("documents"), await fixture.count("recipients")], [0, 0]);
  assertEquals(await fixture.rowsWith("student99@"), []);
});

Deno.test("the rows of one recipient are issued and mailed one after another, so no commit fails because of another row", async () => {
  await using fixture = await batchFixture();
  const { kv } = fixture.site.services;
  const failed: string[] = [];
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    return Object.assign(operation, {
      async commit() {
        const result = await commit();
        const checks = (operation as unknown as { checks: Deno.AtomicCheck[] }).checks;
        if (!result.ok) failed.push(checks.map(({ key }) => key[0]).join(" "));
        return result;
      },
    });
  };
  const rows = fixture.people(4).flatMap((row) => [1, 2, 3].map((n) => `${row}-${n}`));
  const batch = await fixture.add(rows);
  await fixture.run();
  fixture.clock.now += HOUR_MS;
  await fixture.run();
  const { state, issued, sent } = await fixture.read(batch);
  assertEquals([state, issued, sent, failed], ["done", 12, 12, []]);
});

Deno.test("a row that cannot be issued fails with its reason, and the others continue", async () => {
  await using fixture = await batchFixture();
  assert((await fixture.issue({ recipient: { name: "Ada", email: "student1@example.org" } })).ok);
  await fixture.site.services.mailer.flush();
  const { fields } = await fixture.acceptLink();
  await fixture.fetch("/accept", { form: { ...fields, act: "refuse" } });
  const batch = await fixture.add(fixture.people(3));
  await fixture.run();
  const held = await fixture.read(batch);
  assertEquals([held.state, held.issued, held.failed], ["holding", 2, 1]);
  const [, failed] = await fixture.lines(batch);
  assertEquals([failed.state, failed.values, failed.problem?.error], [
    "failed",
    null,
    "recipient_refused",
  ]);
  fixture.clock.now += HOLD_MS;
  await fixture.run();
  assertEquals((await fixture.read(batch)).sent, 2);
});

Deno.test("a test has the same states, and nobody is mailed", async () => {
  await using fixture = await batchFixture();
  const owner = { ...fixture.live, test: true };
  const batch = await fixture.add(fixture.people(3), owner);
  await fixture.run();
  assertEquals((await fixture.read(batch, owner)).state, "holding");
  assertEquals(await fixture.site.services.batches.read(fixture.live, batch.id), null);
  fixture.clock.now += HOLD_MS;
  await fixture.run();
  const done = await fixture.read(batch, owner);
  assertEquals([done.state, done.sent], ["done", 3]);
  assertEquals((await fixture.mailed()).size, 0);
  assertEquals((await fixture.site.services.batches.list(fixture.live)).length, 0);
  assertEquals((await fixture.site.services.batches.list(owner)).length, 1);
});

Deno.test("a row whose recipient asked to be forgotten is not issued", async () => {
  await using fixture = await batchFixture();
  const batch = await fixture.add(fixture.people(3));
  assertEquals(await fixture.site.services.batches.forget("Student1@example.org"), 1);
  assertEquals(await fixture.rowsWith("student1@"), []);
  await fixture.run();
  const held = await fixture.read(batch);
  assertEquals([held.issued, held.failed], [2, 1]);
});

Deno.test("a batch whose storing was interrupted is never seen, and its rows are removed", async () => {
  await using fixture = await batchFixture();
  const { batches, kv } = fixture.site.services;
  const checked = await fixture.check(fixture.people(250));
  if (!checked.ok) throw new Error(checked.message);
  const file = { name: null, by: BY, rows: checked.rows };
  unwrap(await batches.store(fixture.live, file)); // and the process dies
  assertEquals(await batches.list(fixture.live), []);
  await fixture.run();
  assertEquals(await fixture.count("issuing_batch_rows"), 250);
  fixture.clock.now += STORING_MS;
  await fixture.run();
  for (const prefix of ["issuing_batch_rows", "issuing_batches", "issuing_batches_by_work"]) {
    assertEquals(await Array.fromAsync(kv.list({ prefix: [prefix] })), [], prefix);
  }
});

Deno.test("an issuer has at most ten batches in progress", async () => {
  await using fixture = await batchFixture();
  const { batches } = fixture.site.services;
  for (let i = 0; i < MAX_UNFINISHED; i++) {
    await fixture.add([`Ada ${i},ada${i}@example.org,D-${i}`]);
  }
  const checked = await fixture.check(["Eve,eve@example.org,E-1"]);
  if (!checked.ok) throw new Error(checked.message);
  const refused = await batches.add(fixture.live, { name: null, by: BY, rows: checked.rows });
  assertStringIncludes(refused.ok ? "" : refused.message!, "10 batches are in progress");
  const other = await fixture.addIssuer("Quay School");
  await fixture.add(["Eve,eve@example.org,E-1"], { issuer: other, test: false });
});

Deno.test("batches that are added at the same time keep to the limits of batches and of rows a day", async () => {
  await using fixture = await batchFixture();
  const { batches } = fixture.site.services;
  const checked = await fixture.check(fixture.people(1));
  if (!checked.ok) throw new Error(checked.message);
  const add = (rows = checked.rows) => batches.add(fixture.live, { name: null, by: BY, rows });
  const added = await Promise.all(Array.from({ length: 2 * MAX_UNFINISHED }, () => add()));
  assertEquals(added.filter(({ ok }) => ok).length, MAX_UNFINISHED);
  await fixture.run();
  for (const { id } of await batches.list(fixture.live)) await batches.cancel(fixture.live, id, BY);
  await fixture.run();
  // As if the issuer had sent others: only the number counts.
  const { kv } = fixture.site.services;
  const entry = await batchLimits.get(kv, fixture.issuer.id, "live");
  assertEquals(entry.value?.rows, MAX_UNFINISHED);
  const commit = kv.atomic();
  batchLimits.replace(commit, entry, { ...entry.value!, rows: MAX_ROWS_A_DAY }, fixture.clock.now);
  await commit.commit();
  const refused = await add();
  assertEquals(refused.ok ? null : refused.error, "rate_limited");
  fixture.clock.now += 24 * HOUR_MS;
  assert((await add()).ok);
});

Deno.test("a checked file issues nothing until somebody says so, and then each document once", async () => {
  await using fixture = await batchFixture();
  const { batches: { checked, ...batches }, kv } = fixture.site.services;
  const { rows } = unwrap(await fixture.check(fixture.people(30)));
  const keep = async () =>
    unwrap(await checked.keep(fixture.live, { name: "grads.csv", by: "ada@example.org", rows }))
      .batch;
  const batch = await keep();
  assertEquals([batch.state, batch.title, batch.rows], ["checked", "Certificate, 20 Nov 2026", 30]);
  await fixture.run();
  assertEquals(await fixture.count("documents"), 0);
  assertEquals([await batches.read(fixture.live, batch.id), await batches.list(fixture.live)], [
    null,
    [],
  ]);
  assertEquals((await batches.send(fixture.live, batch.id, BY)).ok, false);
  const [line] = await checked.rows(batch, [17]);
  assertEquals(line.values?.name, "Student 17");
  const drawn = unwrap((await checked.certificate(fixture.live, line))!);
  assertEquals(new TextDecoder().decode(drawn.bytes.slice(0, 5)), "%PDF-");

  const other = await fixture.addIssuer("Quay School");
  assertEquals(await checked.find(other.id, batch.id), null);
  const foreign = await checked.issue({ issuer: other, test: false }, batch.id, BY);
  assertEquals(foreign.ok ? null : foreign.error, "not_found");

  const issued = await Promise.all([1, 2, 3].map(() => checked.issue(fixture.live, batch.id, BY)));
  assert(issued.every(({ ok }) => ok));
  await checked.discard(fixture.live, batch.id);
  await fixture.run();
  assertEquals(await fixture.count("documents"), 30);
  assertEquals((await batchLimits.get(kv, fixture.issuer.id, "live")).value?.rows, 30);
  const state = await fixture.read(batch);
  assertEquals([state.state, state.found], ["holding", null]);
});

Deno.test("a checked file is removed when it is discarded, and after a day, and cannot be issued any more", async () => {
  await using fixture = await batchFixture();
  const { batches: { checked } } = fixture.site.services;
  const { rows } = unwrap(await fixture.check(fixture.people(120)));
  const file = { name: "grads.csv", by: BY, rows };
  const [first, second] = [
    unwrap(await checked.keep(fixture.live, file)).batch,
    unwrap(await checked.keep(fixture.live, file)).batch,
  ];
  const [discarded, issued] = await Promise.all([
    checked.discard(fixture.live, first.id),
    checked.issue(fixture.live, first.id, BY),
  ]);
  assertEquals(discarded, undefined);
  // The request that came first took full effect.
  assertEquals(await fixture.count("issuing_batch_rows"), issued.ok ? 240 : 120);
  if (issued.ok) await fixture.run();
  fixture.clock.now += CHECKED_MS;
  await fixture.run();
  const late = await checked.issue(fixture.live, second.id, BY);
  assertEquals(late.ok ? null : late.error, "not_found");
  assertEquals(await checked.list(fixture.live), []);
  assertEquals(await fixture.count("issuing_batch_rows"), issued.ok ? 120 : 0);
});

Deno.test("at most ten checked files of an issuer wait, and they keep no batch from beginning", async () => {
  await using fixture = await batchFixture();
  const { batches: { checked } } = fixture.site.services;
  const { rows } = unwrap(await fixture.check(fixture.people(1)));
  const keep = () => checked.keep(fixture.live, { name: "a.csv", by: BY, rows });
  for (let i = 0; i < MAX_CHECKED; i++) unwrap(await keep());
  const refused = await keep();
  assertStringIncludes(
    refused.ok ? "" : refused.message!,
    "10 checked files of this issuer are waiting",
  );
  await fixture.add(["Ada,ada@example.org,A-1"]);
  await checked.discard(fixture.live, (await checked.list(fixture.live))[0].id);
  unwrap(await keep());
});

Deno.test("one file of an issuer is checked at a time", async () => {
  await using fixture = await batchFixture();
  const other = await fixture.addIssuer("Quay School");
  const [first, second, others] = await Promise.all([
    fixture.check(fixture.people(3)),
    fixture.check(fixture.people(3)),
    fixture.check(fixture.people(3), { issuer: other, test: false }),
  ]);
  assertEquals([first.ok, second.ok, others.ok], [true, false, true]);
  assertEquals(second.ok ? null : second.error, "rate_limited");
  assert((await fixture.check(fixture.people(3))).ok);
});

Deno.test("a batch that is stored while a recipient asks to be forgotten does not begin", async () => {
  await using fixture = await batchFixture();
  const { batches } = fixture.site.services;
  const checked = await fixture.check(fixture.people(250));
  if (!checked.ok) throw new Error(checked.message);
  const file = { name: null, by: BY, rows: checked.rows };
  const { stored } = unwrap(await batches.store(fixture.live, file));
  const added = await inUnit(fixture.site.services, async (unit) => {
    assertEquals(await apart("Somebody else", () => batches.forget("student1@example.org")), 1);
    return await batches.write.begin(unit, stored);
  });
  assertEquals(added.ok ? null : added.error, "unavailable");
  assertEquals(await fixture.rowsWith("student1@"), []);
  await fixture.run();
  assertEquals(await fixture.count("documents"), 0);
});
