/**
 * Why a store accepts no writes until somebody changes that: the operator has set `READ_ONLY`, it is a
 * restored copy that was not reconciled, or it is not the store that the process started with.
 */
export type ReadOnlyState = "configured" | "restored" | "store_changed";

/** Why a disk accepts no writes: it is full, or it failed or is mounted read-only. */
export type DiskProblem = "disk_full" | "disk_failed";

/** Why a write was refused. */
export type ReadOnlyReason = ReadOnlyState | DiskProblem;

/** SQLite's messages when it could not write. It has then undone the whole commit. */
const DISK_ERRORS: [message: RegExp, reason: DiskProblem][] = [
  [/database or disk is full/, "disk_full"],
  [/disk I\/O error|readonly database|unable to open database file/, "disk_failed"],
];

/** Thrown for every write while the store is read-only, and for one that the disk did not accept. */
export class ReadOnlyError extends Error {
  override name = "ReadOnlyError";
  readonly code = "read_only";

  constructor(readonly reason: ReadOnlyReason, options?: ErrorOptions) {
    super("The store is read-only.", options);
  }
}

/** Returns why the disk did not accept a write, or undefined for any other error. */
export function diskProblemOf(error: unknown): DiskProblem | undefined {
  if (error instanceof ReadOnlyError) return isDeliberate(error.reason) ? undefined : error.reason;
  if (!(error instanceof TypeError)) return undefined;
  return DISK_ERRORS.find(([message]) => message.test(error.message))?.[1];
}

/** Returns whether somebody decided that the store accepts no writes, rather than that its disk cannot. */
const isDeliberate = (reason: ReadOnlyReason): reason is Exclude<ReadOnlyReason, DiskProblem> =>
  reason !== "disk_full" && reason !== "disk_failed";

/**
 * Runs a write that a read causes, such as an entry in an access log, and skips it while the store is
 * read-only on purpose. While the disk is full or fails, it rejects, so that nobody can read without
 * a trace by filling it.
 *
 * @returns undefined if the write was skipped
 */
export async function unlessReadOnly<Result>(
  write: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ReadOnlyError && isDeliberate(error.reason)) return undefined;
    throw error;
  }
}

/**
 * Runs a write that nobody depends on, such as to a cache, and skips it while the store accepts none
 * for any reason.
 *
 * @returns undefined if the write was skipped
 */
export async function ifWritable<Result>(
  write: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ReadOnlyError) return undefined;
    throw error;
  }
}
