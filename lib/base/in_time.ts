import { type Schedule, scheduleTimeout } from "./schedule.ts";

/**
 * Waits for work that may hang, at most `ms` milliseconds.
 *
 * @param schedule starts the timer
 * @returns the result, or undefined if it takes longer than `ms`; a later error is then ignored
 */
export async function inTime<Result>(
  work: Promise<Result>,
  ms: number,
  schedule: Schedule = scheduleTimeout,
): Promise<Result | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const cancel = schedule(() => resolve(undefined), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
