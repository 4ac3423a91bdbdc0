import { assertEquals } from "@std/assert";
import { addContact } from "../contact/mod.ts";
import { openKv } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { HOUR_MS } from "../../base/time.ts";
import type { RecordFilters } from "./filters.ts";
import { allRecords } from "./list.ts";
import { type SearchQuery, searchRecords } from "./search.ts";
import { newRow, recordRows } from "./store.ts";

const START = Date.parse("2026-03-01T00:00:00.000Z");

interface Person {
  name: string;
  organisation?: string;
  email?: string;
  of?: OrganisationKey;
}

const PEOPLE: Person[] = [
  { name: "Ada Example", organisation: "Zephyrine Holdings" },
  { name: "Zoë Ångström", email: "zoe@nordic.example" },
  { name: "Ada Other", organisation: "Nordic Group", of: "foundation" },
  { name: "Beda Deadbeef", email: "b@zephyrine.example" },
  { name: "Ada Third", organisation: "Zephyr" },
];

const hashOf = (i: number) =>
  `${((i + 1) * 0x3a7d11c5 >>> 0).toString(16).padStart(8, "0")}`
    .padEnd(64, "0");

async function store(people: readonly Person[] = PEOPLE) {
  const kv = await openKv(":memory:");
  for (const [i, { name, organisation, email = `p${i}@mail.test`, of }] of people.entries()) {
    const commit = kv.atomic();
    const record = {
      name,
      ...organisation === undefined ? {} : { organisation },
      email,
      enquiry_type: "Investor" as const,
    };
    addContact(commit, hashOf(i), {
      record,
      organisation: of ?? "commercial",
      salt: "0".repeat(64),
      now: START + i * HOUR_MS,
    });
    await commit.commit();
  }
  const search = async (query: SearchQuery) => {
    const result = await searchRecords({ kv }, "commercial", query);
    return result.records.map(({ contact }) => contact.value.record.name);
  };
  return { kv, search, [Symbol.dispose]: () => kv.close() };
}

const FOUND: [text: string, names: string[]][] = [
  ["ada", ["Ada Third", "Ada Example"]],
  ["ADA example", ["Ada Example"]],
  ["zoe", ["Zoë Ångström"]],
  ["ANGSTRÖM", ["Zoë Ångström"]],
  ["zephyr", ["Ada Third", "Beda Deadbeef", "Ada Example"]],
  ["  p0@mail.test ", ["Ada Example"]],
  ["deadbeef", ["Beda Deadbeef"]],
  [hashOf(1).slice(0, 4), ["Zoë Ångström"]],
  [hashOf(1).slice(0, 8), ["Zoë Ångström"]],
  [hashOf(1).slice(0, 20).toUpperCase(), ["Zoë Ångström"]],
  [hashOf(4), ["Ada Third"]],
  [hashOf(2), []], // of the other organisation
  ["Nordic Group", []],
  ["nobody", []],
  [".*", []],
];

Deno.test("search: words of the name, organisation or address, and the beginning of a hash", async () => {
  using fixture = await store();
  for (const [text, names] of FOUND) {
    assertEquals(await fixture.search({ text }), names, text);
    const all = await Array.fromAsync(allRecords(fixture.kv, "commercial", { text }));
    assertEquals(all.map(({ contact }) => contact.value.record.name), names, `export: ${text}`);
  }
});

Deno.test("search: with filters, and in the other order", async () => {
  using fixture = await store();
  const row = newRow({ registered_at: "2026-03-01T00:00:00.000Z" });
  await fixture.kv.set(recordRows.key(hashOf(4)), { ...row, level: 3 });
  const filters: [RecordFilters, string[]][] = [
    [{ level: 3 }, ["Ada Third"]],
    [{ level: 1 }, ["Ada Example"]],
    [{ confirmed: true }, []],
    [{ type: "Technical" }, []],
    [{ from: "2026-03-02" }, []],
  ];
  for (const [filter, names] of filters) {
    assertEquals(await fixture.search({ text: "ada", ...filter }), names, JSON.stringify(filter));
  }
  const oldest = await fixture.search({ text: "ada", sort: "oldest" });
  assertEquals(oldest, ["Ada Example", "Ada Third"]);
});

const MANY = Array.from(
  { length: 1_200 },
  (_, i) => ({ name: `${i % 3 === 0 ? "Ada" : "Bo"} ${i}` }),
);
const ADAS = MANY.map(({ name }) => name).filter((name) => name.startsWith("Ada")).toReversed();

Deno.test("search: pages of many matches contain each one once, in order", async () => {
  using fixture = await store(MANY);
  const everyone = await searchRecords({ kv: fixture.kv }, "commercial", { text: "@mail.test" });
  assertEquals(everyone.found, MANY.length);
  for (const sort of ["newest", "oldest"] as const) {
    const names: string[] = [];
    let after: string | undefined;
    do {
      const page = await searchRecords({ kv: fixture.kv }, "commercial", {
        text: "ada",
        sort,
        after,
        limit: 150,
      });
      if (after === undefined) assertEquals([page.found, page.rest], [400, null]);
      names.push(...page.records.map(({ contact }) => contact.value.record.name));
      after = page.next ?? undefined;
    } while (after !== undefined);
    assertEquals(names, sort === "newest" ? ADAS : ADAS.toReversed());
  }
});

Deno.test("search: if time runs out, it says how far it came and continues from there", async () => {
  using fixture = await store(MANY);
  let now = 0;
  const slow = { kv: fixture.kv, elapsed: () => now += 10_000 };
  const names: string[] = [];
  const shares: number[] = [];
  let rest: string | undefined;
  do {
    const page = await searchRecords(slow, "commercial", { text: "ada", rest, limit: 1_000 });
    names.push(...page.records.map(({ contact }) => contact.value.record.name));
    shares.push(Math.round(page.searched * 10) / 10);
    rest = page.rest ?? undefined;
  } while (rest !== undefined);
  assertEquals(shares, [0.4, 0.8, 1]);
  assertEquals(names.toSorted(), ADAS.toSorted());
});
