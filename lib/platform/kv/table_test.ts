import { z } from "zod";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { EXPIRING } from "./expiry.ts";
import { defineLimit } from "./limits.ts";
import { openKv } from "./open.ts";
import { defineTable } from "./table.ts";
import { expires, tableFinder, WITH_ACCOUNT, WITH_RECORD } from "./table_description.ts";
import { limitKv } from "./testing/limited_kv.ts";
import { raceKv } from "./testing/race_kv.ts";

const note = z.strictObject({ id: z.string(), record: z.string(), topic: z.string().nullable() });
type Note = z.infer<typeof note>;

const notes = defineTable({
  prefix: "notes",
  value: note,
  key: ["id"],
  indexes: { notes_by_record: ["record"], notes_by_topic: ["topic"] },
  owner: { record: "record" },
  lifetime: WITH_RECORD,
  per: "note",
});

const visits = defineTable({
  prefix: "visits",
  value: z.strictObject({ record: z.string(), day: z.string(), ...EXPIRING }),
  key: ["record", "day"],
  owner: { record: "record" },
  lifetime: expires("1 day"),
  per: "visit",
});

const ids = (entries: Deno.KvEntry<Note>[]) => entries.map(({ value }) => value.id);
const keysOf = (kv: Deno.Kv) =>
  Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key.join("/"));

/** Returns a store with a number of notes of the record `one` and a note of `two`. */
async function filled(count: number): Promise<Deno.Kv> {
  const kv = limitKv(await openKv(":memory:"));
  const commit = kv.atomic();
  for (let i = 1; i <= count; i++) notes.set(commit, { id: `n${i}`, record: "one", topic: null });
  notes.set(commit, { id: "other", record: "two", topic: "law" });
  await commit.commit();
  return kv;
}

Deno.test("set() writes a row below its key and in each index whose columns are not null", async () => {
  using kv = await filled(1);
  assertEquals(await keysOf(kv), [
    "notes/n1",
    "notes/other",
    "notes_by_record/one/n1",
    "notes_by_record/two/other",
    "notes_by_topic/law/other",
  ]);
  assertEquals((await notes.get(kv, "n1")).value, { id: "n1", record: "one", topic: null });
  assertEquals((await kv.get(["notes_by_record", "one", "n1"])).value, null);
});

for (const method of ["move", "deleteOf"] as const) {
  Deno.test(`${method}() leaves a row that moves to a third record meanwhile`, async () => {
    using kv = raceKv(await filled(1));
    const moved = { id: "n1", record: "three", topic: null };
    kv.meanwhile("notes", () => {
      const commit = kv.atomic();
      notes.delete(commit, { ...moved, record: "one" });
      notes.set(commit, moved);
      return commit.commit();
    });
    await (method === "move" ? notes.move(kv, "one", "two", 0) : notes.deleteOf(kv, "one"));
    assertEquals((await notes.get(kv, "n1")).value, moved);
    assertEquals(ids(await notes.find(kv, "notes_by_record", ["three"])), ["n1"]);
  });
}

Deno.test("getMany() reads more rows than one read may have, in order, without missing ones", async () => {
  using kv = await filled(25);
  const asked = ["n25", "missing", ...Array.from({ length: 24 }, (_, i) => `n${i + 1}`)];
  const found = await notes.getMany(kv, asked.map((id): [string] => [id]));
  assertEquals(ids(found), asked.filter((id) => id !== "missing"));
});

Deno.test("find() reads the rows of an index, as many and in the order that is asked for", async () => {
  using kv = await filled(12);
  assertEquals((await notes.find(kv, "notes_by_record", ["one"])).length, 12);
  const last = await notes.find(kv, "notes_by_record", ["one"], { reverse: true, limit: 2 });
  assertEquals(ids(last), ["n9", "n8"]);
  assertEquals(ids(await notes.find(kv, "notes_by_topic", ["law"])), ["other"]);
});

Deno.test("delete() deletes a row from all indexes", async () => {
  using kv = await filled(0);
  const commit = kv.atomic();
  notes.delete(commit, { id: "other", record: "two", topic: "law" });
  await commit.commit();
  assertEquals(await keysOf(kv), []);
});

Deno.test("deleteOf() deletes the rows of one record, and indexes of rows that no longer exist", async () => {
  using kv = await filled(12);
  await kv.delete(notes.key("n3"));
  await notes.deleteOf(kv, "one");
  assertEquals(await keysOf(kv), [
    "notes/other",
    "notes_by_record/two/other",
    "notes_by_topic/law/other",
  ]);
});

Deno.test("deleteOf() keeps a row that an old index leads to, but that belongs to another record", async () => {
  using kv = await filled(0);
  await kv.set(["notes_by_record", "one", "other"], null);
  await notes.deleteOf(kv, "one");
  assertEquals((await notes.get(kv, "other")).value?.record, "two");
  assertEquals(await notes.find(kv, "notes_by_record", ["one"]), []);
});

Deno.test("an index has the value that its function returns", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const task = z.strictObject({ id: z.string(), list: z.string(), done: z.boolean() });
  const tasks = defineTable({
    prefix: "tasks",
    value: task,
    key: ["id"],
    indexes: {
      tasks_by_list: { columns: ["list"], value: ({ done }: z.infer<typeof task>) => ({ done }) },
    },
    owner: "nobody",
    lifetime: WITH_RECORD,
    per: "task",
  });
  const commit = kv.atomic();
  tasks.set(commit, { id: "1", list: "a", done: true });
  await commit.commit();
  assertEquals((await kv.get(["tasks_by_list", "a", "1"])).value, { done: true });
});

Deno.test("deleteOf() deletes rows whose keys begin with the record", async () => {
  using kv = limitKv(await openKv(":memory:"));
  for (const record of ["one", "two"]) {
    await kv.set(["visits", record], 1n);
    await kv.set(visits.key(record, "2026-03-01"), {});
  }
  await visits.deleteOf(kv, "one");
  assertEquals(await keysOf(kv), ["visits/two", "visits/two/2026-03-01"]);
});

Deno.test("set() and delete() keep an index whose keys a function returns", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const bill = z.strictObject({ id: z.string(), open: z.boolean() });
  const bills = defineTable({
    prefix: "bills",
    value: bill,
    key: ["year", "id"],
    indexes: {
      bills_open: {
        keysOf: ({ open, id }: z.infer<typeof bill>) => open ? [[id]] : [],
        value: () => "open",
      },
    },
    owner: "nobody",
    lifetime: WITH_RECORD,
    per: "bill",
  });
  const commit = kv.atomic();
  bills.put(commit, ["2025", "a"], { id: "a", open: true });
  bills.put(commit, ["2026", "b"], { id: "b", open: false });
  await commit.commit();
  assertEquals(await keysOf(kv), ["bills/2025/a", "bills/2026/b", "bills_open/a"]);
  assertEquals((await kv.get(["bills_open", "a"])).value, "open");
  const removal = kv.atomic();
  bills.deleteAt(removal, ["2025", "a"], { id: "a", open: true });
  await removal.commit();
  assertEquals(await keysOf(kv), ["bills/2026/b"]);
});

Deno.test("deleteOf() deletes rows that name several records, by their index, without which there is no table", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const link = {
    value: z.strictObject({ id: z.string(), records: z.array(z.string()) }),
    key: ["id"],
    owner: { record: "records" },
    lifetime: WITH_RECORD,
    per: "link",
  } as const;
  assertThrows(() => defineTable({ prefix: "b", ...link }), TypeError, "b needs an index");
  const table = defineTable({ prefix: "a", indexes: { a_by_record: ["records"] }, ...link });
  const commit = kv.atomic();
  table.set(commit, { id: "1", records: ["one", "two"] });
  table.set(commit, { id: "2", records: ["two"] });
  await commit.commit();
  assertEquals(await keysOf(kv), [
    ...["a/1", "a/2"],
    ...["a_by_record/one/1", "a_by_record/two/1", "a_by_record/two/2"],
  ]);
  await table.deleteOf(kv, "one");
  assertEquals(await keysOf(kv), ["a/2", "a_by_record/two/2"]);
});

Deno.test("deleteOf() keeps a row that came to belong to another record meanwhile", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const codes = defineTable({
    prefix: "codes",
    value: z.strictObject({ id: z.string(), record: z.string() }),
    key: ["id"],
    indexes: { codes_by_record: ["record"] },
    owner: { record: "record" },
    lifetime: WITH_RECORD,
    per: "code",
  });
  await kv.set(codes.key("1"), { id: "1", record: "one" });
  await kv.set(["codes_by_record", "one", "1"], null);
  const get = kv.get.bind(kv);
  kv.get = async (key) => {
    kv.get = get;
    await kv.set(key, { id: "1", record: "two" });
    return await get(key);
  };
  await codes.deleteOf(kv, "one");
  assertEquals((await codes.get(kv, "1")).value?.record, "two");
});

Deno.test("deleteOf() deletes the rows of one user, whose id is a number", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const links = defineTable({
    prefix: "links",
    value: z.strictObject({ id: z.string(), user: z.number() }),
    key: ["id"],
    indexes: { links_by_user: ["user"] },
    owner: { user: "user" },
    lifetime: WITH_ACCOUNT,
    per: "link",
  });
  const commit = kv.atomic();
  for (const user of [1, 11, 1]) links.set(commit, { id: crypto.randomUUID(), user });
  await commit.commit();
  await links.deleteOf(kv, 1);
  const left = await Array.fromAsync(links.list(kv, []), ({ value }) => value.user);
  assertEquals([links.owner, left, (await keysOf(kv)).length], ["user", [11], 2]);
});

Deno.test("move() moves the rows of one record with their other columns, and those of no other", async () => {
  using kv = await filled(11);
  const commit = kv.atomic();
  notes.set(commit, { id: "n0", record: "one", topic: "tax" });
  await commit.commit();
  await notes.move(kv, "one", "three", 0);
  assertEquals(await notes.find(kv, "notes_by_record", ["one"]), []);
  assertEquals((await notes.find(kv, "notes_by_record", ["three"])).length, 12);
  assertEquals((await notes.get(kv, "n0")).value, { id: "n0", record: "three", topic: "tax" });
  assertEquals(ids(await notes.find(kv, "notes_by_record", ["two"])), ["other"]);
});

Deno.test("move() moves a row as it is when another process changes it at the same time", async () => {
  using kv = raceKv(await openKv(":memory:"));
  await kv.set(notes.key("n1"), { id: "n1", record: "one", topic: null });
  await kv.set(["notes_by_record", "one", "n1"], null);
  kv.meanwhile(
    "notes",
    () => kv.set(notes.key("n1"), { id: "n1", record: "one", topic: "tax" }),
  );
  await notes.move(kv, "one", "two", 0);
  assertEquals((await notes.get(kv, "n1")).value, { id: "n1", record: "two", topic: "tax" });
});

Deno.test("move() rejects for a table without a column of its record", async () => {
  using kv = await openKv(":memory:");
  const pages = defineTable({
    prefix: "pages",
    owner: "record",
    lifetime: WITH_RECORD,
    per: "page",
  });
  await assertRejects(() => pages.move(kv, "one", "two", 0), TypeError, "pages");
});

/** A table whose rows do not repeat their key. */
const marks = defineTable({
  prefix: "marks",
  value: z.strictObject({ topic: z.string() }),
  key: ["record", "page"],
  indexes: { marks_by_topic: ["topic", "page"] },
  owner: { record: "record" },
  lifetime: WITH_RECORD,
  per: "mark",
});

Deno.test("put() and deleteAt() write and delete a row that does not repeat its key, with its indexes", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const commit = kv.atomic();
  marks.put(commit, ["one", 1], { topic: "law" });
  marks.put(commit, ["one", 2], { topic: "tax" });
  await commit.commit();
  assertEquals(await keysOf(kv), [
    "marks/one/1",
    "marks/one/2",
    "marks_by_topic/law/1/one/1",
    "marks_by_topic/tax/2/one/2",
  ]);
  const listed = await Array.fromAsync(marks.list(kv, ["one"], { reverse: true }));
  assertEquals(listed.map(({ value }) => value.topic), ["tax", "law"]);
  const deletion = kv.atomic();
  marks.deleteAt(deletion, ["one", 1], { topic: "law" });
  await deletion.commit();
  assertEquals(await keysOf(kv), ["marks/one/2", "marks_by_topic/tax/2/one/2"]);
  await marks.move(kv, "one", "two", 0);
  assertEquals(await keysOf(kv), ["marks/two/2", "marks_by_topic/tax/2/two/2"]);
  assertEquals((await marks.get(kv, "two", 2)).value, { topic: "tax" });
});

Deno.test("replace() writes a row with its indexes unless it has changed since it was read", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const before = await marks.get(kv, "one", 1);
  const replace = () => {
    const commit = kv.atomic();
    marks.replace(commit, before, { topic: "law" });
    return commit.commit();
  };
  assertEquals([(await replace()).ok, (await replace()).ok], [true, false]);
  assertEquals(await keysOf(kv), ["marks/one/1", "marks_by_topic/law/1/one/1"]);
});

Deno.test("rows that the store removes are written with the expiry of their column", async () => {
  using memory = await openKv(":memory:");
  const expiries: (number | undefined)[] = [];
  const kv = limitKv(memory, (_, set) => expiries.push(set?.expireIn));
  const commit = kv.atomic();
  visits.set(commit, { record: "one", day: "d", expires_at: "1970-01-01T00:00:05.000Z" }, 2000);
  notes.set(commit, { id: "n", record: "one", topic: null });
  await commit.commit();
  assertEquals(expiries, [3000, undefined, undefined]);
});

Deno.test("tableFinder() finds a table by its prefix and those of its indexes, and a limit by its name", () => {
  const limits = ["uploads", "mails"].map((name) =>
    defineLimit({ name, limit: 1, windowMs: 60_000, per: name })
  );
  const tableOf = tableFinder([notes, ...limits]);
  const keys = [
    ["notes", "1"],
    ["notes_by_record", "x", "1"],
    ["limits", "mails", "x"],
    ["limits", "x"],
    ["limits"],
    ["uploads"],
  ];
  assertEquals(keys.map((key) => tableOf(key)?.per), [
    "note",
    "note",
    "mails",
    undefined,
    undefined,
    undefined,
  ]);
});
