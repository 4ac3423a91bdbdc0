import { assertEquals, assertRejects } from "@std/assert";
import { callAfter, callAfterWhileAlive, withDeadline } from "./deadline.ts";

const late = () => new Error("late");
const never = () => new Promise<string>(() => {});

Deno.test("withDeadline() rejects each promise that takes longer than its limit", async () => {
  const slow = [withDeadline(never(), 2, late), withDeadline(never(), 2, late)];
  const slower = withDeadline(never(), 4, late);
  for (const promise of [...slow, slower]) await assertRejects(() => promise, Error, "late");
});

Deno.test("withDeadline() passes on a result and an error, whether at once or later", async () => {
  assertEquals(await withDeadline(Promise.resolve("text"), 60_000, late), "text");
  const { promise, resolve } = Promise.withResolvers<string>();
  const later = withDeadline(promise, 60_000, late);
  await Promise.resolve();
  await Promise.resolve();
  resolve("later");
  assertEquals(await later, "later");
  const failed = (reason: unknown) => new Error(`changed ${reason}`);
  await assertRejects(
    () => withDeadline(Promise.reject("reason"), 60_000, late, failed),
    Error,
    "changed reason",
  );
});

Deno.test("withDeadline() limits a promise that begins while another one's timer runs", async () => {
  const first = withDeadline(never(), 5, late);
  await assertRejects(() => first, Error, "late");
  const done = withDeadline(Promise.resolve().then(() => "done"), 5, late);
  const second = withDeadline(never(), 5, late);
  assertEquals(await done, "done");
  await assertRejects(() => second, Error, "late");
});

for (const call of [callAfter, callAfterWhileAlive]) {
  Deno.test(`${call.name}() calls functions in order, without the cancelled ones`, async () => {
    const called: string[] = [];
    const done = Promise.withResolvers<void>();
    call(2, () => called.push("first"));
    const cancel = call(2, () => called.push("cancelled"));
    call(2, () => called.push("second"));
    callAfter(4, done.resolve);
    cancel();
    await done.promise;
    assertEquals(called, ["first", "second"]);
  });
}
