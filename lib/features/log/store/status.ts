/** Reads the state of the public log: size, checkpoint, witnesses, and entries per day. */
import { encodeHex } from "../../../base/bytes.ts";
import { DAY_MS, dayOf } from "../../../base/time.ts";
import { completionEntry, formatVerifierKey, parseNote } from "../../../../packages/proof/mod.ts";
import type { Witness } from "./ask_witness.ts";
import { LANES, TICK_MS } from "./pending.ts";
import {
  type CheckpointRow,
  type HaltedRow,
  logCheckpoint,
  logCheckpoints,
  logDays,
  logHalted,
  logIndex,
  logPending,
  logState,
  logWaiting,
  logWitnesses,
  type WaitingRow,
  type WitnessRow,
} from "./tables.ts";

/** A witness that the log asks, and what it replied last. */
export interface WitnessStatus extends WitnessRow {
  /** Its name in the policy. */
  name: string;
  /** Its key as text. */
  key: string;
  /** True if the log's operator runs it too. */
  own: boolean;
  /** When it countersigned the published checkpoint, ISO 8601; null if it did not. */
  signed: string | null;
}

/** The state of a log. Times are ISO 8601 in UTC. */
export interface LogStatus {
  origin: string;
  /** The size of the tree, which may not be published yet. */
  size: number;
  published: CheckpointRow | null;
  witnesses: WitnessStatus[];
  /**
   * When the oldest entry that waits was added, rounded down to 10 seconds; null if none waits. Without those that
   * a log that begins again already had.
   */
  waitingSince: string | null;
  halted: HaltedRow | null;
  /** For whom the log waits before it publishes anything; null if it waits for nobody. */
  waiting: WaitingRow | null;
  /** The size from which the log is complete; null before. */
  completeFrom: number | null;
}

/** Reads the state of a log, in one round trip. */
export async function readStatus(
  kv: Deno.Kv,
  log: { origin: string; witnesses(): Promise<readonly Witness[]> },
): Promise<LogStatus> {
  const witnesses = await log.witnesses();
  const completion = encodeHex(completionEntry().slot);
  const [state, published, halted, waiting, complete, waitingSince, rows] = await Promise.all([
    logState.get(kv),
    logCheckpoint.get(kv),
    logHalted.get(kv),
    logWaiting.get(kv),
    logIndex.get(kv, completion),
    oldestPending(kv),
    Promise.all(witnesses.map(({ key }) => logWitnesses.get(kv, key.name))),
  ]);
  const signatures = published.value === null
    ? []
    : parseNote(published.value.text)?.signatures ?? [];
  return {
    origin: log.origin,
    size: state.value?.size ?? 0,
    published: published.value,
    witnesses: witnesses.map(({ name, key, own }, i) => {
      const signature = signatures.find((each) => each.name === key.name && each.id === key.id);
      return {
        size: 0,
        at: null,
        problem: null,
        ...rows[i].value,
        name,
        key: formatVerifierKey(key),
        own,
        signed: signature === undefined ? null : timeOf(signature.bytes),
      };
    }),
    waitingSince,
    halted: halted.value,
    waiting: waiting.value,
    completeFrom: complete.value,
  };
}

/** The reason why a log does not publish. */
type LogState = "ok" | "waiting" | "halted";

/** Returns whether a log is halted or waits for its witnesses, in one read. */
export async function readLogState(kv: Deno.Kv): Promise<LogState> {
  const [halted, waiting] = await kv.getMany([logHalted.key(), logWaiting.key()]);
  return halted.value !== null ? "halted" : waiting.value !== null ? "waiting" : "ok";
}

/** Returns the time that a cosignature begins with. It was verified before it was published. */
const timeOf = (bytes: Uint8Array): string => {
  const seconds = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  return new Date(Number(seconds) * 1000).toISOString();
};

async function oldestPending(kv: Deno.Kv): Promise<string | null> {
  const [first] = await Array.fromAsync(logPending.list(kv, [LANES.live], { limit: 1 }));
  return first === undefined ? null : new Date(Number(first.key[2]) * TICK_MS).toISOString();
}

/**
 * Returns when the first checkpoint with an entry was signed, ISO 8601; null for one that is not published.
 *
 * @param index null for an entry that the log does not have
 */
export async function firstPublished(kv: Deno.Kv, index: number | null): Promise<string | null> {
  if (index === null) return null;
  const start = logCheckpoints.key(index + 1);
  const end = logCheckpoints.key(Number.MAX_SAFE_INTEGER);
  const rows = kv.list<CheckpointRow>({ start, end }, { limit: 1 });
  const [first] = await Array.fromAsync(rows);
  return first?.value.signed_at ?? null;
}

/** The number of entries that were published on a day, `YYYY-MM-DD` in UTC. */
interface DayCount {
  day: string;
  count: number;
}

/** Returns the entries of each of the last days, the oldest first, from the log's first day on. */
export async function readDays(kv: Deno.Kv, now: number, days: number): Promise<DayCount[]> {
  const rows = await Array.fromAsync(
    logDays.list(kv, [], { limit: days + 1, reverse: true, batchSize: days + 1 }),
    ({ key, value }) => ({ day: String(key[1]), size: value }),
  );
  const first = dayOf(now - (days - 1) * DAY_MS);
  const sizes = new Map(rows.map(({ day, size }) => [day, size]));
  let size = rows.find(({ day }) => day < first)?.size ?? 0;
  const begun = rows.at(-1)?.day;
  return Array.from({ length: days }, (_, i) => {
    const day = dayOf(now - (days - 1 - i) * DAY_MS);
    const before = size;
    // After a clock was set back, an earlier day can end with more than a later one.
    size = Math.max(size, sizes.get(day) ?? 0);
    return { day, count: size - before };
  }).filter(({ day }) => begun !== undefined && day >= begun);
}
