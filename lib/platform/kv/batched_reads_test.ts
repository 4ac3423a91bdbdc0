import { assertEquals, assertRejects } from "@std/assert";
import { createBatchedReads } from "./batched_reads.ts";
import { openKv } from "./open.ts";

Deno.test("reads that begin together have one request for up to ten keys", async () => {
  using kv = await openKv(":memory:");
  for (let i = 0; i < 12; i++) await kv.set([i], i);
  const requests: number[] = [];
  const getMany = (keys: Deno.KvKey[]) => {
    requests.push(keys.length);
    return kv.getMany(keys);
  };
  const reads = createBatchedReads({ getMany } as unknown as Deno.Kv);
  const keys = Array.from({ length: 12 }, (_, i) => [i]);
  const parts = [[0, 4], [4, 10], [10, 12]].map(([start, end]) => keys.slice(start, end));
  const entries = (await Promise.all(parts.map((part) => reads.getMany(part)))).flat();
  assertEquals(entries.map(({ value }) => value), keys.map(([i]) => i));
  assertEquals(requests, [10, 2]);

  await kv.set([0], "changed");
  const [{ value }] = await reads.getMany([[0]]);
  assertEquals([value, requests.at(-1)], ["changed", 1]);
});

Deno.test("a failed request rejects the reads that it was for, and not the next one", async () => {
  let fails = true;
  const getMany = (keys: Deno.KvKey[]) =>
    fails ? Promise.reject(new Error("closed")) : Promise.resolve(keys);
  const reads = createBatchedReads({ getMany } as unknown as Deno.Kv);
  const both = [reads.getMany([[1]]), reads.getMany([[2]])];
  for (const read of both) await assertRejects(() => read, Error, "closed");
  fails = false;
  assertEquals((await reads.getMany([[3]])).length, 1);
});
