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

/**
 * Makes a store refuse writes while there is a reason to, and returns the store. A write that fails
 * because of the disk is refused in the same way. Reads are not slowed down.
 *
 * @param reason called before each write; null if writes are allowed
 * @param onDisk called after each write, with null if the disk accepted it
 *
 * @example
 * ```ts
 * refuseWrites(kv, () => config.readOnly ? "configured" : null);
 * ```
 */
export function refuseWrites(
  kv: Deno.Kv,
  reason: () => ReadOnlyReason | null,
  onDisk: (problem: DiskProblem | null) => void = () => {},
): Deno.Kv {
  const guarded = <Args extends unknown[], Result>(
    write: (...args: Args) => Promise<Result>,
  ) =>
  async (...args: Args): Promise<Result> => {
    const found = reason();
    if (found !== null) throw new ReadOnlyError(found);
    try {
      const result = await write(...args);
      onDisk(null);
      return result;
    } catch (cause) {
      const failed = diskError(cause);
      if (failed === undefined) throw cause;
      onDisk(failed);
      throw new ReadOnlyError(failed, { cause });
    }
  };
  const atomic = kv.atomic.bind(kv);
  return Object.assign(kv, {
    set: guarded(kv.set.bind(kv)),
    delete: guarded(kv.delete.bind(kv)),
    atomic() {
      const operation = atomic();
      return Object.assign(operation, { commit: guarded(operation.commit.bind(operation)) });
    },
  });
}

function diskError(error: unknown): DiskProblem | undefined {
  if (!(error instanceof TypeError)) return undefined;
  return DISK_ERRORS.find(([message]) => message.test(error.message))?.[1];
}

/** Whether somebody decided that the store accepts no writes, rather than that its disk cannot. */
const isDeliberate = (reason: ReadOnlyReason): boolean =>
  reason !== "disk_full" && reason !== "disk_failed";

/**
 * Runs a write that a read causes, such as an entry in an access log, and skips it while the store is
 * read-only on purpose. While the disk is full or fails, it rejects, so that nobody can read without
 * a trace by filling it.
 *
 * @returns undefined if the write was skipped
 *
 * @example
 * ```ts
 * await unlessReadOnly(() => kv.set(["stats", "last_read"], now));
 * ```
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
 *
 * @example
 * ```ts
 * await ifWritable(() => kv.set(["cache", id], value));
 * ```
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
