import { type Schedule, scheduleTimeout } from "./schedule.ts";

/**
 * Runs work with a signal that aborts after a time, or with another signal.
 *
 * Its timer ends with the work. That of `AbortSignal.timeout` does not, and when it ends, the runtime makes an error with
 * a stack, which takes longer than some requests.
 *
 * @example
 * ```ts
 * const text = await withDeadline(8_000, undefined, async (signal) => (await fetch(url, { signal })).text());
 * ```
 */
export async function withDeadline<Result>(
  ms: number,
  other: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
  schedule: Schedule = scheduleTimeout,
): Promise<Result> {
  const deadline = new AbortController();
  const abort = () => deadline.abort();
  const cancel = schedule(abort, ms);
  other?.addEventListener("abort", abort);
  if (other?.aborted) abort();
  try {
    return await work(deadline.signal);
  } finally {
    cancel();
    other?.removeEventListener("abort", abort);
  }
}
