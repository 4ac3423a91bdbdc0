import { assertEquals } from "@std/assert";
import { openKv } from "./open.ts";
import { countWrites, writesOf } from "./writes.ts";

Deno.test("a write is counted once it has ended, and a read is not", async () => {
  using kv = countWrites(await openKv(":memory:"));
  assertEquals(countWrites(kv), kv);
  const counts = [writesOf(kv)];
  const count = () => counts.push(writesOf(kv));
  await kv.set(["a"], 1);
  count();
  await kv.delete(["a"]);
  count();
  await kv.get(["a"]);
  count();
  await kv.atomic().set(["a"], 1).commit();
  count();
  const pending = kv.atomic().check({ key: ["a"], versionstamp: null }).set(["a"], 2).commit();
  count();
  await pending;
  count();
  assertEquals(counts, [0, 1, 2, 2, 3, 3, 4]);
});
