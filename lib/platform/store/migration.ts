/**
 * The changes of a feature to a store that an older build has written, or whose rows depend on an
 * older `APP_SECRET`.
 */
export type Migration =
  & {
    /** Identifies it while it is not complete, in the store. */
    name: string;
    /** The store's format that it leads to. Absent if it only runs after `APP_SECRET` was changed. */
    format?: number;
    /**
     * True if it also runs, beside the site, after `APP_SECRET` was changed. Its rows are found and
     * decrypted with both secrets until then.
     */
    rotates?: true;
    /** The rows that it changes, for people: `names of records`. Default: the name. */
    label?: string;
    step: Step;
  }
  & (
    | {
      /** It runs before the site serves requests, for this reason. */
      before: string;
    }
    | {
      /**
       * It runs as a job while the site serves, for this reason. Until then, what depends on it works or says
       * that it is incomplete (`StoreWork.isComplete`).
       */
      beside: string;
    }
  );

/**
 * A step of a migration, which works in batches. Its process can die at any time, and two processes can run the
 * same batch, so everything that a batch writes itself must be repeatable.
 */
export interface Step {
  /**
   * Processes the next batch.
   *
   * @param cursor the `next` of the batch before; empty for the first one
   */
  batch(cursor: string): Promise<Batch>;
  /** Returns how much is done at a cursor, from 0 to 1. */
  share?(cursor: string): number;
}

interface Batch {
  /** The number of rows that it has gone through. */
  indexed?: number;
  /** Null if this was the last batch. */
  next: string | null;
  /** Adds the writes that must happen once to the commit that saves the progress. */
  addToCommit?: AddToCommit;
}

export type AddToCommit = (commit: Deno.AtomicOperation) => void;
