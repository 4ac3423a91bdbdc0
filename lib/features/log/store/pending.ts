/** Entries that wait to be added to the public log, and the errors when nothing may be logged. */
import { reserveCheck, unchecked } from "../../../platform/kv/mod.ts";
import { encodeHex } from "../../../base/bytes.ts";
import { SECOND_MS } from "../../../base/time.ts";
import { fail, FailureError } from "../../../base/result.ts";
import type { LogEntry } from "../../../../packages/proof/mod.ts";
import { logHalted, logIndex, logPending } from "./tables.ts";

/** The order of pending entries: those that happen now, before those that a log that begins again adds once more. */
export const LANES = { live: 0, again: 1 } as const;

/** The units of time in which pending entries are ordered. */
export const TICK_MS = 10 * SECOND_MS;

/**
 * Thrown if the log has an entry for a chain's next size, or a document's next statement, already. Then the
 * store has lost some: it was restored from a backup.
 */
export class ChainBehindLogError extends FailureError {
  override readonly name = "ChainBehindLogError";

  constructor() {
    super(fail("chain_behind_log", {
      message: "We have lost part of this record, so we cannot add to it at the moment.",
    }));
  }
}

/** Thrown if nothing may be logged, because the store is behind its witnesses or its anchor. */
export class LogHaltedError extends FailureError {
  override readonly name = "LogHaltedError";

  constructor() {
    super(fail("log_halted", {
      message: "Our records cannot be changed at the moment, so nothing was changed.",
      retryAfterSeconds: 300,
    }));
  }
}

/** Returns the keys that {@link addRead} needs the entries of. */
export const keysOf = (entries: readonly LogEntry[]): Deno.KvKey[] => [
  logHalted.key(),
  ...entries.map(({ slot }) => logIndex.key(encodeHex(slot))),
];

/**
 * Adds entries to the commit of what they state. The commit fails if the log gets one of their slots first.
 *
 * @param rows what was read at {@link keysOf}
 * @throws {ChainBehindLogError} if the log has one of the slots already
 * @throws {LogHaltedError} if the log is halted
 */
export function addRead(
  commit: Deno.AtomicOperation,
  entries: readonly LogEntry[],
  [halted, ...logged]: readonly Deno.KvEntryMaybe<unknown>[],
  now: number,
): void {
  if (halted.value !== null) throw new LogHaltedError();
  unchecked("A halted log takes up nothing that is pending.", halted);
  if (logged.some(({ value }) => value !== null)) {
    unchecked("An entry stays in the log.", ...logged);
    throw new ChainBehindLogError();
  }
  commit.check(...logged);
  putPending(commit, entries, LANES.live, now);
}

/** Reads what {@link addRead} needs, and adds entries to a commit. */
export async function addPending(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  entries: readonly LogEntry[],
  now: number,
): Promise<void> {
  addRead(commit, entries, await kv.getMany<unknown[]>(keysOf(entries)), now);
}

/** Returns the indexes of entries in the log; null for those that it does not have yet. */
export async function indexesOf(
  kv: Deno.Kv,
  entries: readonly LogEntry[],
): Promise<(number | null)[]> {
  const rows = await kv.getMany<(number | null)[]>(
    entries.map(({ slot }) => logIndex.key(encodeHex(slot))),
  );
  return rows.map(({ value }) => value);
}

/** Returns whether the log has an entry with a slot. */
export async function hasSlot(kv: Deno.Kv, slot: LogEntry["slot"]): Promise<boolean> {
  const entry = await logIndex.get(kv, encodeHex(slot));
  unchecked("An entry stays in the log.", entry);
  return entry.value !== null;
}

/** Adds entries that are known to be missing in the log to a commit. */
export function putPending(
  commit: Deno.AtomicOperation,
  entries: readonly LogEntry[],
  lane: number,
  now: number,
): void {
  reserveCheck(commit);
  const tick = Math.floor(now / TICK_MS);
  for (const { slot, commitment } of entries) {
    logPending.put(commit, [lane, tick, encodeHex(slot)], commitment);
  }
}

/** The most pending entries that are counted. */
const MOST_COUNTED = 1_000;

/** Returns the number of pending entries, at most 1,000. */
export async function countPending(kv: Deno.Kv): Promise<number> {
  const options = { limit: MOST_COUNTED, batchSize: 500 };
  return (await Array.fromAsync(logPending.list(kv, [], options))).length;
}
