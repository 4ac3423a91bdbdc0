import { z } from "zod";
import { defineTable, expires, EXPIRING, isoAfter } from "../../platform/kv/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import { CODE_LIFETIME_MS } from "./codes.ts";
import type { Channel } from "./provider.ts";

/** The messages of one UTC day, to one dial code or to all of them. */
const day = z.strictObject({
  sms: z.number(),
  voice: z.number(),
  /** The number of these codes that were entered correctly. */
  approved: z.number(),
  /** Messages by period of {@link PERIOD_MS}, for the last two periods only. */
  recent: z.array(z.tuple([z.number(), z.number()])),
  /** True if a line was logged because this dial code is paused. */
  alarmed: z.boolean(),
  ...EXPIRING,
});
export type DayRow = z.infer<typeof day>;

/** The rows of days. The key is a day and a dial code, or `all`. */
export const codeDays = defineTable({
  prefix: "code_days",
  value: day,
  key: ["day", "scope"],
  owner: "nobody",
  lifetime: expires("3 days"),
  per: "day and dial code",
});

/** The length of a period. The codes of the current one may still be entered. */
const PERIOD_MS = CODE_LIFETIME_MS;

/** A dial code is paused if a smaller share of its codes is entered, once it has had this many. */
const MIN_CONVERSION = 0.2;
const MIN_SAMPLE = 40;

export function dayRowOf(entry: Deno.KvEntryMaybe<unknown>): DayRow {
  const empty = { sms: 0, voice: 0, approved: 0, recent: [], alarmed: false, expires_at: "" };
  return entry.value as DayRow | null ?? empty;
}

/** Writes a changed day in a commit, which fails if the day has changed since it was read. */
export function setDay(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntryMaybe<unknown>,
  row: DayRow,
  now: number,
): void {
  codeDays.replace(commit, entry, { ...row, expires_at: isoAfter(now, 3 * DAY_MS) }, now);
}

/** Returns a day with one more message, or one less. */
export function countMessage(row: DayRow, channel: Channel, now: number, by: 1 | -1): DayRow {
  const current = periodOf(now);
  const recent = row.recent.filter(([period]) => period >= current - 1);
  const at = recent.findIndex(([period]) => period === current);
  if (at === -1) recent.push([current, Math.max(0, by)]);
  else recent[at] = [current, Math.max(0, recent[at][1] + by)];
  return { ...row, [channel]: Math.max(0, row[channel] + by), recent };
}

/**
 * Returns whether too few of the codes that could have been entered were entered, which is a sign of
 * toll fraud.
 */
export function converts(days: DayRow[], now: number): boolean {
  const current = periodOf(now);
  let [due, approved] = [0, 0];
  for (const row of days) {
    const pending = row.recent.filter(([period]) => period >= current - 1);
    due += row.sms + row.voice - pending.reduce((sum, [, sent]) => sum + sent, 0);
    approved += row.approved;
  }
  return due < MIN_SAMPLE || approved / due >= MIN_CONVERSION;
}

const periodOf = (now: number) => Math.floor(now / PERIOD_MS);
