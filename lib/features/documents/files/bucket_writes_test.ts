import { assertEquals, assertRejects } from "@std/assert";
import { BlockedError, BUCKET_LIMITS, createBucketWrites } from "./bucket_writes.ts";

Deno.test("a write that takes longer than 5 s blocks new ones, and those that wait run after it", async () => {
  let now = 0;
  const writes = createBucketWrites(BUCKET_LIMITS, () => now);
  const { promise: slow, resolve: finish } = Promise.withResolvers<void>();
  const done: string[] = [];
  const write = (name: string) => writes.upload(() => Promise.resolve(done.push(name)));
  const first = writes.upload(async () => {
    await slow;
    done.push("first");
  });
  const waiting = write("waiting");
  await Promise.resolve(); // the first one has begun
  now = 4_999;
  assertEquals(writes.isBlocked(), false);
  now = 5_000;
  assertEquals(writes.isBlocked(), true);
  await assertRejects(() => write("new"), BlockedError);
  await assertRejects(() => writes.write(() => Promise.resolve()), BlockedError);
  finish();
  await Promise.all([first, waiting]);
  assertEquals(done, ["first", "waiting"]);
  assertEquals(writes.isBlocked(), false);
});

Deno.test("after a write missed the deadline, no other one begins for 5 s", async () => {
  let now = 0;
  const writes = createBucketWrites({ ...BUCKET_LIMITS, deadlineMs: 50 }, () => now);
  const hang = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  await assertRejects(() => writes.upload(hang), DOMException, "timeout");
  now = 4_999;
  await assertRejects(() => writes.upload(() => Promise.resolve()), BlockedError);
  now = 5_000;
  assertEquals(await writes.upload(() => Promise.resolve("written")), "written");
});

Deno.test("a write that fails before the deadline blocks nothing", async () => {
  const writes = createBucketWrites(BUCKET_LIMITS);
  await assertRejects(() => writes.upload(() => Promise.reject(new Error("refused"))), Error);
  assertEquals(await writes.upload(() => Promise.resolve("written")), "written");
});
