import { sleep } from "../../base/sleep.ts";
import { inTime } from "../../base/in_time.ts";

/** The pause after a response, in which its last bytes leave the process. */
const PAUSE_MS = 5;

/**
 * Waits until a promise settles, in either way, but not longer than `limitMs`, and then for another
 * moment. Work that must not delay a response, and whose duration must not show in it, waits for the
 * response this way. Without the pause, work that begins when the response is complete would still
 * slow down its transmission: `deno task bench codes` measures the difference.
 */
export async function settledWithin(promise: Promise<unknown>, limitMs: number): Promise<void> {
  await inTime(promise.catch(() => {}), limitMs);
  await sleep(PAUSE_MS);
}
