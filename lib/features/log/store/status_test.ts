import { assertEquals } from "@std/assert";
import { openKv } from "../../../platform/kv/mod.ts";
import { DAY_MS, MINUTE_MS } from "../../../base/time.ts";
import { addEntries, createTestPublisher, createTestWitness, ORIGIN } from "../testing/fixtures.ts";
import { completeLog } from "./complete.ts";
import { LANES } from "./pending.ts";
import { sequenceBatch } from "./sequence.ts";
import { firstPublished, readDays, readStatus } from "./status.ts";
import { logDays } from "./tables.ts";

const START = Date.parse("2026-03-01T10:00:00Z");

async function setup() {
  const kv = await openKv(":memory:");
  let now = START;
  const clock = () => now;
  const witnesses = [
    await createTestWitness("one", clock),
    await createTestWitness("other", clock),
  ];
  witnesses[1].own = true;
  const publisher = await createTestPublisher(kv, { clock, witnessList: witnesses });
  return {
    kv,
    clock,
    witnesses,
    wait: (ms: number) => now += ms,
    async publish(...names: string[]) {
      await addEntries(kv, names);
      await sequenceBatch(kv);
      await publisher.publish();
    },
    status: () => readStatus(kv, { origin: ORIGIN, witnesses: () => Promise.resolve(witnesses) }),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("the status has the published size, each witness with its time, what waits and where the log is complete", async () => {
  using log = await setup();
  assertEquals((await log.status()).published, null);
  await log.publish("a");
  await completeLog(log.kv);
  log.wait(MINUTE_MS);
  log.witnesses[1].respond = () => Promise.reject(new TypeError("unreachable"));
  await log.publish("b");
  await addEntries(log.kv, ["c"], { now: START + 25_000 });
  await addEntries(log.kv, ["d"], { now: START, lane: LANES.again });
  const { published, size, completeFrom, waitingSince, witnesses } = await log.status();
  assertEquals([published!.size, size, completeFrom], [3, 3, 2]);
  assertEquals(waitingSince, "2026-03-01T10:00:20.000Z");
  assertEquals(witnesses.map(({ name, own, size, at, signed }) => [name, own, size, at, signed]), [
    ["one", false, 3, "2026-03-01T10:01:00.000Z", "2026-03-01T10:01:00.000Z"],
    ["other", true, 1, "2026-03-01T10:00:00.000Z", null],
  ]);
  assertEquals(await firstPublished(log.kv, 0), "2026-03-01T10:00:00.000Z");
  assertEquals(await firstPublished(log.kv, completeFrom), "2026-03-01T10:01:00.000Z");
  assertEquals([await firstPublished(log.kv, 3), await firstPublished(log.kv, null)], [null, null]);
});

Deno.test("the entries of each day are counted in UTC from the first one on, with 0 for a day without a row, and never below 0", async () => {
  using log = await setup();
  const days = async (count: number) =>
    (await readDays(log.kv, log.clock(), count)).map(({ day, count }) => [day, count]);
  await log.publish("a", "b");
  log.wait(DAY_MS);
  await log.publish("c");
  await log.publish("d", "e");
  log.wait(2 * DAY_MS);
  await log.publish("f");
  assertEquals(await days(5), [
    ["2026-03-01", 2],
    ["2026-03-02", 3],
    ["2026-03-03", 0],
    ["2026-03-04", 1],
  ]);
  assertEquals(await days(2), [["2026-03-03", 0], ["2026-03-04", 1]]);
  await log.kv.set(logDays.key("2026-03-02"), 9); // published with a clock that was ahead
  assertEquals(await days(3), [["2026-03-02", 7], ["2026-03-03", 0], ["2026-03-04", 0]]);
});
