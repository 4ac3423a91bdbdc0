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
  of(row: Row, key: Deno.KvKey): Iterable<CounterChange>;
}

export type CounterChange = readonly [key: Deno.KvKey, change: bigint];

/** Adds the sum of changes to a commit. Changes may be negative. */
export function addChanges(
  commit: Deno.AtomicOperation,
  changes: Iterable<CounterChange>,
): void {
  const sums = new Map<string, CounterChange>();
  for (const [key, change] of changes) {
    const id = JSON.stringify(key);
    sums.set(id, [key, (sums.get(id)?.[1] ?? 0n) + change]);
  }
  // Sums wrap around, so a large number subtracts.
  for (const [key, sum] of sums.values()) if (sum !== 0n) commit.sum(key, BigInt.asUintN(64, sum));
}

export const negated = function* (changes: Iterable<CounterChange>): Iterable<CounterChange> {
  for (const [key, change] of changes) yield [key, -change];
};
