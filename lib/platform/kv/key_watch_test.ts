import { assert, assertEquals } from "@std/assert";
import { FakeTimer } from "../http/testing/streams.ts";
import { noteChange } from "./changes.ts";
import { createKeyWatch } from "./key_watch.ts";
import { openKv } from "./open.ts";

const keyOf = (i: number): Deno.KvKey => ["rows", `row ${i}`];

/** A watch of a store in memory, with the keys that it read since `reads` was last emptied. */
async function fixture() {
  const kv = await openKv(":memory:");
  const timer = new FakeTimer();
  const reads: Deno.KvKey[][] = [];
  const open = { now: 0, most: 0 };
  const counted = {
    async getMany(keys: Deno.KvKey[]) {
      reads.push(keys);
      open.most = Math.max(open.most, ++open.now);
      const entries = await kv.getMany(keys);
      open.now--;
      return entries;
    },
  } as unknown as Deno.Kv;
  const errors: unknown[] = [];
  const watch = createKeyWatch({
    kv: counted,
    schedule: timer.schedule,
    onError: (error) => errors.push(error),
  });
  return {
    watch,
    reads,
    open,
    errors,
    poll: () => timer.fire(() => watch.size === 0),
    async write(...keys: Deno.KvKey[]) {
      const commit = kv.atomic();
      for (const key of keys) {
        commit.set(key, 1);
        noteChange(commit, key);
      }
      await commit.commit();
    },
    async [Symbol.asyncDispose]() {
      await watch.close();
      kv.close();
    },
  };
}

Deno.test("5,000 watched keys: a quiet second takes at most 26 reads, and an event reads its neighbours only", async () => {
  await using test = await fixture();
  const heard: number[] = [];
  for (let i = 0; i < 5_000; i++) test.watch.watch(keyOf(i), () => heard.push(i));
  await test.poll();
  assertEquals(heard.splice(0).length, 5_000); // each is called after its first read
  assert(test.open.most <= 20, `${test.open.most} reads at the same time`);

  test.reads.length = 0;
  await test.poll();
  assertEquals(heard, []);
  assert(test.reads.length <= 26, `${test.reads.length} reads`);

  test.reads.length = 0;
  await test.write(keyOf(4_711));
  await test.poll();
  assertEquals(heard.splice(0), [4_711]);
  const others = test.reads.slice(26).flat();
  assert(others.length < 40, `${others.length} keys for one event`);

  await test.write(...Array.from({ length: 100 }, (_, i) => keyOf(50 * i)));
  await test.poll();
  assertEquals(heard.length, 100);
});

Deno.test("a key that is watched later is read once, and one that is no longer watched is not", async () => {
  await using test = await fixture();
  const heard: string[] = [];
  await test.write(keyOf(1));
  const stop = test.watch.watch(keyOf(1), () => heard.push("first"));
  await test.poll();
  test.watch.watch(keyOf(2), () => heard.push("second"));
  await test.poll();
  assertEquals(heard.splice(0), ["first", "second"]);
  stop();
  await test.write(keyOf(1), keyOf(2));
  await test.poll();
  assertEquals(heard, ["second"]);
});

Deno.test("a change is reported by the next round if a round fails", async () => {
  await using test = await fixture();
  const heard: string[] = [];
  test.watch.watch(keyOf(1), () => heard.push("changed"));
  await test.poll();
  heard.length = 0;
  await test.write(keyOf(1));
  const push = test.reads.push;
  test.reads.push = () => {
    throw new Error("unreachable");
  };
  await test.poll();
  assertEquals([heard.length, test.errors.length], [0, 1]);
  test.reads.push = push;
  await test.poll();
  assertEquals(heard, ["changed"]);
});
