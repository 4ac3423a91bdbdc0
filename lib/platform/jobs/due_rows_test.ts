import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { z } from "zod";
import { ALWAYS, defineTable, openKv } from "../kv/mod.ts";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import { dueRowsJobs } from "./due_rows.ts";
import { createJobs } from "./jobs.ts";

const START = Date.parse("2026-11-22T02:30:00Z");

const row = z.strictObject({ end: z.number() });
const common = { value: row, key: ["id"], owner: "nobody", lifetime: ALWAYS, per: "test" } as const;
const when = ({ end }: z.infer<typeof row>, now: number) => now >= end;

const often = defineTable({ ...common, prefix: "often", due: { when, nightly: false } });
const nightly = defineTable({
  ...common,
  prefix: "nightly",
  due: { when, nightly: true },
});
const kept = defineTable({ ...common, prefix: "kept" });
const tables = [often, kept, nightly];

Deno.test("the job deletes what is due in each table, every five minutes or once a night", async () => {
  using kv = await openKv(":memory:");
  let now = START;
  const clock = () => now;
  const remove = async ({ key }: Deno.KvEntry<never>) => {
    await kv.delete(key);
    return true;
  };
  const jobs = createJobs({ kv, clock, log: () => {} });
  const deletes = { often: remove, nightly: remove };
  for (const job of dueRowsJobs({ kv, clock, tables, deletes })) jobs.register(job);
  const fill = async () => {
    for (const { prefix } of tables) {
      await kv.set([prefix, "a"], { end: now });
      await kv.set([prefix, "b"], { end: now + DAY_MS });
    }
  };
  const left = async () =>
    (await Promise.all(tables.map(({ prefix }) => Array.fromAsync(kv.list({ prefix: [prefix] })))))
      .map((rows) => rows.map(({ key }) => key[1]).join(""));

  await fill();
  await jobs.tick();
  assertEquals(await left(), ["b", "ab", "b"]);
  const states = await jobs.states();
  assertEquals(states.map(({ lastRun }) => lastRun?.detail), ["1 deleted", "1 deleted"]);

  await fill();
  now += 5 * MINUTE_MS;
  await jobs.tick();
  assertEquals(await left(), ["b", "ab", "ab"]);
  now = Date.parse("2026-11-22T03:00:00Z");
  await jobs.tick();
  assertEquals(await left(), ["b", "ab", "b"]);
});

/** Runs the first job on two tables with 150 rows each, and stops each run after its first page. */
async function pages(step: (prefix: string, id: number) => void = () => {}) {
  const kv = await openKv(":memory:");
  const second = defineTable({ ...common, prefix: "second", due: { when, nightly: false } });
  for (const prefix of ["often", "second"]) {
    for (let id = 0; id < 150; id++) await kv.set([prefix, id], { end: 0 });
  }
  const remove = async ({ key }: Deno.KvEntry<never>) => {
    step(String(key[0]), Number(key[1]));
    await kv.delete(key);
    return true;
  };
  const deletes = { often: remove, second: remove };
  const [job] = dueRowsJobs({ kv, clock: () => START, tables: [often, second], deletes });
  const fixture = { kv, cursor: null as unknown };
  const run = (stops = true) => {
    const controller = new AbortController();
    const save = (saved: unknown) => {
      fixture.cursor = saved;
      if (stops) controller.abort();
      return Promise.resolve();
    };
    return job.run({ cursor: fixture.cursor, signal: controller.signal, save });
  };
  return Object.assign(fixture, { run, [Symbol.dispose]: () => kv.close() });
}

Deno.test("a run that is out of time continues after its last row, in the table of that row", async () => {
  using fixture = await pages();
  const { kv, run } = fixture;
  assertEquals(await run(), "100 deleted");
  assertEquals(fixture.cursor, { prefix: "often", last: 99 });
  await kv.set(["often", 1], { end: 0 });
  assertEquals(await run(), "150 deleted");
  assertEquals(fixture.cursor, { prefix: "second", last: 99 });
  assertEquals(await run(), "50 deleted");
  const left = await Array.fromAsync(kv.list({ prefix: ["often"] }), ({ key }) => key[1]);
  assertEquals(left, [1], "a row before the cursor waits for the next run");
});

Deno.test("a row that fails stops neither its table nor the next one, and the next run begins with the first table", async () => {
  using fixture = await pages((prefix, id) => {
    if (prefix === "often" && id === 7) throw new RangeError("row 7");
  });
  const { kv, run } = fixture;
  await assertRejects(() => run(false), RangeError, "row 7");
  assertEquals(fixture.cursor, null);
  for (const [prefix, count] of [["often", 1], ["second", 0]] as const) {
    assertEquals((await Array.fromAsync(kv.list({ prefix: [prefix] }))).length, count);
  }
});

Deno.test("a table with rows that become due and no function that deletes them is refused, and the reverse", () => {
  const check = (deletes: Record<string, () => Promise<boolean>>) => {
    const kv = {} as Deno.Kv;
    dueRowsJobs({ kv, clock: () => START, tables: [often, kept], deletes });
  };
  const remove = () => Promise.resolve(true);
  check({ often: remove });
  assertThrows(() => check({}), TypeError, "often");
  assertThrows(() => check({ often: remove, kept: remove }), TypeError, "kept");
});
