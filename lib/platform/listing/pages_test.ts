import { z } from "zod";
import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../base/time.ts";
import { defineTable, expires, EXPIRING, openKv } from "../kv/mod.ts";
import { readByTime, readIndexed, readPage, readRows, type TimeRange } from "./pages.ts";

const START = Date.parse("2026-03-01T12:00:00.000Z");
const timeOf = (i: number) => new Date(START + i * DAY_MS).toISOString();
const keyOf = (i: number) => [timeOf(i), `id${i}`] as const;

/** Returns a store with the rows 0 to `count` - 1, one a day, between others. */
async function store(count: number): Promise<Deno.Kv> {
  const kv = await openKv(":memory:");
  await kv.set(["aaa", "b", ...keyOf(0)], -1);
  await kv.set(["rows", "c", ...keyOf(0)], -1);
  for (let i = 0; i < count; i++) await kv.set(["rows", "b", ...keyOf(i)], i);
  return kv;
}

async function read(kv: Deno.Kv, range?: TimeRange): Promise<number[][]> {
  const batches = await Array.fromAsync(readByTime<number>(kv, ["rows", "b"], range));
  return batches.map(({ entries }) => entries.map(({ value }) => value));
}

Deno.test("readByTime() reads the rows of a period in both orders, in a first batch and the rest", async () => {
  using kv = await store(6);
  assertEquals(await read(kv), [[5, 4, 3, 2, 1, 0]]);
  assertEquals(await read(kv, { oldestFirst: true, first: 2 }), [[0, 1], [2, 3, 4, 5]]);
  const period = { from: "2026-03-02", to: "2026-03-04" };
  assertEquals(await read(kv, { ...period, first: 1 }), [[3], [2, 1]]);
  assertEquals(await read(kv, { ...period, oldestFirst: true }), [[1, 2, 3]]);
});

Deno.test("readByTime() continues after a row, and a row outside the period changes nothing or ends it", async () => {
  using kv = await store(6);
  const period = { from: "2026-03-02", to: "2026-03-04" };
  for (
    const [after, newest, oldest] of [
      [0, [], [[1, 2, 3]]],
      [2, [[1]], [[3]]],
      [5, [[3, 2, 1]], []],
    ] as const
  ) {
    const given = { ...period, after: keyOf(after) };
    assertEquals(await read(kv, given), newest, `newest, after ${after}`);
    assertEquals(await read(kv, { ...given, oldestFirst: true }), oldest, `oldest, after ${after}`);
  }
});

Deno.test("readByTime() reads each of the rows of one time once, in both orders", async () => {
  using kv = await openKv(":memory:");
  for (const i of [0, 1, 2]) await kv.set(["rows", "b", timeOf(0), `id${i}`], i);
  assertEquals(await read(kv, { first: 1 }), [[2], [1, 0]]);
  assertEquals(await read(kv, { first: 1, oldestFirst: true }), [[0], [1, 2]]);
  assertEquals(await read(kv, { first: 1, after: [timeOf(0), "id2"] }), [[1], [0]]);
});

const rowOf = (i: number) => ({ at: timeOf(i), id: `id${i}` });

async function* rows(count: number) {
  for (let i = 0; i < count; i++) yield { ...rowOf(i), i };
}

Deno.test("readPage() returns the position of the last row of a full page, of a page that read too much, or null", async () => {
  const options = { size: 3, most: 100, matches: ({ i }: { i: number }) => i % 2 === 0 };
  const read = async (
    ...of: Parameters<typeof readPage<ReturnType<typeof rowOf> & { i: number }>>
  ) => {
    const { page, next } = await readPage(...of);
    return { page: page.map(({ i }) => i), next };
  };
  assertEquals(await read(rows(100), options), { page: [0, 2, 4], next: rowOf(4) });
  assertEquals(await read(rows(6), options), { page: [0, 2, 4], next: null });
  assertEquals(await read(rows(10), { ...options, most: 4 }), { page: [0, 2], next: rowOf(3) });
  const none = { ...options, most: 4, matches: () => false };
  assertEquals(await read(rows(10), none), { page: [], next: rowOf(3) });
});

Deno.test("readRows() reads the rows of a table after a position, without those that have expired", async () => {
  using kv = await openKv(":memory:");
  const visits = defineTable({
    prefix: "visits",
    value: z.strictObject({ i: z.number(), ...EXPIRING }),
    key: ["page", "at", "id"],
    owner: "nobody",
    lifetime: expires("2 days"),
    per: "visit",
  });
  const commit = kv.atomic();
  for (let i = 0; i < 6; i++) {
    visits.put(
      commit,
      ["home", ...keyOf(i)],
      { i, expires_at: timeOf(i + 2) },
      Date.parse(timeOf(i)),
    );
  }
  await commit.commit();
  const read = (now: number, range?: Parameters<typeof readRows>[4]) =>
    Array.fromAsync(readRows(kv, visits, ["home"], Date.parse(timeOf(now)), range), ({ i }) => i);
  assertEquals(await read(3), [5, 4, 3, 2]);
  assertEquals(await read(0, { after: rowOf(4), from: "2026-03-02" }), [3, 2, 1]);
});

Deno.test("readIndexed() reads the rows that an index lists, without those that have expired", async () => {
  using kv = await openKv(":memory:");
  const visits = defineTable({
    prefix: "visits",
    value: z.strictObject({ kind: z.string(), ...EXPIRING }),
    key: ["page", "at", "id"],
    indexes: {
      visits_by_kind: {
        keysOf: ({ kind }: { kind: string }, key: Deno.KvKey) => [[kind, ...key]],
        value: () => null,
      },
    },
    owner: "nobody",
    lifetime: expires("2 days"),
    per: "visit",
  });
  const commit = kv.atomic();
  for (let i = 0; i < 6; i++) {
    const row = { kind: i % 3 === 0 ? "a" : "b", expires_at: timeOf(i + 2) };
    visits.put(commit, ["home", ...keyOf(i)], row, Date.parse(timeOf(i)));
  }
  await commit.commit();
  const read = (now: number) =>
    Array.fromAsync(
      readIndexed(kv, visits, ["visits_by_kind", "b", "home"], Date.parse(timeOf(now))),
      ({ expires_at }) => expires_at,
    );
  assertEquals(await read(0), [5, 4, 2, 1].map((i) => timeOf(i + 2)));
  assertEquals(await read(4), [5, 4].map((i) => timeOf(i + 2)));
});
