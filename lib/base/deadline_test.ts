import { assert, assertEquals, assertFalse, assertRejects } from "@std/assert";
import type { Schedule } from "./schedule.ts";
import { withDeadline } from "./deadline.ts";

/** Timers that end when the test says so. */
function timers() {
  const running = new Map<() => void, number>();
  const schedule: Schedule = (run, ms) => {
    running.set(run, ms);
    return () => void running.delete(run);
  };
  return { schedule, running, end: () => running.forEach((_, run) => run()) };
}

Deno.test("the signal of withDeadline() aborts after its time, and its timer ends with the work", async () => {
  const { schedule, running, end } = timers();
  const late = await withDeadline(8, undefined, (signal) => {
    assertEquals([...running.values()], [8]);
    assertFalse(signal.aborted);
    end();
    return Promise.resolve(signal);
  }, schedule);
  assert(late.aborted);
  assertEquals(running.size, 0);
});

Deno.test("the timer of withDeadline() ends with work that fails", async () => {
  const { schedule, running } = timers();
  const work = () => Promise.reject(new Error("failed"));
  await assertRejects(() => withDeadline(8, undefined, work, schedule), Error, "failed");
  assertEquals(running.size, 0);
});

Deno.test("the signal of withDeadline() aborts with the other one while the work runs, and not later", async () => {
  const [before, during, after] = [1, 2, 3].map(() => new AbortController());
  before.abort();
  const { schedule } = timers();
  const aborted = (controller: AbortController, work: () => void = () => {}) =>
    withDeadline(8, controller.signal, (signal) => {
      work();
      return Promise.resolve({ signal, aborted: signal.aborted });
    }, schedule);
  assert((await aborted(before)).aborted);
  assert((await aborted(during, () => during.abort())).aborted);
  const { signal } = await aborted(after);
  after.abort();
  assertFalse(signal.aborted);
});
