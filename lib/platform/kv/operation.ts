/** The store's atomic operation as it can be committed again with additional checks. */
import { hasSameKey } from "./keys.ts";

type Write = (operation: Deno.AtomicOperation) => void;
type Result = Promise<Deno.KvCommitResult | Deno.KvCommitError>;

/** The number of checks of an operation that the store adds itself, see {@linkcode reserveCheck}. */
const RESERVED = Symbol("reserved");

/**
 * An atomic operation that can be built again, with other checks, for another attempt. A check that is repeated
 * counts once, because functions that add to one commit often check one row.
 */
export class Operation implements Deno.AtomicOperation {
  readonly checks: Deno.AtomicCheck[] = [];
  [RESERVED] = 0;
  readonly #written: { key: Deno.KvKey; isDeleted: boolean }[] = [];
  readonly #writes: Write[] = [];
  readonly #create: () => Deno.AtomicOperation;
  readonly #commit: (operation: Operation) => Result;
  /** The operation of the next attempt, and the checks that it has. Null after an attempt has failed. */
  #next: { operation: Deno.AtomicOperation; checks: Deno.AtomicCheck[] } | null;

  /**
   * @param create returns an empty operation of the store
   * @param commit commits what {@link Operation.build} returns
   */
  constructor(create: () => Deno.AtomicOperation, commit: (operation: Operation) => Result) {
    this.#create = create;
    this.#commit = commit;
    this.#next = { operation: create(), checks: [] };
  }

  /** The keys that the operation writes, without sums, which depend on nothing that was read. */
  get written(): readonly Deno.KvKey[] {
    return this.#written.map(({ key }) => key);
  }

  get isEmpty(): boolean {
    return this.checks.length + this.#writes.length === 0;
  }

  get reserved(): number {
    return this[RESERVED];
  }

  check(...checks: Deno.AtomicCheck[]): this {
    for (const added of checks) addCheck(this.checks, added);
    return this;
  }

  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): this {
    this.#write(key, (operation) => operation.set(key, value, options));
    return this;
  }

  delete(key: Deno.KvKey): this {
    this.#write(key, (operation) => operation.delete(key), true);
    return this;
  }

  sum(key: Deno.KvKey, n: bigint): this {
    this.#add((operation) => operation.sum(key, n));
    return this;
  }

  min(key: Deno.KvKey, n: bigint): this {
    this.#write(key, (operation) => operation.min(key, n));
    return this;
  }

  max(key: Deno.KvKey, n: bigint): this {
    this.#write(key, (operation) => operation.max(key, n));
    return this;
  }

  mutate(...mutations: Deno.KvMutation[]): this {
    for (const mutation of mutations) {
      const write: Write = (operation) => operation.mutate(mutation);
      this.#write(mutation.key, write, mutation.type === "delete");
    }
    return this;
  }

  enqueue(): this {
    throw new Deno.errors.NotSupported("The site uses no queues: use lib/platform/jobs instead.");
  }

  /** Returns what the operation does to a row in the end; null if it leaves the row as it is. */
  changeOf(key: Deno.KvKey): "set" | "deleted" | null {
    const write = this.#written.findLast((written) => hasSameKey(written, { key }));
    if (write === undefined) return null;
    return write.isDeleted ? "deleted" : "set";
  }

  /** Returns the operation to commit, with all writes and these checks. */
  build(checks: readonly Deno.AtomicCheck[]): Deno.AtomicOperation {
    this.#next ??= this.#again();
    for (const added of checks) {
      if (addCheck(this.#next.checks, added)) this.#next.operation.check(added);
    }
    return this.#next.operation;
  }

  /** Makes `build` return another operation, after one has failed. */
  discard(): void {
    this.#next = null;
  }

  commit(): Result {
    return this.#commit(this);
  }

  /** Throws like Deno's own operation, to catch an `await` without `commit()`. */
  then(): never {
    throw new TypeError(
      "'Deno.AtomicOperation' is not a promise: did you forget to call 'commit()'",
    );
  }

  #write(key: Deno.KvKey, write: Write, isDeleted = false): void {
    this.#written.push({ key, isDeleted });
    this.#add(write);
  }

  #add(write: Write): void {
    if (this.#next !== null) write(this.#next.operation);
    this.#writes.push(write);
  }

  #again() {
    const operation = this.#create();
    for (const write of this.#writes) write(operation);
    return { operation, checks: [] };
  }
}

/** Adds a check unless it is known. */
function addCheck(checks: Deno.AtomicCheck[], added: Deno.AtomicCheck): boolean {
  const isKnown = checks.some((known) =>
    known.versionstamp === added.versionstamp && hasSameKey(known, added)
  );
  if (!isKnown) checks.push(added);
  return !isKnown;
}

/**
 * Keeps one check of a commit free for the store's own. Call it in commits that append to a chain or write to
 * the log.
 */
export function reserveCheck(commit: Deno.AtomicOperation): void {
  const operation = commit as Deno.AtomicOperation & { [RESERVED]?: number };
  if (operation[RESERVED] !== undefined) operation[RESERVED] = 1;
}
