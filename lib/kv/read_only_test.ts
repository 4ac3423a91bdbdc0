import { assertEquals, assertRejects } from "@std/assert";
import { openKv } from "./open.ts";
import { ReadOnlyError, type ReadOnlyReason, refuseWrites, unlessReadOnly } from "./read_only.ts";

Deno.test("a store refuses writes exactly while there is a reason, and reads always work", async () => {
  using kv = await openKv(":memory:");
  let reason: ReadOnlyReason | null = null;
  refuseWrites(kv, () => reason);
  await kv.set(["a"], 1);
  const begun = kv.atomic().set(["a"], 2);
  reason = "configured";
  for (
    const write of [
      () => kv.set(["a"], 3),
      () => kv.delete(["a"]),
      () => kv.atomic().sum(["b"], 1n).commit(),
      () => begun.commit(),
    ]
  ) {
    const { reason } = await assertRejects(write, ReadOnlyError);
    assertEquals(reason, "configured");
  }
  assertEquals((await kv.get(["a"])).value, 1);
  reason = null;
  assertEquals((await begun.commit()).ok, true);
  assertEquals((await kv.get(["a"])).value, 2);
});

Deno.test("unlessReadOnly() skips a write to a read-only store, and passes on other errors", async () => {
  using kv = await openKv(":memory:");
  assertEquals(await unlessReadOnly(() => Promise.resolve(1)), 1);
  await assertRejects(() => unlessReadOnly(() => kv.set([], 1)), TypeError);
  refuseWrites(kv, () => "restored");
  assertEquals(await unlessReadOnly(() => kv.set(["a"], 1)), undefined);
});
