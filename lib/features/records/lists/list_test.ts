import { assertEquals } from "@std/assert";
import { addContact, createContactIndex } from "../../contact/mod.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import type { RowPosition } from "../../../platform/listing/pages.ts";
import { createSecrets } from "../../../platform/secrets.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import { HOUR_MS } from "../../../base/time.ts";
import { type RecordFilters, recordList } from "./filters.ts";
import { allRecords, listRecords, type RecordList } from "./list.ts";
import type { RecordEntry } from "../mod.ts";
import { newRow, readRecord, recordRows, recount } from "../record/store.ts";

const START = Date.parse("2026-03-01T00:00:00.000Z");
const TYPES = ["Investor", "Technical", undefined] as const;

const hashOf = (i: number) => (i * 0x9e3779b1 >>> 0).toString(16).padStart(64, "0");

const optionsOf = (kv: Deno.Kv) => ({
  kv,
  index: createContactIndex({ kv, secrets: createSecrets({ kv, given: [] }) }),
});

/** Registers records 0 to `count` - 1, one per hour. Every tenth belongs to the foundation. */
async function fill(kv: Deno.Kv, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const commit = kv.atomic();
    const now = START + i * HOUR_MS;
    const record = {
      name: `Name ${i}`,
      email: `person${i}@example.org`,
      ...TYPES[i % 3] && { enquiry_type: TYPES[i % 3] },
    };
    const organisation: OrganisationKey = i % 10 === 0 ? "foundation" : "commercial";
    const confirmed_at = i % 2 === 0 ? new Date(now).toISOString() : null;
    addContact(commit, hashOf(i), {
      record,
      organisation,
      salt: "0".repeat(64),
      now,
      carried: { confirmed_at },
    });
    await commit.commit();
    if (i % 7 !== 0) continue;
    const raise = kv.atomic();
    const row = { ...newRow({ registered_at: new Date(now).toISOString() }), level: 2 as const };
    recount(raise, (await readRecord(kv, hashOf(i)))!, row);
    recordRows.put(raise, [hashOf(i)], row);
    await raise.commit();
  }
}

const numbers = (records: readonly RecordEntry[]) =>
  records.map(({ contact }) => Number(contact.value.record.name.slice(5)));

const COMMERCIAL = Array.from({ length: 60 }, (_, i) => i).filter((i) => i % 10 !== 0);
const NEWEST = COMMERCIAL.toReversed();

Deno.test("records are listed in pages, forwards and backwards, in both orders", async () => {
  using kv = await openKv(":memory:");
  await fill(kv, 60);
  for (const [sort, expected] of [["newest", NEWEST], ["oldest", COMMERCIAL]] as const) {
    const read = (query: { after?: RowPosition; before?: RowPosition }) =>
      listRecords(optionsOf(kv), "commercial", { ...query, sort, limit: 20 });
    const pages: RecordList[] = [await read({})];
    while (pages.at(-1)!.next !== null) pages.push(await read({ after: pages.at(-1)!.next! }));
    const chunks = [expected.slice(0, 20), expected.slice(20, 40), expected.slice(40)];
    assertEquals(pages.map(({ records }) => numbers(records)), chunks);
    assertEquals(pages[0].previous, null);
    const back = [await read({ before: pages[2].previous! })];
    back.push(await read({ before: back[0].previous! }));
    assertEquals(back.map(({ records }) => numbers(records)), [chunks[1], chunks[0]]);
    assertEquals(back[1].previous, null);
    assertEquals(numbers((await read({ after: back[1].next! })).records), chunks[1]);
  }
});

const MATCHES: [RecordFilters, (i: number) => boolean][] = [
  [{}, () => true],
  [{ type: "Technical" }, (i) => i % 3 === 1],
  [{ type: "none" }, (i) => i % 3 === 2],
  [{ level: 2 }, (i) => i % 7 === 0],
  [{ level: 1 }, (i) => i % 7 !== 0],
  [{ level: 4 }, () => false],
  [{ confirmed: true }, (i) => i % 2 === 0],
  [{ confirmed: false }, (i) => i % 2 === 1],
  [{ from: "2026-03-02", to: "2026-03-02" }, (i) => i >= 24 && i < 48],
  [{ from: "2026-03-03" }, (i) => i >= 48],
  [{ to: "2026-03-01" }, (i) => i < 24],
  [{ type: "Investor", level: 2, confirmed: false, from: "2026-03-01" }, (i) => i % 42 === 21],
];

Deno.test("filters: each one, and several together, in a list and an export", async () => {
  using kv = await openKv(":memory:");
  await fill(kv, 60);
  for (const [filters, matches] of MATCHES) {
    const expected = NEWEST.filter(matches);
    const { records, next } = await listRecords(optionsOf(kv), "commercial", {
      ...filters,
      limit: 60,
    });
    assertEquals([numbers(records), next], [expected, null], JSON.stringify(filters));
    const all = await Array.fromAsync(allRecords(optionsOf(kv), "commercial", filters));
    assertEquals(numbers(all), expected);
  }
});

Deno.test("a cursor outside the period starts at the period, or lists nothing", async () => {
  using kv = await openKv(":memory:");
  await fill(kv, 60);
  const cursor = (i: number) => ({
    at: new Date(START + i * HOUR_MS).toISOString(),
    id: hashOf(i),
  });
  const read = async (sort: "newest" | "oldest", after?: RowPosition) => {
    const query = { from: "2026-03-02", to: "2026-03-02", sort, after, limit: 3 };
    return numbers((await listRecords(optionsOf(kv), "commercial", query)).records);
  };
  assertEquals(await read("newest", cursor(59)), [47, 46, 45]);
  assertEquals(await read("newest", cursor(2)), []);
  assertEquals(await read("oldest", cursor(2)), [24, 25, 26]);
  assertEquals(await read("oldest", cursor(59)), []);
  const { query } = recordList.read(new URLSearchParams("after=nonsense"));
  assertEquals(await read("newest", query!.after), [47, 46, 45]);
});

Deno.test("a page of records reads no more keys among 1,000 records than among 30", async () => {
  const reads = [];
  for (const count of [30, 1_000]) {
    using kv = await openKv(":memory:");
    await fill(kv, count);
    let keys = 0;
    const { list, getMany } = kv;
    kv.list = ((selector, options) => {
      keys += options!.limit!;
      return list.call(kv, selector, options);
    }) as typeof kv.list;
    kv.getMany = ((given, options) => {
      keys += given.length;
      return getMany.call(kv, given, options);
    }) as typeof kv.getMany;
    await listRecords(optionsOf(kv), "commercial");
    reads.push(keys);
  }
  assertEquals(reads[0], reads[1]);
});

Deno.test("neither a list nor an export contains a record of the other organisation", async () => {
  using kv = await openKv(":memory:");
  await fill(kv, 60);
  const { records } = await listRecords(optionsOf(kv), "foundation", { limit: 60 });
  assertEquals(numbers(records), [50, 40, 30, 20, 10, 0]);
  assertEquals(
    numbers(await Array.fromAsync(allRecords(optionsOf(kv), "foundation", {}))),
    numbers(records),
  );
});
