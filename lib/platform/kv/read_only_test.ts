import { assert, assertEquals, assertRejects } from "@std/assert";
import { openKv } from "./open.ts";
import {
  ifWritable,
  ReadOnlyError,
  type ReadOnlyReason,
  refuseWrites,
  unlessReadOnly,
} from "./read_only.ts";

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
  refuseWrites(kv, () => "restored");
  assertEquals(await unlessReadOnly(() => kv.set(["a"], 1)), undefined);
});

Deno.test("a store refuses a write that the disk does not accept, and passes on other errors", async () => {
  for (
    const [message, expected] of [
      ["database or disk is full", "disk_full"],
      ["disk I/O error", "disk_failed"],
      ["attempt to write a readonly database", "disk_failed"],
    ]
  ) {
    using kv = await openKv(":memory:");
    kv.set = () => Promise.reject(new TypeError(message));
    const reasons: (string | null)[] = [];
    refuseWrites(kv, () => null, (reason) => reasons.push(reason));
    const { reason } = await assertRejects(() => kv.set(["a"], 1), ReadOnlyError);
    assertEquals([reason, reasons], [expected, [expected]]);
  }
  using kv = await openKv(":memory:");
  kv.set = () => Promise.reject(new TypeError("database is locked"));
  refuseWrites(kv, () => null, () => assert(false));
  await assertRejects(() => kv.set(["a"], 1), TypeError, "locked");
});
