/** The names of scheduled backups, and which of them are due for deletion. */
import { DAY_MS, HOUR_MS } from "../../base/time.ts";

/** How long copies are kept. */
export interface Retention {
  /** Every copy is kept for this time. */
  hours: number;
  /** After that, the last copy of each day (UTC) is kept for this time. */
  days: number;
}

const NAME = /^gatehouse-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.kv$/;
/** The names that an interrupted copy leaves, with the files of SQLite beside it. */
const INCOMPLETE = /\.incomplete(-journal|-wal|-shm)?$/;

/** Returns the name of a copy that is made at a time, such as `gatehouse-20261122T100000Z.kv`. */
export const copyName = (at: number): string =>
  `gatehouse-${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z.kv`;

/**
 * Returns which copies are no longer kept. Other files are never among them, nor is the newest copy. An
 * incomplete copy is kept for the hours only, because it would otherwise contain people who were deleted
 * long ago.
 *
 * @param names of all files in the folder
 */
export function oldCopies(
  names: Iterable<string>,
  { hours, days }: Retention,
  now: number,
): string[] {
  const all = [...names].flatMap((name) => {
    const at = madeAt(name.replace(INCOMPLETE, ""));
    return at === null ? [] : [{ name, at, isComplete: !INCOMPLETE.test(name) }];
  }).sort((a, b) => b.at - a.at);
  const interrupted = all.filter(({ isComplete, at }) => !isComplete && now - at > hours * HOUR_MS);
  const copies = all.filter(({ isComplete }) => isComplete);
  const seen = new Set<number>();
  const old = copies.filter(({ at }, i) => {
    const day = Math.floor(at / DAY_MS);
    const isLastOfDay = !seen.has(day);
    seen.add(day);
    const age = now - at;
    const isKept = i === 0 || age <= hours * HOUR_MS || isLastOfDay && age <= days * DAY_MS;
    return !isKept;
  });
  return [...old, ...interrupted].map(({ name }) => name);
}

function madeAt(name: string): number | null {
  const parts = NAME.exec(name);
  if (parts === null) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
