import { HANG_MS } from "./times.ts";

/** The longest pause between two reads. The first ones are shorter. */
const PAUSE_MS = 20;

/**
 * Waits until a condition holds, and returns its first value that is not falsy. Use it only where a
 * test cannot await the event itself.
 *
 * @param read called again every few milliseconds
 * @param what the awaited state for the error, such as "the first bytes are stored"
 * @param limitMs how long to wait
 * @throws {Error} with `what` and the last value, after `limitMs`
 * @example
 * ```ts
 * await until(() => bank.requests.length > 0, "the bank received a request");
 * ```
 */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  what: string,
  limitMs = HANG_MS,
): Promise<Exclude<Value, false | null | undefined | 0 | "">> {
  const end = performance.now() + limitMs;
  for (let reads = 0;; reads++) {
    const value = await read();
    if (value) return value as Exclude<Value, false | null | undefined | 0 | "">;
    if (performance.now() >= end) {
      throw new Error(`Waited ${limitMs} ms until ${what}. Last value: ${Deno.inspect(value)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(reads, PAUSE_MS)));
  }
}
