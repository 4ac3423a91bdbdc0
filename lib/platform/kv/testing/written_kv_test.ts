import { assertEquals } from "@std/assert";
import { openKv } from "../open.ts";
import { limitKv } from "./limited_kv.ts";
import { writtenKv } from "./written_kv.ts";

Deno.test("writtenKv() returns the rows that an action has stored or deleted", async () => {
  const { kv: noted, changedBy } = writtenKv(await openKv(":memory:"));
  using kv = limitKv(noted);
  const stored = await changedBy(async () => {
    await kv.set(["a", 1], 1);
    await kv.atomic().check({ key: ["c"], versionstamp: null }).set(["c"], 1).sum(["n"], 1n)
      .commit();
  });
  assertEquals(stored, ["a/1", "c", "n"]);
  assertEquals(await changedBy(() => kv.delete(["c"])), ["c"]);
});

Deno.test("writtenKv() leaves out failed commits, and rows that existed neither before nor after", async () => {
  const { kv, changedBy } = writtenKv(await openKv(":memory:"));
  using _ = kv;
  await kv.set(["a"], 1);
  const changed = await changedBy(async () => {
    await kv.atomic().check({ key: ["a"], versionstamp: null }).set(["a"], 2).commit();
    await kv.set(["b"], 1);
    await kv.delete(["b"]);
    await kv.delete(["c"]);
  });
  assertEquals(changed, []);
});
