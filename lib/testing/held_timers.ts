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
