/** Counts the codes sent per day and dial code, to keep the daily budget and notice toll fraud. */
import { z } from "zod";
import { defineTable, expires, EXPIRING, isoAfter, unchecked } from "../../platform/kv/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import { CODE_LIFETIME_MS } from "./codes.ts";
import type { Channel } from "./provider.ts";

/** The messages of one UTC day, to one dial code or to all of them, in one shard. */
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

/**
 * The rows of days. The key is a day and a scope, which is a dial code or `all`, followed by the number
 * of the shard unless that is 0.
 */
export const codeDays = defineTable({
  prefix: "code_days",
  value: day,
  key: ["day", "scope"],
  owner: "nobody",
  lifetime: expires("3 days"),
  per: "day, dial code and shard",
});

/** The length of a period. The codes of the current one may still be entered. */
const PERIOD_MS = CODE_LIFETIME_MS;

/** A dial code is paused if a smaller share of its codes is entered, once it has had this many. */
const MIN_CONVERSION = 0.2;
const MIN_SAMPLE = 40;

/**
 * The number of rows of a day and scope. Each number counts in one of them, because messages to
 * unrelated numbers would otherwise wait for each other.
 */
const SHARDS = 8;

/** With a smaller budget per shard, its reserve would be a noticeable part of the lowest limit. */
const BUDGET_PER_SHARD = 250;

/** The rows in which the messages to one number count. */
export interface Shard {
  index: number;
  /**
   * How far below its limit a sum of all shards must be. A commit checks its own shard only, so each of
   * the others may have counted one more message since the sum was read.
   */
  reserve: number;
}

/**
 * Returns the shard of a number.
 *
 * @param tag a keyed hash of the number, so that nobody can choose the shard
 */
export function shardOf(tag: string, dailyBudget: number): Shard {
  const used = Math.min(SHARDS, Math.max(1, Math.floor(dailyBudget / BUDGET_PER_SHARD)));
  const sum = Array.from(tag).reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return { index: sum % used, reserve: used - 1 };
}

/** Returns the key of the row in which the messages of a shard count. */
export const shardKey = (day: string, scope: string, index: number): Deno.KvKey =>
  codeDays.key(day, index === 0 ? scope : `${scope} ${index}`);

/** A day of one scope. */
export interface CountedDay {
  /** The sum of all shards, including those that only another budget uses. */
  total: DayRow;
  /** The entry of one shard. */
  entry: Deno.KvEntryMaybe<unknown>;
}

/**
 * Reads a day of one scope. All shards are read at once: the bound of {@link Shard.reserve} depends on
 * it.
 */
export async function readDay(
  kv: Deno.Kv,
  day: string,
  scope: string,
  { index }: Pick<Shard, "index">,
): Promise<CountedDay> {
  const keys = Array.from({ length: SHARDS }, (_, shard) => shardKey(day, scope, shard));
  const entries = await kv.getMany<unknown[]>(keys);
  const total = entries.map(dayRowOf).reduce((sum, row) => ({
    ...sum,
    sms: sum.sms + row.sms,
    voice: sum.voice + row.voice,
    approved: sum.approved + row.approved,
    recent: [...sum.recent, ...row.recent],
    alarmed: sum.alarmed || row.alarmed,
  }));
  // The reserve of each shard allows for what the others count meanwhile.
  unchecked("Each shard keeps a reserve for the others.", ...entries.filter((_, i) => i !== index));
  return { total, entry: entries[index] };
}

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
 * Returns whether enough of the codes that could have been entered were entered: if only few are, it is a sign of
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
