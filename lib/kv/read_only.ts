/**
 * Why a store accepts no writes: the operator has set `READ_ONLY`, it is a restored copy that was not
 * reconciled, or it is not the store that the process started with.
 */
export type ReadOnlyReason = "configured" | "restored" | "store_changed";

/** Thrown for every write while the store is read-only. */
export class ReadOnlyError extends Error {
  override name = "ReadOnlyError";
  readonly code = "read_only";

  constructor(readonly reason: ReadOnlyReason) {
    super("The store is read-only.");
  }
}

/**
 * Makes a store refuse writes while there is a reason to, and returns the store. Reads are not slowed
 * down.
 *
 * @param reason called before each write; null if writes are allowed
 *
 * @example
 * ```ts
 * refuseWrites(kv, () => config.readOnly ? "configured" : null);
 * ```
 */
export function refuseWrites(kv: Deno.Kv, reason: () => ReadOnlyReason | null): Deno.Kv {
  const guarded = <Args extends unknown[], Result>(
    write: (...args: Args) => Promise<Result>,
  ) =>
  (...args: Args): Promise<Result> => {
    const found = reason();
    return found === null ? write(...args) : Promise.reject(new ReadOnlyError(found));
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

/**
 * Runs a write that a read causes, such as an entry in an access log, and skips it while the store is
 * read-only.
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
    if (error instanceof ReadOnlyError) return undefined;
    throw error;
  }
}
