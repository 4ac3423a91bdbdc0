/** Applies the limits of Deno Deploy and KV Connect to the store of a test. */
import { MOST_CHECKS } from "../check_limit.ts";
import { commitTable } from "../exactly_once.ts";
import { keyText } from "../key_text.ts";
import { rulesOf } from "../store_kv.ts";
import { unwatch } from "./watched_stores.ts";

/**
 * Returns a store that allows only what Deno Deploy and KV Connect allow. Deno applies their size
 * limits to every store (64 KiB per value, 1,000 mutations and 800 KiB per commit, …), and `openKv`
 * that of nine checks. In addition, this store reserves the space that a commit over a network needs
 * for its id, rejects queues, and its `watch` delivers only writes made through it, because the
 * watchers of other processes see nothing of them.
 *
 * @param kv closed together with the returned store
 * @param onKey called with every key before it is written or deleted, except those of ids of commits; it may throw
 * @param lifetime returns the `expireIn` that a row gets instead of its own. Default: its own
 *
 * @example
 * ```ts
 * using kv = limitKv(await openKv(":memory:"));
 * await kv.enqueue("mail"); // throws Deno.errors.NotSupported
 * ```
 */
export function limitKv(
  kv: Deno.Kv,
  onKey: OnKey = () => {},
  lifetime: Lifetime = (ms) => ms,
): Deno.Kv {
  const rules = unwatch(rulesOf(kv));
  const limited = new LimitedKv(kv, onKey, lifetime, !rules.remote);
  const own = rulesOf(limited, rules.deadlines);
  // The ids of commits are added once, by the store that is used, which also puts reads together.
  own.remote = rules.remote;
  own.tryToWrite = rules.tryToWrite;
  rules.remote = false;
  rules.together = false;
  rules.mostChecks = MOST_CHECKS + 1; // with that of the id
  Object.defineProperty(own, "turns", {
    get: () => rules.turns,
    set: (turns) => rules.turns = turns,
  });
  return limited;
}

const MAX_WATCHED_KEYS = 10;

/**
 * A key without a row, as long as what a commit over a network adds for its id (204 bytes) and more. Every
 * commit of a limited store deletes it, unless it has such an id.
 */
export const ROOM_FOR_ID: Deno.KvKey = ["x".repeat(220)];

/** @param set the value and options of `set`; undefined for all other writes */
type OnKey = (key: Deno.KvKey, set?: { value: unknown; expireIn?: number }) => void;

type Lifetime = (ms: number) => number;

/** Called with the keys of each successful write. */
type OnWrite = (keys: readonly Deno.KvKey[]) => void;

class LimitedKv implements Deno.Kv {
  readonly #kv: Deno.Kv;
  readonly #watchers = new Set<Watcher>();
  readonly #onWrite: OnWrite = (keys) => this.#watchers.forEach((watcher) => watcher.notify(keys));

  readonly #onKey: OnKey;
  readonly #lifetime: Lifetime;
  readonly #reserves: boolean;

  /** @param reserves whether commits get no ids, for which they reserve space */
  constructor(kv: Deno.Kv, onKey: OnKey, lifetime: Lifetime, reserves: boolean) {
    this.#kv = kv;
    this.#onKey = onKey;
    this.#lifetime = lifetime;
    this.#reserves = reserves;
  }

  get<T>(key: Deno.KvKey, options?: ReadOptions): Promise<Deno.KvEntryMaybe<T>> {
    return this.#kv.get<T>(key, options);
  }

  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
    options?: ReadOptions,
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    return this.#kv.getMany<T>(keys, options);
  }

  list<T>(selector: Deno.KvListSelector, options?: Deno.KvListOptions): Deno.KvListIterator<T> {
    return this.#kv.list<T>(selector, options);
  }

  async set(key: Deno.KvKey, value: unknown, options?: SetOptions): Promise<Deno.KvCommitResult> {
    this.#onKey(key, { value, ...options });
    const result = await this.#kv.set(key, value, lasting(options, this.#lifetime));
    this.#onWrite([key]);
    return result;
  }

  async delete(key: Deno.KvKey): Promise<void> {
    await this.#kv.delete(key);
    this.#onWrite([key]);
  }

  atomic(): Deno.AtomicOperation {
    const operation = this.#kv.atomic();
    if (this.#reserves) operation.delete(ROOM_FOR_ID);
    return new LimitedAtomicOperation(operation, this.#onWrite, this.#onKey, this.#lifetime);
  }

  watch<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ): ReadableStream<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    if (keys.length > MAX_WATCHED_KEYS) {
      throw new TypeError(`Too many keys (max ${MAX_WATCHED_KEYS})`);
    }
    const watcher = new Watcher(keys);
    this.#watchers.add(watcher);
    return new ReadableStream({
      pull: async (controller) => {
        if (await watcher.changed()) controller.enqueue(await this.#kv.getMany<T>(keys));
        else controller.close();
      },
      cancel: () => void this.#watchers.delete(watcher),
    }, { highWaterMark: 0 });
  }

  commitVersionstamp(): symbol {
    return this.#kv.commitVersionstamp();
  }

  enqueue(): Promise<Deno.KvCommitResult> {
    return Promise.reject(noQueues());
  }

  listenQueue(): Promise<void> {
    return Promise.reject(noQueues());
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.stop();
    this.#kv.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

class LimitedAtomicOperation implements Deno.AtomicOperation {
  readonly #operation: Deno.AtomicOperation;
  readonly #onWrite: OnWrite;
  readonly #onKey: OnKey;
  readonly #lifetime: Lifetime;
  readonly #keys: Deno.KvKey[] = [];

  constructor(
    operation: Deno.AtomicOperation,
    onWrite: OnWrite,
    onKey: OnKey,
    lifetime: Lifetime,
  ) {
    this.#operation = operation;
    this.#onWrite = onWrite;
    this.#onKey = onKey;
    this.#lifetime = lifetime;
  }

  check(...checks: Deno.AtomicCheck[]): this {
    this.#operation.check(...checks);
    return this;
  }

  mutate(...mutations: Deno.KvMutation[]): this {
    for (const mutation of mutations) {
      // This store has the limits of another one, or adds the ids of commits over a network.
      if (mutation.key === ROOM_FOR_ID || mutation.key[0] === commitTable.prefix) continue;
      this.#onKey(mutation.key, mutation.type === "set" ? mutation : undefined);
    }
    this.#operation.mutate(
      ...mutations.map((each) => each.type === "set" ? lasting(each, this.#lifetime) : each),
    );
    for (const { key } of mutations) this.#keys.push(key);
    return this;
  }

  sum(key: Deno.KvKey, n: bigint): this {
    return this.mutate({ type: "sum", key, value: new Deno.KvU64(n) });
  }

  min(key: Deno.KvKey, n: bigint): this {
    return this.mutate({ type: "min", key, value: new Deno.KvU64(n) });
  }

  max(key: Deno.KvKey, n: bigint): this {
    return this.mutate({ type: "max", key, value: new Deno.KvU64(n) });
  }

  set(key: Deno.KvKey, value: unknown, options?: SetOptions): this {
    return this.mutate({ type: "set", key, value, ...options });
  }

  delete(key: Deno.KvKey): this {
    return this.mutate({ type: "delete", key });
  }

  enqueue(): this {
    throw noQueues();
  }

  async commit(): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
    const result = await this.#operation.commit();
    if (result.ok) this.#onWrite(this.#keys);
    return result;
  }

  /** Throws like Deno's own operation, to catch an `await` without `commit()`. */
  then(): never {
    throw new TypeError(
      "'Deno.AtomicOperation' is not a promise: did you forget to call 'commit()'",
    );
  }
}

/** Waits for writes to some keys. Several writes before the next wait count as one. */
class Watcher {
  readonly #keys: ReadonlySet<string>;
  /** Resolves to false once the store is closed. The first value is delivered at once. */
  #next = resolved(true);

  constructor(keys: readonly Deno.KvKey[]) {
    this.#keys = new Set(keys.map(keyText));
  }

  async changed(): Promise<boolean> {
    const changed = await this.#next.promise;
    if (changed) this.#next = Promise.withResolvers();
    return changed;
  }

  notify(keys: readonly Deno.KvKey[]): void {
    if (keys.some((key) => this.#keys.has(keyText(key)))) this.#next.resolve(true);
  }

  stop(): void {
    this.#next.resolve(false);
    this.#next = resolved(false);
  }
}

function resolved(value: boolean): PromiseWithResolvers<boolean> {
  const resolvers = Promise.withResolvers<boolean>();
  resolvers.resolve(value);
  return resolvers;
}

/** Replaces the `expireIn` of a row that has one. */
const lasting = <Options extends SetOptions | undefined>(
  options: Options,
  lifetime: Lifetime,
): Options =>
  options?.expireIn === undefined ? options : { ...options, expireIn: lifetime(options.expireIn) };

const noQueues = () =>
  new Deno.errors.NotSupported(
    "Deno Deploy and KV Connect have no queues: use lib/platform/jobs instead.",
  );

type ReadOptions = { consistency?: Deno.KvConsistencyLevel };
type SetOptions = { expireIn?: number };
