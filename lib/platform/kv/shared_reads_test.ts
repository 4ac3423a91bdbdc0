import { assertEquals, assertRejects } from "@std/assert";
import { createSharedReads, SHARED_MS, type SharedReadsOptions } from "./shared_reads.ts";

type Options = Partial<SharedReadsOptions<number>>;

/** Reads and writes of a store that end when the test says so, and a fixed clock. */
function fixture(options: Options = {}) {
  const values = new Map<string, number>();
  const reads: { name: string; end: (error?: Error) => void }[] = [];
  const time = { now: 0 };
  const writing = Promise.withResolvers<void>();
  const done = () => Promise.resolve();
  const writes = { set: () => writing.promise, delete: done };
  const kv = { get: done, getMany: done, ...writes } as unknown as Deno.Kv;
  const shared = createSharedReads<number>({
    kv,
    elapsed: () => time.now,
    ...options,
    read(name) {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const value = values.get(name) ?? 0; // what the store contains when the read begins
      const end = (error?: Error) => error === undefined ? resolve(value) : reject(error);
      reads.push({ name, end });
      return promise;
    },
  });
  const endReads = async () => {
    for (let i = 0; i < reads.length; i++) {
      reads[i].end();
      await settle();
    }
  };
  return { kv, shared, values, reads, time, writing, endReads };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("get() never returns a value that was read before the call", async () => {
  const { shared: { get }, reads, values } = fixture();
  values.set("a", 1);
  const first = get("a");
  values.set("a", 2);
  const others = [get("a"), get("a"), get("a")];
  assertEquals(reads.length, 1);
  reads[0].end();
  await settle();
  values.set("a", 3);
  const last = get("a");
  assertEquals(reads.length, 2);
  reads[1].end();
  await settle();
  assertEquals(reads.length, 3);
  reads[2].end();
  assertEquals(await Promise.all([first, ...others, last]), [1, 2, 2, 2, 3]);
});

Deno.test("get() reads each name at once, and again for a later call", async () => {
  const { shared: { get }, reads } = fixture();
  const both = [get("a"), get("b")];
  assertEquals(reads.map(({ name }) => name), ["a", "b"]);
  for (const { end } of reads) end();
  await Promise.all(both);
  const third = get("a");
  assertEquals(reads.length, 3);
  reads[2].end();
  await third;
});

Deno.test("an error is passed on to the callers, and the next read still runs", async () => {
  const { shared: { get, getRecent }, reads, endReads } = fixture();
  const [failed, next] = [get("a"), get("a")];
  reads[0].end(new Error("broken"));
  await assertRejects(() => failed, Error, "broken");
  await settle();
  reads[1].end(new Error("broken again"));
  await assertRejects(() => next, Error, "broken again");
  const recent = getRecent("a");
  await endReads();
  assertEquals(await recent, 0);
});

Deno.test("getRecent() shares a read for less than 5 ms after it began, also before it ends", async () => {
  const { shared: { getRecent }, reads, time, values, endReads } = fixture();
  values.set("a", 1);
  const early = [getRecent("a")];
  time.now = SHARED_MS - 1;
  early.push(getRecent("a"));
  values.set("a", 2);
  time.now = SHARED_MS;
  const late = [getRecent("a"), getRecent("a")];
  assertEquals(reads.length, 1);
  await endReads();
  assertEquals(await Promise.all([...early, ...late]), [1, 1, 2, 2]);
  assertEquals(reads.length, 2);
  values.set("a", 3);
  time.now = 2 * SHARED_MS - 1;
  assertEquals(getRecent("a"), 2, "at once");
  time.now = 2 * SHARED_MS;
  const last = getRecent("a");
  await endReads();
  assertEquals([await last, reads.length], [3, 3]);
});

Deno.test("getRecent() never returns what was read before a write ended, even if the write began first", async () => {
  const { kv, shared: { getRecent }, reads, values, writing, endReads } = fixture();
  values.set("a", 1);
  const written = kv.set(["a"], 2);
  const first = getRecent("a");
  await endReads();
  assertEquals([await first, getRecent("a")], [1, 1], "the write has not ended");
  values.set("a", 2);
  writing.resolve();
  await written;
  const second = getRecent("a");
  assertEquals(reads.length, 2);
  values.set("a", 3);
  await kv.delete(["a"]);
  const third = getRecent("a"); // the second read is running
  await endReads();
  assertEquals([await second, await third, getRecent("a")], [2, 3, 3]);
});

Deno.test("getRecent() never returns an older value than get() has returned", async () => {
  const { shared: { get, getRecent }, values, endReads } = fixture();
  values.set("a", 1);
  const first = getRecent("a");
  await endReads();
  values.set("a", 2); // by another process
  assertEquals([await first, getRecent("a")], [1, 1]);
  const fresh = get("a");
  await endReads();
  assertEquals([await fresh, getRecent("a")], [2, 2]);
});

Deno.test("getRecent() keeps at most as many values as its limit, and shares none that is not current", async () => {
  const options = { limit: 2, isCurrent: (value: number) => value < 10 };
  const { shared: { getRecent }, reads, values, endReads } = fixture(options);
  values.set("d", 10);
  for (const name of ["a", "b", "a", "b", "c", "a", "d", "d"]) {
    await Promise.all([getRecent(name), endReads()]);
  }
  assertEquals(reads.map(({ name }) => name), ["a", "b", "c", "a", "d", "d"]);
});
