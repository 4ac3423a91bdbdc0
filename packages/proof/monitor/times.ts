/**
 * When entries were published, as far as a monitor has seen.
 *
 * @module
 */
import { type Cosignature, parseCheckpoint, type Policy, verifyCheckpoint } from "../log/mod.ts";
import type { Countersignature } from "../verify/mod.ts";
import type { MonitorFault } from "./finding.ts";
import type { Kept, SeenCheckpoint } from "./kept.ts";

/** When an entry was published, as far as a monitor knows. */
export interface EntryTimes {
  /** When the monitor first saw a checkpoint with it, ISO 8601. */
  seen: string;
  /** When the log last showed the monitor a checkpoint without it; null if it has had it ever since. */
  absent: string | null;
  /**
   * The earliest known countersignature by a witness of the policy, if possible by one that is independent: a
   * witness of the log's operator may state any time.
   */
  countersigned: Countersignature | null;
}

/** The checkpoints that a monitor has seen, and what they say about times. */
export type History = Awaited<ReturnType<typeof openHistory>>;

/** The file with the time when the log last showed the newest kept checkpoint. */
const SHOWN = "shown";

export async function openHistory(
  { kept, policy, origin }: { kept: Kept; policy: Policy; origin: string },
) {
  const seen = await kept.seen();
  const rows = seen.filter(({ fault }) => fault === undefined);
  const refused = new Set(seen.flatMap(({ fault, text }) => fault === undefined ? [] : [text]));
  const bytes = await kept.read(SHOWN);
  let shown = bytes === null ? rows.at(-1)?.seen ?? null : new TextDecoder().decode(bytes);
  const cosignatures = new Map<SeenCheckpoint, Cosignature[]>();
  const isIndependent = ({ witness }: Cosignature) => !witness.own;

  /** Returns the countersignatures of a checkpoint by witnesses of the policy, the earliest first. */
  async function signedBy(row: SeenCheckpoint): Promise<Cosignature[]> {
    const known = cosignatures.get(row);
    if (known !== undefined) return known;
    const verified = await verifyCheckpoint(row.text, { ...policy, quorum: null }, origin);
    const signed = verified.ok ? verified.checkpoint.cosignatures : [];
    cosignatures.set(row, signed);
    return signed;
  }

  return {
    /** Returns when the log last showed its newest checkpoint, ISO 8601; null before the first. */
    shown: (): string | null => shown,

    /** Adds the checkpoint that the log shows, unless it is the newest one. */
    async note(text: string, size: number, now: string): Promise<void> {
      if (rows.at(-1)?.text !== text) {
        const row = { seen: now, size, text, ...shown !== null && { previous: shown } };
        await kept.addSeen(row);
        rows.push(row);
      }
      shown = now;
      await kept.write(SHOWN, now);
    },

    /** Keeps a checkpoint that the monitor does not follow, and why, once. Other texts are not kept. */
    async refuse(text: string, fault: MonitorFault, now: string): Promise<void> {
      const checkpoint = parseCheckpoint(text);
      if (checkpoint === null || refused.has(text)) return;
      await kept.addSeen({ seen: now, size: checkpoint.size, text, fault });
      refused.add(text);
    },

    /**
     * Returns when the log last published something new, in milliseconds since 1970. A witness countersigns
     * every hour, so its time counts if the policy has one. Null if nobody has ever countersigned, because
     * then the log's checkpoint does not change while nothing is logged.
     */
    async lastPublished(): Promise<number | null> {
      if (rows.length === 0) return null;
      if (policy.witnesses.length === 0) {
        const isCountersigned = ({ text }: SeenCheckpoint) =>
          parseCheckpoint(text)!.note.signatures.some(({ name }) => name !== origin);
        return rows.some(isCountersigned) ? Date.parse(rows.at(-1)!.seen) : null;
      }
      for (const row of rows.toReversed()) {
        const latest = (await signedBy(row)).at(-1);
        // A witness may state a time in the future.
        if (latest !== undefined) return Math.min(latest.time * 1000, Date.parse(row.seen));
      }
      return Date.parse(rows[0].seen);
    },

    /** Returns the last checkpoint without an entry; null if the monitor saw none. */
    checkpointBefore: (index: number): string | null =>
      rows[firstWith(rows, index) - 1]?.text ?? null,

    async timesOf(index: number): Promise<EntryTimes> {
      const first = firstWith(rows, index);
      const { seen, previous } = rows[first];
      const absent = previous ?? rows[first - 1]?.seen ?? null;
      const independent = policy.witnesses.some(({ own }) => !own);
      let found: Cosignature | undefined;
      for (const row of policy.witnesses.length === 0 ? [] : rows.slice(first)) {
        const signed = await signedBy(row);
        found = signed.find(isIndependent) ?? found ?? signed.at(0);
        if (found !== undefined && (!independent || isIndependent(found))) break;
      }
      const countersigned = found === undefined ? null : {
        at: new Date(found.time * 1000).toISOString(),
        name: found.witness.name,
        own: found.witness.own,
      };
      return { seen, absent, countersigned };
    },
  };
}

/** Returns the place of the first checkpoint with an entry. Sizes never shrink. */
function firstWith(rows: readonly SeenCheckpoint[], index: number): number {
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (rows[middle].size > index) high = middle;
    else low = middle + 1;
  }
  return low;
}
