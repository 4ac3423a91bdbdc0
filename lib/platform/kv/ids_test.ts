import { assertEquals, assertRejects } from "@std/assert";
import { createIds } from "./ids.ts";
import { openKv } from "./open.ts";

const KEY = ["notes_last_id"];

Deno.test("250 ids of two processes are unique, and take one commit per 100 ids and process", async () => {
  using kv = await openKv(":memory:");
  const processes = [createIds(kv, KEY), createIds(kv, KEY)];
  const ids = await Promise.all(
    processes.flatMap((ids) => Array.from({ length: 125 }, () => ids.next())),
  );
  assertEquals(new Set(ids).size, 250);
  assertEquals([Math.min(...ids), (await kv.get(KEY)).value], [1, 400]);
});

Deno.test("ids continue after the last reserved one", async () => {
  using kv = await openKv(":memory:");
  await kv.set(KEY, 7); // by a build that reserved each of them
  assertEquals(await createIds(kv, KEY, 2).next(), 8);
  const ids = createIds(kv, KEY, 2); // the other process has ended, and leaves a gap
  assertEquals([await ids.next(), await ids.next(), await ids.next()], [10, 11, 12]);
});

Deno.test("a failed reservation rejects, and the next call tries again", async () => {
  using kv = await openKv(":memory:");
  const { atomic } = kv;
  const ids = createIds(kv, KEY);
  kv.atomic = () => {
    throw new Error("The store is gone.");
  };
  await Promise.all([1, 2].map(() => assertRejects(() => ids.next(), Error, "gone")));
  kv.atomic = atomic;
  assertEquals(await ids.next(), 1);
});
