import { encodeHex } from "../../../base/bytes.ts";
import { SECOND_MS } from "../../../base/time.ts";
import type { LogEntry } from "../entries.ts";
import { logHalted, logIndex, logPending } from "./tables.ts";

/** Events and statements as they happen come before those that are older than the log. */
export const LANES = { live: 0, backfill: 1 } as const;

/** The units of time in which pending entries are ordered. */
const TICK_MS = 10 * SECOND_MS;

/**
 * Thrown if the log has an entry for a chain's next size already. Then the store has lost events: it was
 * restored from a backup.
 */
export class ChainBehindLogError extends Error {
  override readonly name = "ChainBehindLogError";
  readonly code = "chain_behind_log";
}

/** Thrown if nothing may be logged, because the store is behind its witnesses or its anchor. */
export class LogHaltedError extends Error {
  override readonly name = "LogHaltedError";
  readonly code = "log_halted";
}

/**
 * Adds entries to the commit of what they state. The commit fails if the log has one of their slots.
 *
 * @throws {ChainBehindLogError} (rejects) if it has one already
 * @throws {LogHaltedError} (rejects) if the log is halted
 */
export async function addPending(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  entries: readonly LogEntry[],
  now: number,
): Promise<void> {
  const slots = entries.map(({ slot }) => encodeHex(slot));
  const [halted, ...logged] = await kv.getMany([
    logHalted.key(),
    ...slots.map((slot) => logIndex.key(slot)),
  ]);
  if (halted.value !== null) throw new LogHaltedError("The log is halted.");
  if (logged.some(({ value }) => value !== null)) {
    throw new ChainBehindLogError("The log has a newer entry than the store.");
  }
  commit.check(...logged);
  putPending(commit, entries, LANES.live, now);
}

/** Adds entries that are known to be missing in the log to a commit. */
export function putPending(
  commit: Deno.AtomicOperation,
  entries: readonly LogEntry[],
  lane: number,
  now: number,
): void {
  const tick = Math.floor(now / TICK_MS);
  for (const { slot, commitment } of entries) {
    logPending.put(commit, [lane, tick, encodeHex(slot)], commitment);
  }
}

/** Returns when the oldest pending entry was added, in milliseconds since 1970; null if there is none. */
export async function oldestPending(kv: Deno.Kv, lane: number): Promise<number | null> {
  const [first] = await Array.fromAsync(logPending.list(kv, [lane], { limit: 1 }));
  return first === undefined ? null : Number(first.key[2]) * TICK_MS;
}
