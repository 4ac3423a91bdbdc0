/**
 * Checks what a log has about one record, by its hash.
 *
 * @module
 */
import { completionEntry, eventSlot, isEqual, type Policy } from "../log/mod.ts";
import { LOG_DELAY_MS } from "../verify/mod.ts";
import type { Finding } from "./finding.ts";
import type { KeptTree } from "./kept_tree.ts";
import type { EntryTimes, History } from "./times.ts";

/** How many sizes are looked up after one that is missing. */
const LOOK_AHEAD = 256;

/** The checked state of a log that a monitor keeps. */
export interface CheckedLog {
  origin: string;
  policy: Policy;
  tree: KeptTree;
  history: History;
  /** Returns the keys of all sets that were logged. */
  readKeys(): Promise<unknown[]>;
  /** True if the log could be read in this round, and extends what was read before. */
  isRead: boolean;
}

/** One size of a record's chain in the log. */
export interface RecordEntry extends EntryTimes {
  size: number;
  index: number;
}

/** The entries of a record in the log, and the findings about them. */
export interface RecordReport {
  record: string;
  /** The path of the saved chain. */
  file?: string;
  /** The number of events by the log. */
  events: number;
  /** The number of signed events in the file. */
  saved?: number;
  /** How many entries have the commitment of the file's chain; null if it has no `log_salt`. */
  opened?: number | null;
  entries: RecordEntry[];
  /** Remarks that are not faults. */
  notes: string[];
  findings: Finding[];
}

/** Reports where the sizes of a record's chain are in the log. Nothing is sent to anybody. */
export async function checkRecord(log: CheckedLog, record: string): Promise<RecordReport> {
  const { gaps, ...report } = await lookUp(log, record);
  const findings: Finding[] = gaps.length === 0 ? [] : [missingSizes(log, gaps)];
  return { ...report, notes: openingNotes(log), findings };
}

/** Returns what a report begins with if nothing of the log was accepted in this round. */
export function openingNotes({ history, isRead }: CheckedLog): string[] {
  const shown = history.shown();
  if (shown === null) return ["Nothing of the log was read yet, so nothing is compared with it."];
  return isRead ? [] : [`The log could not be read now. This is about what it showed at ${shown}.`];
}

/** Returns the entries of a record, and the sizes that the log lacks although it has had a later one for long. */
export async function lookUp(log: CheckedLog, record: string) {
  const entries: RecordEntry[] = [];
  for (let size = 1; size <= (entries.at(-1)?.size ?? 0) + 1 + LOOK_AHEAD; size++) {
    const index = log.tree.find(eventSlot(record, size))?.index;
    if (index !== undefined) entries.push({ size, index, ...await log.history.timesOf(index) });
  }
  const shown = Date.parse(log.history.shown() ?? "");
  const gaps = completionOf(log.tree) === null ? [] : entries.flatMap(({ size, ...times }, i) => {
    const { seen, countersigned } = times;
    const published = Math.min(Date.parse(seen), Date.parse(countersigned?.at ?? seen));
    const before = entries[i - 1]?.size ?? 0;
    const isDue = shown - published > LOG_DELAY_MS;
    return isDue ? Array.from({ length: size - before - 1 }, (_, j) => before + 1 + j) : [];
  });
  return { record, events: entries.at(-1)?.size ?? 0, entries, gaps };
}

/** Returns the index of the entry which says that everything older is in the log; null before. */
export function completionOf(tree: KeptTree): number | null {
  const { slot, commitment } = completionEntry();
  const found = tree.find(slot);
  return found !== null && isEqual(found.commitment, commitment) ? found.index : null;
}

export const missingSizes = ({ tree }: CheckedLog, missing: readonly number[]): Finding => ({
  fault: "log_missing",
  message: `The log lacks ${sizes(missing)} of the chain.`,
  evidence: { "log.checkpoint": tree.text() },
});

/** Returns sizes in words: `size 3`, `sizes 1 to 4, 7`. */
export function sizes(list: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const size of list) {
    const last = ranges.at(-1);
    if (last?.[1] === size - 1) last[1] = size;
    else ranges.push([size, size]);
  }
  const text = ranges.map(([from, to]) => from === to ? `${from}` : `${from} to ${to}`).join(", ");
  return `${list.length === 1 ? "size" : "sizes"} ${text}`;
}
