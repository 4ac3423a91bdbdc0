import { assertEquals } from "@std/assert";
import { addContact, createContactIndex } from "../../contact/mod.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { createSecrets } from "../../../platform/secrets.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import { HOUR_MS } from "../../../base/time.ts";
import type { RowPosition } from "../../../platform/listing/pages.ts";
import type { RecordFilters } from "./filters.ts";
import { allRecords, type ListQuery, listRecords } from "./list.ts";
import { searchIssue } from "./search.ts";
import { newRow, readRecord, recordRows, recount } from "../record/store.ts";

const START = Date.parse("2026-03-01T00:00:00.000Z");
const SECRET = new Uint8Array(32);

interface Person {
  name: string;
  organisation?: string;
  email?: string;
  mobile?: string;
  of?: OrganisationKey;
}

const PEOPLE: Person[] = [
  { name: "Ada Example", organisation: "Zephyrine Holdings" },
  { name: "Zoë Ångström", email: "zoe@nordic.example", mobile: "+61410000001" },
  { name: "Ada Other", organisation: "Nordic Group", of: "foundation" },
  { name: "Beda Deadbeef", email: "b@zephyrine.example" },
  { name: "Ada Third", organisation: "Zephyr" },
  { name: "Anne-Marie O’Brien-Łoś", organisation: "Straße 17 GmbH" },
  { name: "李小龍", organisation: "香港" },
  { name: "김민지", organisation: "Θεσσαλονίκη ΟΔΟΣ" },
  { name: "Ng Wei", organisation: "محمد" },
  { name: "Eve Street", organisation: "Block 2479" },
];

const hashOf = (i: number) =>
  `${((i + 1) * 0x3a7d11c5 >>> 0).toString(16).padStart(8, "0")}`
    .padEnd(64, "0");

async function store(people: readonly Person[] = PEOPLE) {
  const kv = await openKv(":memory:");
  const index = createContactIndex({ kv, secrets: createSecrets({ kv, given: [SECRET] }) });
  for (const [i, person] of people.entries()) {
    const { name, organisation: company, mobile, email = `p${i}@mail.test`, of } = person;
    const commit = kv.atomic();
    const now = START + i * HOUR_MS;
    const record = {
      name,
      ...company === undefined ? {} : { organisation: company },
      ...mobile === undefined ? {} : { mobile },
      email,
      enquiry_type: "Investor" as const,
    };
    const organisation = of ?? "commercial";
    addContact(commit, hashOf(i), { record, organisation, salt: "0".repeat(64), now });
    const registered_at = new Date(now).toISOString();
    await index.words.add(commit, hashOf(i), { record, organisation, registered_at });
    await index.add(commit, i % 2 === 0 ? "email" : "unconfirmed_email", email, hashOf(i));
    if (mobile !== undefined) await index.add(commit, "mobile", mobile, hashOf(i));
    await commit.commit();
  }
  const search = async (query: ListQuery) => {
    const result = await listRecords({ kv, index }, "commercial", query);
    return result.records.map(({ contact }) => contact.value.record.name);
  };
  return { kv, index, search, [Symbol.dispose]: () => kv.close() };
}

const FOUND: [text: string, names: string[]][] = [
  ["ada", ["Ada Third", "Ada Example"]],
  ["ADA example", ["Ada Example"]],
  ["zoe", ["Zoë Ångström"]],
  ["ANGSTRÖM", ["Zoë Ångström"]],
  ["zep", ["Ada Third", "Ada Example"]],
  ["zephyr", ["Ada Third"]], // as a whole, so not Zephyrine
  ["zephyri", ["Ada Example"]],
  ["zephyrina", []],
  ["ada zephyrine", ["Ada Example"]],
  ["third zephyrine", []],
  ["anne marie", ["Anne-Marie O’Brien-Łoś"]],
  ["Anne‑Marie", ["Anne-Marie O’Brien-Łoś"]],
  ["obrien", ["Anne-Marie O’Brien-Łoś"]],
  ["o'brien los", ["Anne-Marie O’Brien-Łoś"]],
  ["strasse", ["Anne-Marie O’Brien-Łoś"]],
  ["strasse 17", ["Anne-Marie O’Brien-Łoś"]],
  ["strasse 1", ["Anne-Marie O’Brien-Łoś"]],
  ["strasse 18", []],
  ["李", ["李小龍"]],
  ["李小", ["李小龍"]],
  ["香港 李小龍", ["李小龍"]],
  ["김민", ["김민지"]],
  ["θεσσαλονικη οδος", ["김민지"]],
  ["wei ng", ["Ng Wei"]],
  ["محمد", ["Ng Wei"]],
  ["  p0@mail.test ", ["Ada Example"]],
  ["P4@MAIL.test", ["Ada Third"]],
  ["zoe@nordic.example", ["Zoë Ångström"]], // not confirmed
  ["+61 410 000-001", ["Zoë Ångström"]],
  ["deadbeef", ["Beda Deadbeef"]],
  [hashOf(1).slice(0, 4), ["Zoë Ångström"]],
  ["2479", ["Eve Street"]],
  [hashOf(4).slice(0, 4), ["Ada Third"]], // 2471, which begins like the word 2479
  [hashOf(1).slice(0, 8), ["Zoë Ångström"]],
  [hashOf(1).slice(0, 20).toUpperCase(), ["Zoë Ångström"]],
  [hashOf(4), ["Ada Third"]],
  [hashOf(2), []], // of the other organisation
  ["Nordic Group", []],
  ["nobody", []],
];

Deno.test("search: words of the name and organisation, an address, a number, and the beginning of a hash", async () => {
  using fixture = await store();
  for (const [text, names] of FOUND) {
    assertEquals([searchIssue(text), await fixture.search({ text })], [null, names], text);
    const all = await Array.fromAsync(allRecords(fixture, "commercial", { text }));
    assertEquals(all.map(({ contact }) => contact.value.record.name), names, `export: ${text}`);
  }
});

Deno.test("search: all 120 records of a shared address are found, the newest first", async () => {
  const people = Array.from(
    { length: 120 },
    (_, i) => ({ name: `Ada ${i}`, email: "all@mail.test" }),
  );
  using fixture = await store(people);
  const names = people.map(({ name }) => name).toReversed();
  assertEquals(await fixture.search({ text: "all@mail.test" }), names.slice(0, 20));
  const all = await Array.fromAsync(allRecords(fixture, "commercial", { text: "all@mail.test" }));
  assertEquals(all.map(({ contact }) => contact.value.record.name), names);
});

Deno.test("search: a text without a word of three letters, or with part of an address, says what it needs", () => {
  const THREE = "Enter at least three letters of one of the words.";
  for (const text of ["ad", "wu ng", ".*", "7"]) assertEquals(searchIssue(text), THREE, text);
  for (const text of ["ada@", "@mail.test"]) {
    assertEquals(searchIssue(text), "Enter the whole address.", text);
  }
});

Deno.test("search: with filters, and in the other order", async () => {
  using fixture = await store();
  const { kv } = fixture;
  const record = (await readRecord(kv, hashOf(4)))!;
  const row = { ...newRow({ registered_at: "2026-03-01T00:00:00.000Z" }), level: 3 as const };
  const commit = kv.atomic();
  recount(commit, record, row);
  recordRows.put(commit, [hashOf(4)], row);
  await commit.commit();
  const filters: [RecordFilters, string[]][] = [
    [{ level: 3 }, ["Ada Third"]],
    [{ level: 1 }, ["Ada Example"]],
    [{ confirmed: true }, []],
    [{ type: "Technical" }, []],
    [{ from: "2026-03-02" }, []],
  ];
  for (const [filter, names] of filters) {
    assertEquals(await fixture.search({ text: "ada", ...filter }), names, JSON.stringify(filter));
    const text = "p0@mail.test";
    assertEquals(
      await fixture.search({ text, ...filter }),
      names.filter((name) => /Ex/.test(name)),
    );
  }
  const oldest = await fixture.search({ text: "ada", sort: "oldest" });
  assertEquals(oldest, ["Ada Example", "Ada Third"]);
});

const MANY = Array.from(
  { length: 400 },
  (_, i) => ({ name: `${i % 3 === 0 ? "Ada" : "Bo"} ${i}`, organisation: `Group ${i % 2}` }),
);
const isFound = (i: number) => i % 3 === 0 && i % 2 === 1;
const ADAS = MANY.filter((_, i) => isFound(i)).map(({ name }) => name).toReversed();

Deno.test("search: pages of many matches contain each one once, in order, forwards and backwards", async () => {
  using fixture = await store(MANY);
  for (const sort of ["newest", "oldest"] as const) {
    const text = "ada group 1";
    const names: string[] = [];
    const pages: string[][] = [];
    let after: RowPosition | undefined;
    let previous: RowPosition | null = null;
    do {
      const query = { text, sort, limit: 15, ...after === undefined ? {} : { after } };
      const page = await listRecords(fixture, "commercial", query);
      pages.push(page.records.map(({ contact }) => contact.value.record.name));
      names.push(...pages.at(-1)!);
      previous = page.previous;
      after = page.next ?? undefined;
    } while (after !== undefined);
    assertEquals(names, sort === "newest" ? ADAS : ADAS.toReversed());
    const back = await fixture.search({ text, sort, limit: 15, before: previous! });
    assertEquals(back, pages.at(-2));
  }
});

Deno.test("search: a rare word leads, whatever its place, and few rows are read", async () => {
  const people = MANY.map((person, i) => i === 7 ? { name: "Ada Unique" } : person);
  using fixture = await store(people);
  let read = 0;
  const { getMany } = fixture.kv;
  fixture.kv.getMany = ((keys: Deno.KvKey[]) => {
    read += keys.length;
    return getMany.call(fixture.kv, keys);
  }) as typeof getMany;
  for (const text of ["ada unique", "unique ada"]) {
    read = 0;
    assertEquals(await fixture.search({ text }), ["Ada Unique"]);
    assertEquals(read, 3, "in the index of Ada, the contact and the row");
  }
});

Deno.test("search: if few records match, it says how far it came and continues from there", async () => {
  // No record has the word as a whole, so those that begin with its first letters are read.
  const people = Array.from({ length: 700 }, (_, i) => ({ name: i < 3 ? "Adalbert" : "Adam" }));
  using fixture = await store(people);
  const first = await listRecords(fixture, "commercial", { text: "adalb" });
  assertEquals([first.records.length, first.readTo !== null], [0, true]);
  const second = await fixture.search({ text: "adalb", after: first.next! });
  assertEquals(second, ["Adalbert", "Adalbert", "Adalbert"]);
});
