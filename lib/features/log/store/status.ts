import { encodeHex } from "../../../base/bytes.ts";
import { DAY_MS, dayOf } from "../../../base/time.ts";
import { ifWritable } from "../../../platform/kv/mod.ts";
import { completionEntry } from "../entries.ts";
import { formatVerifierKey, type NoteSigner, parseNote } from "../note.ts";
import type { Witness } from "./ask_witness.ts";
import { LANES, TICK_MS } from "./pending.ts";
import {
  type CheckpointRow,
  type HaltedRow,
  logCheckpoint,
  logDays,
  logHalted,
  logIndex,
  logPending,
  logState,
  logWitnesses,
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
  /** As text. Empty in a copy of development that has none yet. */
  keys: string[];
  /** The size of the tree, which may not be published yet. */
  size: number;
  published: CheckpointRow | null;
  witnesses: WitnessStatus[];
  /** When the oldest entry that waits was added, rounded down to 10 seconds; null if none waits. */
  waitingSince: { live: string | null; backfill: string | null };
  halted: HaltedRow | null;
  /** The size from which the log is complete; null before. */
  completeFrom: number | null;
}

/** Reads the state of a log, in one round trip. */
export async function readStatus(
  kv: Deno.Kv,
  log: {
    origin: string;
    signers(): Promise<readonly NoteSigner[]>;
    witnesses(): Promise<readonly Witness[]>;
  },
): Promise<LogStatus> {
  const [signers = [], witnesses] = await Promise.all([
    ifWritable(() => log.signers()),
    log.witnesses(),
  ]);
  const completion = encodeHex(completionEntry().slot);
  const [state, published, halted, complete, live, backfill, rows] = await Promise.all([
    logState.get(kv),
    logCheckpoint.get(kv),
    logHalted.get(kv),
    logIndex.get(kv, completion),
    oldestPending(kv, LANES.live),
    oldestPending(kv, LANES.backfill),
    Promise.all(witnesses.map(({ key }) => logWitnesses.get(kv, key.name))),
  ]);
  const signatures = published.value === null
    ? []
    : parseNote(published.value.text)?.signatures ?? [];
  return {
    origin: log.origin,
    keys: signers.map(({ key }) => formatVerifierKey(key)),
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
    waitingSince: { live, backfill },
    halted: halted.value,
    completeFrom: complete.value,
  };
}

/** Returns the time that a cosignature begins with. It was verified before it was published. */
const timeOf = (bytes: Uint8Array): string => {
  const seconds = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  return new Date(Number(seconds) * 1000).toISOString();
};

async function oldestPending(kv: Deno.Kv, lane: number): Promise<string | null> {
  const [first] = await Array.fromAsync(logPending.list(kv, [lane], { limit: 1 }));
  return first === undefined ? null : new Date(Number(first.key[2]) * TICK_MS).toISOString();
}

/** The number of entries that were published on a day, `YYYY-MM-DD` in UTC. */
export interface DayCount {
  day: string;
  count: number;
}

/** Returns the entries of each of the last days, the oldest first. */
export async function readDays(kv: Deno.Kv, now: number, days: number): Promise<DayCount[]> {
  const rows = await Array.fromAsync(
    logDays.list(kv, [], { limit: days + 1, reverse: true, batchSize: days + 1 }),
    ({ key, value }) => ({ day: String(key[1]), size: value }),
  );
  const first = dayOf(now - (days - 1) * DAY_MS);
  const sizes = new Map(rows.map(({ day, size }) => [day, size]));
  let size = rows.find(({ day }) => day < first)?.size ?? 0;
  return Array.from({ length: days }, (_, i) => {
    const day = dayOf(now - (days - 1 - i) * DAY_MS);
    const before = size;
    size = sizes.get(day) ?? size;
    return { day, count: size - before };
  });
}
