/** Timers and deadlines for tests, which end when the test says so and not by the clock. */
import type { Schedule } from "../base/schedule.ts";

/**
 * Creates timers that all end at the moment which the test chooses, whatever their delays are. Those that
 * are started later end at once.
 *
 * @example
 * ```ts
 * const timers = heldTimers();
 * await using site = await createSite({}, { schedule: timers.schedule });
 * timers.end();
 * ```
 */
export function heldTimers(): { schedule: Schedule; end: () => void } {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const schedule: Schedule = (run) => {
    let cancelled = false;
    ended.then(() => cancelled || run()).catch(reportError);
    return () => void (cancelled = true);
  };
  return { schedule, end };
}

/** Starts timers that never end, so that a busy machine has as much time as it needs. */
export const never: Schedule = () => () => {};

/** Replaces `AbortSignal.timeout` until it is disposed of. Its signals abort when the test says so. */
export function heldDeadlines() {
  const { timeout } = AbortSignal;
  const held: { ms: number; controller: AbortController }[] = [];
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    held.push({ ms, controller });
    return controller.signal;
  };
  return {
    /** The milliseconds of the deadlines so far. */
    given: () => held.map(({ ms }) => ms),
    /** Ends the deadlines so far, or those whose milliseconds match. */
    end(matches: (ms: number) => boolean = () => true) {
      for (const { ms, controller } of held) if (matches(ms)) controller.abort();
    },
    [Symbol.dispose]: () => void (AbortSignal.timeout = timeout),
  };
}
