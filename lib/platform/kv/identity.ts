/** The check in each commit that it reaches the store that the process started with. */
import { MOST_CHECKS } from "./check_limit.ts";
import { StoreUnavailableError } from "./deadlines.ts";
import { hasSameKey } from "./keys.ts";
import type { Operation } from "./operation.ts";
import { ReadOnlyError } from "./read_only.ts";
import type { TimedKv } from "./timed_kv.ts";

/** Shows that a store is still the one that the process started with. */
export interface StoreIdentity {
  /** The row with the store's id, as it was read last. */
  readonly row: Deno.AtomicCheck;
  /** Takes note of the row as it was just read. Returns false if it belongs to another store. */
  note(row: Deno.KvEntryMaybe<unknown>): boolean;
  /** Returns whether the store's file is still where it was opened; true if it is not a file. */
  isInPlace(): Promise<boolean>;
  /** True while the store is known to be another one. */
  readonly isOther: boolean;
}

/** The check that makes a commit fail in another store. */
export interface Proof extends Pick<StoreIdentity, "note"> {
  /** The row that the commit checks in addition. */
  row: Deno.AtomicCheck;
}

/**
 * Returns what a commit checks so that it cannot reach another store: a server that was started with an empty one
 * takes up the connections of its clients, and Deno's client repeats a call without telling.
 *
 * @returns null if the commit has nothing to check
 * @throws {ReadOnlyError} if this is known to be another store
 */
export async function proofFor(
  identity: StoreIdentity,
  store: Pick<TimedKv, "get">,
  operation: Pick<Operation, "reserved">,
  checks: readonly Deno.AtomicCheck[],
): Promise<Proof | null> {
  const { row } = identity;
  const note = (entry: Deno.KvEntryMaybe<unknown>) => identity.note(entry);
  if (operation.reserved > 0 && !await identity.isInPlace()) throw storeChanged();
  if (checks.some((check) => hasSameKey(check, row))) return null;
  if (checks.length < MOST_CHECKS) return { row, note };
  if (!note(await store.get(row.key))) throw storeChanged(); // there is no room for one more check
  return null;
}

export const storeChanged = () => new ReadOnlyError("store_changed");

/**
 * Returns whether a commit failed because the row of its proof has changed in the same store, so that it must be
 * tried again.
 *
 * @param found the row after the commit has failed
 * @throws {StoreUnavailableError} in another store, because an attempt before may have been committed in the right one
 */
export function isOutdated(
  { row, note }: Proof,
  found: Deno.KvEntryMaybe<unknown>,
): boolean {
  if (!note(found)) throw new StoreUnavailableError("commit", "unknown");
  return found.versionstamp !== row.versionstamp;
}
