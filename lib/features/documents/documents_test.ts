import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { MAX_DOCUMENTS, MAX_REASON } from "./store.ts";
import { createIssuers } from "../issuers/issuers.ts";
import { issuerRows } from "../issuers/mod.ts";
import { CHUNK_SIZE, UPLOAD_LIFETIME_MS } from "./files/bytes.ts";
import { formatDocumentId } from "./ids.ts";
import { type IssuePdf, UPLOAD_LIMIT } from "./new_version.ts";
import {
  bodyOf,
  BY,
  type DocumentsFixture,
  documentsFixture,
  newDocument,
  readBytes,
  removeUnfinished,
  someBytes,
} from "./testing/fixture.ts";
import { fail } from "../../base/result.ts";
import { until } from "../../testing/until.ts";

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const NAMES = { foundation: { name: "Foundation" }, commercial: { name: "Commercial" } };
const version = { file_name: "a.txt", by: BY };

/** Returns the document that a look-up of some text finds, whose hash is hidden because it could be guessed. */
async function matchOf({ documents }: DocumentsFixture, text: string) {
  const { registrants: [found] } = await documents.findByHash(sha256(text), "hidden");
  return found?.match ?? null;
}

Deno.test("a file of any size is stored as it is, hashed, and read back whole and in parts", async () => {
  using fixture = await documentsFixture();
  for (const size of [1, CHUNK_SIZE, CHUNK_SIZE * 8, CHUNK_SIZE * 8 + 1, UPLOAD_LIMIT]) {
    const bytes = someBytes(size);
    const document = await fixture.add(bytes);
    const { original } = document.versions[0];
    assertEquals([original.size, original.sha256], [size, sha256(bytes)]);
    assertEquals(await fixture.documents.read(document.id), document);
    assert(Buffer.compare(await readBytes(fixture.documents.open(original)), bytes) === 0);
    const ends = [0, 1, CHUNK_SIZE - 1, CHUNK_SIZE, CHUNK_SIZE * 8 + 1, size - 1, size];
    for (const from of ends.filter((from) => from < size)) {
      for (const to of ends.filter((to) => from <= to && to <= size)) {
        const part = await readBytes(fixture.documents.open(original, { from, to }));
        assert(Buffer.compare(part, bytes.subarray(from, to)) === 0, `${size}: ${from} to ${to}`);
      }
    }
  }
  assertEquals(await fixture.count("document_uploads"), 0);
});

Deno.test("an empty file and a file of one byte too many leave nothing", async () => {
  using fixture = await documentsFixture();
  const { documents, records } = fixture;
  for (const [size, error] of [[0, "empty"], [UPLOAD_LIMIT + 1, "too_large"]] as const) {
    const result = await documents.add(newDocument(records[0]), bodyOf(someBytes(size)));
    assertEquals(result.ok ? "stored" : result.error, error);
  }
  assertEquals(await fixture.keys(), []);
});

Deno.test("an upload that the client interrupts leaves nothing", async () => {
  using fixture = await documentsFixture();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(someBytes(CHUNK_SIZE * 9));
      controller.error(new Error("connection reset"));
    },
  }, { highWaterMark: 0 });
  const document = newDocument(fixture.records[0]);
  await assertRejects(() => fixture.documents.add(document, body), Error, "connection reset");
  assertEquals(await fixture.keys(), []);
});

Deno.test("a document is invisible until its upload is complete", async () => {
  using fixture = await documentsFixture();
  const { documents, records: [record] } = fixture;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const added = documents.add(newDocument(record), readable);
  const writer = writable.getWriter();
  const bytes = someBytes(CHUNK_SIZE * 20);
  await writer.write(bytes.subarray(0, CHUNK_SIZE * 17));
  await until(async () => await fixture.count("document_bytes") > 0, "the first bytes are stored");
  assertEquals(await documents.list(record), []);
  assertEquals(await fixture.count("document_uploads"), 1);
  await writer.write(bytes.subarray(CHUNK_SIZE * 17));
  await writer.close();
  const result = await added;
  assert(result.ok);
  assertEquals(await documents.list(record), [result.ok && result.document]);
});

Deno.test("30 uploads at the same time are all stored whole", async () => {
  using fixture = await documentsFixture();
  const files = Array.from({ length: 30 }, (_, i) => {
    const bytes = someBytes(CHUNK_SIZE * 10 + i);
    bytes[0] = i;
    return bytes;
  });
  const documents = await Promise.all(files.map((bytes) => fixture.add(bytes)));
  assertEquals((await fixture.documents.list(fixture.records[0])).length, 30);
  for (const [i, { versions: [{ original }] }] of documents.entries()) {
    assertEquals(original.sha256, sha256(files[i]));
    assertEquals(sha256(await readBytes(fixture.documents.open(original))), sha256(files[i]));
  }
});

Deno.test("a new version replaces the current one, and withdrawing needs a current one", async () => {
  using fixture = await documentsFixture();
  const { documents, clock } = fixture;
  const { id } = await fixture.add("one");
  const states = async () => (await documents.read(id))!.versions.map(({ state }) => state);

  clock.now += 1000;
  assert((await documents.addVersion(id, version, bodyOf("two"))).ok);
  assertEquals(await states(), ["replaced", "current"]);
  const again = await documents.addVersion(id, version, bodyOf("two"));
  assertEquals(again.ok || again.error, "conflict");

  assert((await documents.withdraw(id, "It named the wrong person.", BY)).ok);
  assertEquals(await states(), ["replaced", "withdrawn"]);
  const { versions: [, withdrawn] } = (await documents.read(id))!;
  assertEquals(
    [
      withdrawn.withdrawn_by,
      withdrawn.withdrawn_reason,
      withdrawn.withdrawn_at,
      withdrawn.at,
      withdrawn.by,
    ],
    [
      "registrar",
      "It named the wrong person.",
      "2026-03-01T10:00:01.000Z",
      "2026-03-01T10:00:01.000Z",
      BY,
    ],
  );
  const twice = await documents.withdraw(id, "Again", BY);
  assertEquals(twice.ok || twice.error, "conflict");

  assert((await documents.addVersion(id, version, bodyOf("one"))).ok);
  assertEquals(await states(), ["replaced", "withdrawn", "current"]);
  // The hash of a file that was uploaded again leads to its newest version.
  const match = await matchOf(fixture, "one");
  assertEquals([match?.version.number, match?.version.state], [3, "current"]);
  const older = await matchOf(fixture, "two");
  assertEquals([older?.version.number, older?.form], [2, "original"]);
  assertEquals(await matchOf(fixture, "three"), null);
  const unknown = await documents.addVersion("0".repeat(16), version, bodyOf("x"));
  assertEquals(unknown.ok || unknown.error, "not_found");
  assertEquals(await fixture.count("document_uploads"), 0);
});

Deno.test("an empty new version leaves the current one in force", async () => {
  using fixture = await documentsFixture();
  const document = await fixture.add("one");
  const keys = await fixture.keys();
  const result = await fixture.documents.addVersion(document.id, version, bodyOf(""));
  assertEquals(result.ok || result.error, "empty");
  assertEquals(await fixture.documents.read(document.id), document);
  assertEquals(await fixture.keys(), keys);
});

Deno.test("10 new versions of one document at the same time leave one current version", async () => {
  using fixture = await documentsFixture();
  const { id } = await fixture.add("one");
  await Promise.all(
    Array.from({ length: 10 }, (_, i) => fixture.documents.addVersion(id, version, bodyOf(`${i}`))),
  );
  const { versions } = (await fixture.documents.read(id))!;
  assertEquals(versions.map(({ number }) => number), Array.from({ length: 11 }, (_, i) => i + 1));
  assertEquals(versions.findIndex(({ state }) => state === "current"), 10);
});

Deno.test("hashes are published by default only for PDFs that cannot be guessed", async () => {
  using fixture = await documentsFixture();
  const pdf = (size: number) => "%PDF-1.7".padEnd(size);
  const guessable = async (...added: Parameters<typeof fixture.add>) =>
    (await fixture.add(...added)).guessable;
  assert(await guessable("text".padEnd(5000)));
  assert(await guessable(pdf(2047)));
  assert(!await guessable(pdf(2048)));
  assert(await guessable(pdf(2048), { guessable: true }));
  assert(!await guessable("text", { guessable: false }));
  // A new version that can be guessed hides the hashes of the document.
  const { id } = await fixture.add(pdf(2048));
  await fixture.documents.addVersion(id, version, bodyOf("text"));
  assert((await fixture.documents.read(id))!.guessable);
});

Deno.test("`onlyNew` refuses bytes that a document of the same organisation has", async () => {
  using fixture = await documentsFixture();
  const { documents } = fixture;
  const { id } = await fixture.add("one");
  const other = await fixture.add("two");
  /** Returns the keys of documents, and of files that wait for an answer. */
  const stored = async () => {
    const keys = await fixture.keys();
    const prefixes = keys.map(([prefix]) => String(prefix));
    return [
      keys.filter((_, i) => !/_(uploads|bytes)$/.test(prefixes[i])),
      prefixes.filter((prefix) => prefix === "document_uploads").length,
    ];
  };
  const [keys] = await stored();
  const refused = await documents.addVersion(
    other.id,
    { ...version, onlyNew: true },
    bodyOf("one"),
  );
  if (refused.ok) throw new Error("The version was added.");
  assertEquals(refused.error, "already_registered");
  assertStringIncludes(refused.issues!.again, formatDocumentId(id));
  // Asking would be useless, because the current version cannot be replaced by itself.
  const same = await documents.addVersion(id, { ...version, onlyNew: true }, bodyOf("one"));
  assertEquals(same.ok || same.error, "conflict");
  assertEquals(await stored(), [keys, 1]);
  await fixture.add("one", { organisation: "foundation", onlyNew: true });
  await fixture.add("one", { onlyNew: false });
});

Deno.test("a document keeps its issuer through versions, edits and corrections", async () => {
  using fixture = await documentsFixture();
  const { kv, documents, records: [record, other] } = fixture;
  const issuers = createIssuers({ kv, clock: () => fixture.clock.now, organisations: NAMES });
  const added = await issuers.add({ organisation: "commercial", name: "Harbour College", by: BY });
  if (!added.ok) throw new Error(added.error);
  const { id } = await fixture.add("one", { issuer: added.issuer.id });
  const expected = { id: added.issuer.id, name: "Harbour College" };
  assert((await documents.addVersion(id, version, bodyOf("two"))).ok);
  assert((await documents.edit(id, { title: "Diploma" }, BY)).ok);
  assertEquals((await documents.read(id))!.issuer, expected);
  await documents.recordData.move!(record, other);
  const moved = (await documents.read(id))!;
  assertEquals([moved.record, moved.issuer, moved.versions.length], [other, expected, 2]);
});

Deno.test("an edit changes only the description", async () => {
  using fixture = await documentsFixture();
  const document = await fixture.add("one");
  const changes = { title: "Diploma", public: true, expires_at: "2027-01-01T23:59:59.999Z" };
  const result = await fixture.documents.edit(document.id, changes, BY);
  assertEquals(result.ok && result.document, { ...document, ...changes });
  assertEquals(await fixture.documents.read(document.id), { ...document, ...changes });
});

Deno.test("every change of a document is in the access log of its record", async () => {
  using fixture = await documentsFixture();
  const { documents, kv, records: [record] } = fixture;
  const { id } = await fixture.add("one");
  for (
    const change of [
      () => documents.addVersion(id, version, bodyOf("two")),
      () => documents.edit(id, { kind: "Diploma" }, BY),
      () => documents.withdraw(id, "Mistake", BY),
    ]
  ) {
    fixture.clock.now += 1;
    assert((await change()).ok);
  }
  const log = await Array.fromAsync(
    kv.list<{ what: string; detail: string }>({ prefix: ["access_log", record] }),
    ({ value }) => value,
  );
  assertEquals(
    log.map(({ what }) => what),
    ["document_added", "document_replaced", "document_edited", "document_withdrawn"],
  );
  assertEquals(log[0].detail.replaceAll("-", ""), id);
});

Deno.test("a document has as many versions as fit, all of which can be withdrawn", async () => {
  using fixture = await documentsFixture();
  const { documents } = fixture;
  const long = { file_name: "—".repeat(100), by: `${"a".repeat(240)}@example.org` };
  const { id } = await fixture.add("0", long);
  let count = 1;
  while ((await documents.addVersion(id, long, bodyOf(String(count)))).ok) {
    assert((await documents.withdraw(id, "—".repeat(MAX_REASON), BY)).ok);
    count++;
  }
  assert(count > 30, `${count} versions`);
  const title = "—".repeat(120);
  assert(
    (await documents.edit(id, { title }, BY)).ok || (await documents.read(id))!.title !== title,
  );
  assertEquals(await fixture.count("document_uploads"), 0);
});

Deno.test("a record has at most 1,000 documents", async () => {
  using fixture = await documentsFixture();
  const { documents, kv, records: [record] } = fixture;
  const key = (i: number) => ["documents_by_contact", record, "2026", `${i}`];
  await Promise.all(
    Array.from({ length: MAX_DOCUMENTS - 1 }, (_, i) => kv.set(key(i), null)),
  );
  await fixture.add("one");
  const result = await documents.add(newDocument(record), bodyOf("two"));
  assertEquals(result.ok || result.error, "conflict");
});

Deno.test("nothing is added to a record that does not exist or was corrected", async () => {
  using fixture = await documentsFixture();
  const { documents, kv, records: [record, other] } = fixture;
  const unknown = await documents.add(newDocument("c".repeat(64)), bodyOf("x"));
  assertEquals(unknown.ok || unknown.error, "not_found");
  await kv.set(["records", record], { replaced_by: other });
  const corrected = await documents.add(newDocument(record), bodyOf("x"));
  assertEquals(corrected.ok || corrected.error, "conflict");
  assertEquals(await fixture.keys(), []);
});

Deno.test("a record that is deleted during an upload gets no document", async () => {
  using fixture = await documentsFixture();
  const { kv, records: [record] } = fixture;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await kv.delete(["contacts", record]);
      controller.enqueue(someBytes(10));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const result = await fixture.documents.add(newDocument(record), body);
  assertEquals(result.ok || result.error, "not_found");
  assertEquals(await fixture.keys(), []);
});

Deno.test("deleting a record deletes its documents, and only those", async () => {
  using fixture = await documentsFixture();
  const { documents, records: [record, other] } = fixture;
  const kept = await fixture.add(someBytes(CHUNK_SIZE * 3), { record: other });
  const keys = await fixture.keys();
  // The same bytes as those of the other record.
  const { id } = await fixture.add(someBytes(CHUNK_SIZE * 3));
  await documents.addVersion(id, version, bodyOf("two"));
  await fixture.add("three");
  await documents.recordData.deleteOf!(record);
  assertEquals(await fixture.keys(), keys);
  const { original } = kept.versions[0];
  assertEquals(await readBytes(documents.open(original)), someBytes(CHUNK_SIZE * 3));
  await documents.recordData.deleteOf!(record); // as after a crash
});

Deno.test("a document of a record keeps its row and its file if it is to be erased as refused or lapsed", async () => {
  using fixture = await documentsFixture();
  const { documents } = fixture;
  const document = await fixture.add("one");
  for (const type of ["document.refused", "document.lapsed"] as const) {
    await documents.eraseFiles(document.id, type);
    assertEquals(await documents.read(document.id), document, type);
  }
  const now = fixture.clock.now + UPLOAD_LIFETIME_MS;
  await removeUnfinished({ ...fixture, now });
  const bytes = await readBytes(documents.open(document.versions[0].original));
  assertEquals(new TextDecoder().decode(bytes), "one");
});

Deno.test("correcting a record moves its documents", async () => {
  using fixture = await documentsFixture();
  const { documents, records: [record, other] } = fixture;
  const [first, second] = [await fixture.add("one"), await fixture.add("two")];
  await documents.recordData.move!(record, other);
  await documents.recordData.move!(record, other); // as after a crash
  assertEquals(await documents.list(record), []);
  const moved = new Set((await documents.list(other)).map(({ id }) => id));
  assertEquals(moved, new Set([first.id, second.id]));
  assertEquals(await documents.read(first.id), { ...first, record: other });
  assertEquals((await matchOf(fixture, "one"))?.document.record, other);
  await documents.recordData.deleteOf!(other);
  assertEquals(await fixture.keys(), []);
});

Deno.test("the job removes uploads that were not finished in time, and no others", async () => {
  using fixture = await documentsFixture();
  const { documents, clock, kv } = fixture;
  await fixture.add("stored");
  const kept = (await fixture.keys()).length;
  const run = () => removeUnfinished({ kv, now: clock.now, documents });

  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const late = documents.add(newDocument(fixture.records[0]), readable);
  const writer = writable.getWriter();
  await writer.write(someBytes(CHUNK_SIZE * 9));
  await until(async () => await fixture.count("document_bytes") > 1, "the first bytes are stored");
  clock.now += UPLOAD_LIFETIME_MS - 1;
  assertEquals(await run(), "0 deleted");
  clock.now += 1;
  assertEquals(await run(), "1 deleted");
  assertEquals((await fixture.keys()).length, kept);
  // The upload continues, but writes nothing more.
  await writer.write(someBytes(CHUNK_SIZE * 9));
  await writer.close();
  const result = await late;
  assertEquals(result.ok || result.error, "conflict");
  assertEquals((await fixture.keys()).length, kept);
  assertEquals((await Array.fromAsync(kv.list({ prefix: ["document_uploads"] }))).length, 0);
});

Deno.test("a document whose original the job removes while its copy is made is not stored", async () => {
  using fixture = await documentsFixture({
    issuePdf: async (original) => {
      fixture.clock.now += UPLOAD_LIFETIME_MS;
      const { kv, clock, documents } = fixture;
      assertEquals(await removeUnfinished({ kv, now: clock.now, documents }), "1 deleted");
      return { ok: true, bytes: original, pages: 1 };
    },
  });
  const before = (await fixture.keys()).length;
  const given = newDocument(fixture.records[0]);
  const result = await fixture.documents.add(given, bodyOf("%PDF-1.7 original"));
  assertEquals(result.ok || result.error, "conflict");
  assertEquals((await fixture.keys()).length, before);
});

Deno.test("an issued copy is stored with the original, and both hashes lead to the document", async () => {
  const seen: Parameters<IssuePdf>[1][] = [];
  using fixture = await documentsFixture({
    issuePdf: (original, details) => {
      seen.push(details);
      return Promise.resolve({
        ok: true,
        bytes: new Uint8Array([...original, 1, 2, 3]),
        pages: 6,
      });
    },
  });
  const { id, versions: [{ original, issued, pages }] } = await fixture.add("%PDF-1.7 original");
  assertEquals([pages, issued!.pages, issued!.size], [6, 6, original.size + 3]);
  const [{ address, ...details }] = seen;
  assertEquals(details, {
    sha256: original.sha256,
    organisation: "commercial",
    issuer: seen[0].issuer,
    issuedAt: "2026-03-01T10:00:00.000Z",
    title: "Certificate of Ada",
    checkUrl: "http://trust.localhost:8000/check",
  });
  assertEquals(address, `http://trust.localhost:8000/d/${id}`);
  for (const [hash, form] of [[original.sha256, "original"], [issued!.sha256, "issued"]]) {
    const { registrants: [{ match }] } = await fixture.documents.findByHash(hash, "hidden");
    assertEquals([match?.document.id, match?.form], [id, form]);
  }
  assertEquals((await fixture.add("no PDF")).versions[0].issued, null);
  assertEquals(seen.length, 1);
  await fixture.documents.recordData.deleteOf!(fixture.records[0]);
  assertEquals(await fixture.keys(), []);
});

Deno.test("the copy of a test says so, and that of a verified issuer names its domain", async () => {
  const seen: Parameters<IssuePdf>[1][] = [];
  using fixture = await documentsFixture({
    issuePdf: (_, details) => {
      seen.push(details);
      return Promise.resolve({ ok: true, unchanged: true, pages: 1 });
    },
  });
  const { kv } = fixture;
  const issuers = createIssuers({ kv, clock: () => fixture.clock.now, organisations: NAMES });
  const added = await issuers.add({ organisation: "commercial", name: "Harbour College", by: BY });
  if (!added.ok) throw new Error(added.error);
  const at = "2026-02-20T10:00:00.000Z";
  const domain = {
    name: "harbour.example",
    token: "t",
    method: "dns",
    failing_since: null,
  } as const;
  const commit = kv.atomic();
  issuerRows.set(commit, {
    ...added.issuer,
    domain: {
      ...domain,
      added_at: at,
      verified_at: at,
      checked_at: at,
      warnings: 0,
      outcome: null,
    },
  });
  await commit.commit();
  const issuer = added.issuer.id;
  await fixture.add("%PDF-1.7 live", { issuer });
  await fixture.add("%PDF-1.7 test", { issuer, test: true });
  assertEquals(seen.map(({ test, issuer }) => [test, issuer.domain]), [
    [undefined, { name: domain.name, verifiedOn: at }],
    [true, { name: domain.name, verifiedOn: at }],
  ]);
});

Deno.test("a PDF that cannot be issued is rejected with the reason and leaves nothing", async () => {
  using fixture = await documentsFixture({
    issuePdf: () => Promise.resolve(fail("encrypted", { message: "Remove the password." })),
  });
  const document = newDocument(fixture.records[0]);
  const result = await fixture.documents.add(document, bodyOf("%PDF-1.7"));
  assertEquals(result, fail("encrypted", { message: "Remove the password." }));
  assertEquals(await fixture.keys(), []);
});

Deno.test("a signed PDF is kept unchanged, with its number of pages", async () => {
  using fixture = await documentsFixture({
    issuePdf: () => Promise.resolve({ ok: true, unchanged: true, pages: 2 }),
  });
  const { versions: [{ issued, pages }] } = await fixture.add("%PDF-1.7");
  assertEquals([issued, pages], [null, 2]);
});

Deno.test("a file that is named .pdf but that no program recognises as one is refused", async () => {
  using fixture = await documentsFixture({
    issuePdf: () => Promise.resolve({ ok: true, unchanged: true, pages: 2 }),
  });
  const { documents, records: [record] } = fixture;
  const add = (file_name: string, body: string) =>
    documents.add({ ...newDocument(record), file_name }, bodyOf(body));
  const junk = "x".repeat(1020) + "%PDF-1.7\n1 0 obj << >> endobj";
  for (const name of ["a.pdf", "A.PDF"]) {
    const refused = await add(name, junk);
    assertEquals(refused.ok || refused.error, "no_header");
  }
  assertEquals(await fixture.keys(), []);
  assert((await add("a.txt", junk)).ok);
  assert((await add("a.pdf", junk.slice(1))).ok);
});

Deno.test("an upload that the job removes right before its commit is not stored", async () => {
  using fixture: DocumentsFixture = await documentsFixture({
    issuePdf: async () => {
      fixture.clock.now += UPLOAD_LIFETIME_MS;
      const { kv, clock, documents } = fixture;
      await removeUnfinished({ kv, now: clock.now, documents });
      return { ok: true, unchanged: true, pages: 1 };
    },
  });
  const result = await fixture.documents.add(newDocument(fixture.records[0]), bodyOf("%PDF-1.7"));
  assertEquals(result.ok || result.error, "conflict");
  assertEquals(await fixture.keys(), []);
});

Deno.test("reading a file fails if bytes in its middle are missing", async () => {
  using fixture = await documentsFixture();
  const { versions: [{ original }] } = await fixture.add(someBytes(CHUNK_SIZE * 3));
  await fixture.kv.delete(["document_bytes", original.blob, 1]);
  await assertRejects(() => readBytes(fixture.documents.open(original)), Error, "missing");
});
