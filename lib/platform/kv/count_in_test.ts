import { assertEquals, assertRejects } from "@std/assert";
import { countIn, letOthersGo } from "./count_in.ts";
import { StoreUnavailableError } from "./deadlines.ts";
import { openKv } from "./open.ts";
import { conflictsKv } from "./testing/conflicts_kv.ts";
import { attemptOnce, transact } from "./transact.ts";

/** Increments rows in one commit. Returns how often it has read them. */
async function increment(kv: Deno.Kv, ...rows: string[]): Promise<number> {
  let reads = 0;
  await transact(async () => {
    const commit = kv.atomic();
    for (const row of rows) {
      countIn(kv, [row]);
      const entry = await kv.get<number>([row]);
      reads++;
      commit.check(entry).set([row], (entry.value ?? 0) + 1);
    }
    return { result: undefined, commit };
  });
  return reads;
}

const times = <Result>(count: number, run: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => run(i)));

Deno.test("60 transactions of one process that count in one row read once each and have no conflict", async () => {
  const { kv, conflicts } = conflictsKv(await openKv(":memory:"));
  assertEquals(await times(60, () => increment(kv, "a")), Array(60).fill(1));
  assertEquals([(await kv.get(["a"])).value, conflicts()], [60, 0]);
  kv.close();
});

Deno.test("transactions that count in the same rows in different orders all end", async () => {
  const { kv, conflicts } = conflictsKv(await openKv(":memory:"));
  const orders = [["a", "b"], ["b", "a"], ["c", "a"], ["b", "c"], ["c", "b", "a"]];
  await times(60, (i) => increment(kv, ...orders[i % orders.length]));
  const values = await kv.getMany<number[]>([["a"], ["b"], ["c"]]);
  assertEquals(values.map(({ value }) => value), [48, 48, 36]);
  assertEquals(conflicts(), 0);
  kv.close();
});

Deno.test("a transaction that waits begins again, so that nothing it has read is old", async () => {
  const { kv, conflicts } = conflictsKv(await openKv(":memory:"));
  let attempts = 0;
  await times(10, () =>
    transact(async () => {
      attempts++;
      const other = kv.get<number>(["other"]); // read before its turn
      countIn(kv, ["a"]);
      const entries = [await other, await kv.get<number>(["a"])];
      const commit = kv.atomic();
      for (const entry of entries) {
        commit.check(entry).set(entry.key, ((entry.value ?? 0) as number) + 1);
      }
      return { result: undefined, commit };
    }));
  assertEquals([(await kv.get(["other"])).value, conflicts(), attempts], [10, 0, 19]);
  kv.close();
});

Deno.test("letOthersGo() lets all that wait read at the same time", async () => {
  using kv = await openKv(":memory:");
  let [reading, most] = [0, 0];
  await times(20, () =>
    transact(async () => {
      countIn(kv, ["a"]);
      most = Math.max(most, ++reading);
      await kv.get(["a"]);
      reading--;
      letOthersGo(["a"]);
      return { result: undefined };
    }));
  assertEquals(most, 19);
});

Deno.test("if the store does not respond, those that wait do not wait for it one after another", async () => {
  using kv = await openKv(":memory:");
  const others = Promise.withResolvers<void>();
  let begun = 0;
  const ended = times(20, () =>
    transact(async () => {
      countIn(kv, ["a"]);
      if (++begun === 20) others.resolve();
      await (begun === 1 ? kv.get(["a"]) : others.promise); // which all others wait for at the same time
      throw new StoreUnavailableError("get a", "unchanged");
    }).catch(() => "failed"));
  assertEquals(await ended, Array(20).fill("failed"));
});

Deno.test("after an error, the next transaction has its turn", async () => {
  using kv = await openKv(":memory:");
  const failing = transact(async () => {
    countIn(kv, ["a"]);
    await kv.get(["a"]);
    throw new Error("no");
  });
  const next = increment(kv, "a");
  await assertRejects(() => failing, Error, "no");
  assertEquals(await next, 1);
});

Deno.test("attemptOnce() waits for its turn, too", async () => {
  using kv = await openKv(":memory:");
  const once = () =>
    attemptOnce(async () => {
      countIn(kv, ["a"]);
      const entry = await kv.get<number>(["a"]);
      const result = (entry.value ?? 0) + 1;
      return { result, commit: kv.atomic().check(entry).set(["a"], result) };
    });
  assertEquals(await times(5, once), [1, 2, 3, 4, 5]);
});

Deno.test("outside of transactions, nobody waits for those who count", async () => {
  using kv = await openKv(":memory:");
  countIn(kv, ["a"]);
  countIn(kv, ["a"]);
  assertEquals(await increment(kv, "a"), 1);
});
