import { z } from "zod";

/** The value of a counter, for the schema of its table. */
export const counter = z.instanceof(Deno.KvU64);

/**
 * Counters that are derived from rows. The commits that change the rows also change the counters, with
 * sums, which cannot conflict. A migration counts the rows that already exist.
 */
export interface DerivedCounters<Row = unknown> {
  /** The prefix of the rows. */
  rows: Deno.KvKey;
  /** The prefixes of the counters. */
  counters: readonly Deno.KvKey[];
  /** Returns what a row adds to the counters. */
  of(row: Row, key: Deno.KvKey): Iterable<readonly [key: Deno.KvKey, change: bigint]>;
}
