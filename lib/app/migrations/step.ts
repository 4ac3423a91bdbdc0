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

export interface Batch {
  /** The number of rows. */
  count: number;
  /** Null if this was the last batch. */
  next: string | null;
  /** Adds the writes that must happen once to the commit that saves the progress. */
  addToCommit?: AddToCommit;
}

export type AddToCommit = (commit: Deno.AtomicOperation) => void;
