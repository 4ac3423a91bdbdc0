import { assertEquals, assertRejects } from "@std/assert";
import { createSharedReads } from "./shared_reads.ts";

type Entry = Deno.KvEntryMaybe<unknown>;

/** A store whose reads end when the test says so. */
function slowStore() {
  const values = new Map<string, number>();
  const reads: { key: string; end: (error?: Error) => void }[] = [];
  const get = (key: Deno.KvKey) => {
    const { promise, resolve, reject } = Promise.withResolvers<Entry>();
    const entry = { key, value: values.get(String(key[0])) ?? null, versionstamp: "" } as Entry;
    reads.push({
      key: String(key[0]),
      end: (error) => error === undefined ? resolve(entry) : reject(error),
    });
    return promise;
  };
  return { kv: { get } as unknown as Deno.Kv, values, reads };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("createSharedReads() never returns a value that was read before the call", async () => {
  const { kv, reads, values } = slowStore();
  const { get } = createSharedReads(kv);
  values.set("a", 1);
  const first = get(["a"]);
  values.set("a", 2);
  const others = [get(["a"]), get(["a"]), get(["a"])];
  assertEquals(reads.length, 1);
  reads[0].end();
  await settle();
  values.set("a", 3);
  const last = get(["a"]);
  assertEquals(reads.length, 2);
  reads[1].end();
  await settle();
  assertEquals(reads.length, 3);
  reads[2].end();
  const results = await Promise.all([first, ...others, last]);
  assertEquals(results.map(({ value }) => value), [1, 2, 2, 2, 3]);
});

Deno.test("createSharedReads() reads each key at once, and again for a later call", async () => {
  const { kv, reads } = slowStore();
  const { get } = createSharedReads(kv);
  const both = [get(["a"]), get(["b"])];
  assertEquals(reads.map(({ key }) => key), ["a", "b"]);
  for (const { end } of reads) end();
  await Promise.all(both);
  get(["a"]);
  assertEquals(reads.length, 3);
});

Deno.test("createSharedReads() passes on an error to its callers, and the next read still runs", async () => {
  const { kv, reads } = slowStore();
  const { get } = createSharedReads(kv);
  const [failed, next] = [get(["a"]), get(["a"])];
  reads[0].end(new Error("broken"));
  await assertRejects(() => failed, Error, "broken");
  await settle();
  reads[1].end();
  assertEquals((await next).key, ["a"]);
});
