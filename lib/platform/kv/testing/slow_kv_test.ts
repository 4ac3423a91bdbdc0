import { assert, assertEquals } from "@std/assert";
import { openKv } from "../open.ts";
import { slowKv } from "./slow_kv.ts";

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
