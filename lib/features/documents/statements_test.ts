import { assertEquals, assertRejects } from "@std/assert";
import { encodeHex } from "../../base/bytes.ts";
import { apart, openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { holdKv, type KvCall } from "../../platform/kv/testing/slow_kv.ts";
import { documentEntry, documentSlot } from "../../../packages/proof/mod.ts";
import { ChainBehindLogError } from "../log/mod.ts";
import { sequenceBatch } from "../log/store/sequence.ts";
import { logIndex } from "../log/store/tables.ts";
import { checkStored, createTestLog } from "../log/testing/fixtures.ts";
import { bodyOf, BY, documentsFixture } from "./testing/fixture.ts";
import { logDocument, readLogs, statementsOf } from "./statements.ts";
import type { DocumentRow, DocumentVersion } from "./store.ts";

const ID = "7K3M9Q2XB4TW0ZRA";

const version = (number: number, state: DocumentVersion["state"], issued = false) => {
  const file = (sha256: string) => ({
    blob: "",
    store: "kv" as const,
    sha256: sha256.repeat(64),
    size: 1,
    media_type: "application/pdf",
  });
  return {
    number,
    at: "2026-01-01T00:00:00.000Z",
    by: "admin@example.org",
    state,
    original: file("1"),
    file_name: "a.pdf",
    issued: issued ? { ...file("2"), pages: 1 } : null,
    pages: 1,
  };
};

const documentOf = (...versions: DocumentVersion[]): DocumentRow => ({
  id: ID,
  record: "c".repeat(64),
  organisation: "commercial",
  issuer: { id: "commercial", name: "Organisation" },
  title: "Letter",
  kind: "Letter",
  public: false,
  guessable: false,
  expires_at: null,
  created_at: "2026-01-01T00:00:00.000Z",
  versions,
});

const salt = "ab".repeat(32);

Deno.test("a document has a statement for each version and each withdrawal, in their order", () => {
  const document = documentOf(
    version(1, "replaced", true),
    version(2, "withdrawn"),
    version(3, "current"),
  );
  const statements = statementsOf({ ...document, log_salt: salt });
  assertEquals(
    statements.map(({ n, version, state, issued }) => [n, version, state, issued?.[0] ?? null]),
    [
      [1, 1, "registered", "2"],
      [2, 2, "registered", null],
      [3, 2, "withdrawn", null],
      [4, 3, "registered", null],
    ],
  );
});

Deno.test("a change adds only new statements; one of a document that has lost its salt is refused", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const log = createTestLog(kv, () => 0);
  const slotsOf = async (before: DocumentRow | null, after: DocumentRow) => {
    const commit = kv.atomic();
    const logged = await logDocument(log, commit, after, before);
    await commit.commit();
    const rows = await Array.fromAsync(kv.list<Uint8Array>({ prefix: ["log_pending"] }));
    for (const { key } of rows) await kv.delete(key);
    const expected = new Map(
      statementsOf(logged).map(documentEntry).map(({ slot, commitment }) => [
        encodeHex(slot),
        encodeHex(commitment),
      ]),
    );
    for (const { key, value } of rows) assertEquals(encodeHex(value), expected.get(String(key[3])));
    return rows.map(({ key }) => [key[1], key[3]]);
  };
  const slot = (n: number) => encodeHex(documentSlot(ID, n));
  const one = documentOf(version(1, "current"));
  const two = documentOf(version(1, "replaced"), version(2, "current"));
  assertEquals(await slotsOf(null, one), [[0, slot(1)]]);
  const logged = { ...one, log_salt: salt };
  assertEquals(await slotsOf(logged, { ...two, log_salt: salt }), [[0, slot(2)]]);
  assertEquals(await slotsOf(logged, { ...logged, title: "Other" }), []);
  await assertRejects(() => slotsOf(one, two), ChainBehindLogError);
});

Deno.test("a version's entries are opened with the salt, its statements, and their indexes once they are logged", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const log = createTestLog(kv, () => 0);
  const document = documentOf(version(1, "withdrawn", true), version(2, "current"));
  assertEquals(await readLogs(log, document), new Map());
  const logged = { ...document, log_salt: salt };
  const commit = kv.atomic();
  const [registered] = statementsOf(logged).map(documentEntry);
  await log.add(commit, [registered]);
  await commit.commit();
  await sequenceBatch(kv);
  const [original, issued] = ["1", "2"].map((digit) => digit.repeat(64));
  const logs = await readLogs(log, logged);
  const { at } = logged.versions[0];
  assertEquals(logs.get(1), {
    id: ID,
    log_salt: "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=",
    statements: [
      { n: 1, at, state: "registered", original, issued, index: 0 },
      { n: 2, at, state: "withdrawn", original, issued, index: null },
    ],
  });
  assertEquals(logs.get(2)!.statements.map(({ n }) => n), [3]);
  assertEquals(await readLogs(log, logged, [logged.versions[1]]), new Map([[2, logs.get(2)!]]));
});

Deno.test("a version comes after one that another process adds and logs at the same time", async () => {
  const kv = limitKv(await openKv(":memory:"));
  using other = await documentsFixture({ kv });
  const { id } = await other.add("one");
  const addVersion = ({ documents }: typeof other, text: string) =>
    documents.addVersion(id, { file_name: "a.txt", by: BY }, bodyOf(text));
  let added: Promise<unknown> | undefined;
  const held = holdKv(kv, async ({ keys }: KvCall) => {
    if (!keys.some(([prefix]) => prefix === logIndex.prefix)) return;
    await (added ??= apart(
      "It is another process.",
      () => addVersion(other, "two").then(() => sequenceBatch(kv)),
    ));
  });
  const result = await addVersion(await documentsFixture({ kv: held }), "three");
  await sequenceBatch(kv);
  if (!result.ok) throw new Error(result.error);
  const slots = [1, 2, 3].map((n) => encodeHex(documentSlot(id, n)));
  assertEquals((await checkStored(kv)).toSorted(), slots.sort());
  const { versions, log_salt } = (await other.documents.read(id))!;
  assertEquals([versions.length, log_salt?.length], [3, 64]);
});

Deno.test("a restored document whose next statement is in the log is not changed", async () => {
  using fixture = await documentsFixture();
  const { kv, documents } = fixture;
  const { id } = await fixture.add("one");
  const { value } = await kv.get(["documents", id]);
  await documents.withdraw(id, "Wrong", BY);
  await sequenceBatch(kv);
  await kv.set(["documents", id], value);
  await assertRejects(() => documents.withdraw(id, "Wrong", BY), ChainBehindLogError);
  assertEquals((await documents.read(id))!.versions[0].state, "current");
});
