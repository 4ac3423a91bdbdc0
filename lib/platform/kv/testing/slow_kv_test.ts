import { assert, assertEquals } from "@std/assert";
import { openKv } from "../open.ts";
import { holdKv, type KvCall, slowKv } from "./slow_kv.ts";

const DELAY_MS = 5;

const cases: Record<string, [calls: number, run: (kv: Deno.Kv) => Promise<unknown>]> = {
  "get": [1, (kv) => kv.get(["a", 0])],
  "getMany": [1, (kv) => kv.getMany([["a", 0], ["a", 1]])],
  "set": [1, (kv) => kv.set(["a", 1], 1)],
  "delete": [1, (kv) => kv.delete(["b"])],
  "commit": [1, (kv) => kv.atomic().set(["a", 2], 1).commit()],
  "list of three batches": [
    3,
    (kv) => Array.fromAsync(kv.list({ prefix: ["a"] }, { batchSize: 1 })),
  ],
};

Deno.test("slowKv() delays each call, and returns what the store returns", async () => {
  using kv = slowKv(await openKv(":memory:"), DELAY_MS);
  await kv.atomic().set(["a", 0], 0).set(["a", 1], 1).commit();
  for (const [name, [calls, run]] of Object.entries(cases)) {
    const started = performance.now();
    await run(kv);
    // Timers may fire up to a millisecond early.
    assert(performance.now() - started >= calls * (DELAY_MS - 1), name);
  }
  const rows = await Array.fromAsync(kv.list({ prefix: ["a"] }), ({ value }) => value);
  assertEquals(rows, [0, 1, 1]);
});

Deno.test("holdKv() says which keys a call reads, checks and changes, and how many rows a list returned", async () => {
  const calls: KvCall[] = [];
  using kv = holdKv(await openKv(":memory:"), (call) => {
    calls.push(call);
    return Promise.resolve();
  });
  await kv.atomic().check({ key: ["a"], versionstamp: null }).set(["a"], 1).sum(["n"], 1n)
    .delete(["b"]).mutate({ type: "set", key: ["c"], value: 1 }).commit();
  await Array.fromAsync(kv.list({ prefix: [] }));
  await kv.set(["d"], 1);
  assertEquals(calls, [
    { name: "commit", keys: [["a"]], mutations: [["a"], ["n"], ["b"], ["c"]], rows: 0 },
    { name: "list", keys: [[]], mutations: [], rows: 3 },
    { name: "set", keys: [["d"]], mutations: [["d"]], rows: 0 },
  ]);
  assertEquals((await kv.get<Deno.KvU64>(["n"])).value?.value, 1n);
});
