import { assertEquals, assertRejects } from "@std/assert";
import { openKv } from "./open.ts";
import { ifWritable, ReadOnlyError, unlessReadOnly } from "./read_only.ts";
import { rulesOf } from "./store_kv.ts";

Deno.test("unlessReadOnly() skips a write to a store that is read-only on purpose, ifWritable() also one that the disk refuses", async () => {
  for (
    const [reason, deliberate] of [
      ["configured", true],
      ["restored", true],
      ["store_changed", true],
      ["disk_full", false],
      ["disk_failed", false],
    ] as const
  ) {
    const write = () => Promise.reject(new ReadOnlyError(reason));
    assertEquals(await ifWritable(write), undefined);
    if (deliberate) assertEquals(await unlessReadOnly(write), undefined);
    else await assertRejects(() => unlessReadOnly(write), ReadOnlyError);
  }
  assertEquals(await ifWritable(() => Promise.resolve(1)), 1);
  await assertRejects(() => ifWritable(() => Promise.reject(new TypeError())), TypeError);
});

Deno.test("unlessReadOnly() skips a write to a read-only store, and passes on other errors", async () => {
  using kv = await openKv(":memory:");
  assertEquals(await unlessReadOnly(() => Promise.resolve(1)), 1);
  await assertRejects(() => unlessReadOnly(() => kv.set([], 1)), TypeError);
  rulesOf(kv).readOnly = () => "restored";
  assertEquals(await unlessReadOnly(() => kv.set(["a"], 1)), undefined);
});
