import type { SecretPurpose } from "../../base/secrets.ts";
import type { DerivedCounters } from "../kv/mod.ts";

/** What a feature changes in a store that an older build has written. */
export interface Migration {
  /** Identifies it while it runs, in the store. */
  name: string;
  /** The store's format that it leads to. */
  format: number;
  /** The purpose of a secret: the step runs again after `APP_SECRET` was changed. */
  secret?: SecretPurpose;
  /** What to do; for counters, their rows are counted again. */
  step: Step | DerivedCounters<never>;
}

/** A step of a migration, which works in batches. Its process can die at any time. */
export interface Step {
  /**
   * Removes the results of an earlier attempt, before the first batch.
   *
   * @param commit commits only while this process holds the lease
   */
  begin?(commit: (add: AddToCommit) => Promise<void>): Promise<void>;
  /**
   * Processes the next batch.
   *
   * @param cursor the `next` of the batch before; empty for the first one
   */
  batch(cursor: string): Promise<Batch>;
}

interface Batch {
  /** The number of rows that it has indexed. */
  indexed?: number;
  /** Null if this was the last batch. */
  next: string | null;
  /** Adds the writes that must happen once to the commit that saves the progress. */
  addToCommit?: AddToCommit;
}

export type AddToCommit = (commit: Deno.AtomicOperation) => void;
