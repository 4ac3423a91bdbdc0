import { assert, assertEquals, assertRejects } from "@std/assert";
import { openKv } from "./open.ts";
import { tempKv } from "./testing/temp_kv.ts";
import { KvBusyError, transact, whenUnlocked } from "./transact.ts";

const increment = (kv: Deno.Kv) =>
  transact(async () => {
    const entry = await kv.get<number>(["count"]);
    const result = (entry.value ?? 0) + 1;
    return { result, commit: kv.atomic().check(entry).set(["count"], result) };
  });

Deno.test("no write is lost in concurrent transactions through two handles on one file", async () => {
  await using store = await tempKv();
  using other = await openKv(store.path);
  const handles = [store.kv, other];
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, i) => increment(handles[i % 2])),
  );
  assertEquals(results.sort((a, b) => a - b), Array.from({ length: 40 }, (_, i) => i + 1));
  assertEquals((await store.kv.get(["count"])).value, 40);
});

Deno.test("a result without a commit is returned after one attempt", async () => {
  let tries = 0;
  assertEquals(await transact(() => Promise.resolve({ result: ++tries })), 1);
});

Deno.test("whenUnlocked() retries while another process locks the file", async () => {
  let tries = 0;
  const result = await whenUnlocked(() =>
    ++tries < 3 ? Promise.reject(new TypeError("database is locked")) : Promise.resolve("written")
  );
  assertEquals([result, tries], ["written", 3]);
});

Deno.test("any other error is thrown at once", async () => {
  let tries = 0;
  const failing = (error: Error) => () => {
    tries++;
    return Promise.reject(error);
  };
  await assertRejects(() => transact(failing(new TypeError("value too large"))), TypeError);
  await assertRejects(() => whenUnlocked(failing(new Error("database is locked"))), Error);
  assertEquals(tries, 2);
});

Deno.test("a check that fails every time throws KvBusyError, and nothing is written", async () => {
  using kv = await openKv(":memory:");
  const stale = await kv.get(["a"]);
  await kv.set(["a"], 0);
  let tries = 0;
  const error = await assertRejects(
    () =>
      transact(() => {
        tries++;
        return Promise.resolve({ result: 1, commit: kv.atomic().check(stale).set(["a"], 1) });
      }, 5),
    KvBusyError,
  );
  assertEquals([error.code, tries], ["kv_busy", 5]);
  assertEquals((await kv.get(["a"])).value, 0);
});

Deno.test("the delay between attempts grows to a second, and the attempts take about five seconds", async () => {
  const { setTimeout, Math: { random } } = globalThis;
  const delays: number[] = [];
  globalThis.setTimeout = ((run: () => void, ms: number) => {
    delays.push(ms);
    return setTimeout(run, 0);
  }) as typeof setTimeout;
  Math.random = () => 1;
  try {
    const commit = { commit: () => Promise.resolve({ ok: false }) } as Deno.AtomicOperation;
    await assertRejects(
      () => transact(() => Promise.resolve({ result: 1, commit })),
      KvBusyError,
    );
  } finally {
    Object.assign(globalThis, { setTimeout });
    Math.random = random;
  }
  assertEquals(delays.slice(0, 10), [2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000]);
  assertEquals(delays, [...delays].sort((a, b) => a - b));
  const mean = delays.reduce((sum, ms) => sum + ms, 0) / 2;
  assert(mean > 4_000 && mean < 7_000, `${mean}`);
});
