/** Caches the bank's data: lifetimes, shared loads, and how long a page waits for the bank. */
import type { z } from "zod";
import { asSite, ifWritable, isLive, isoAfter } from "../../platform/kv/mod.ts";
import type { Schedule } from "../../base/schedule.ts";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import type { CacheStore } from "./cache_store.ts";
import { type BankError, isBankError } from "./provider.ts";

/** Cache keys with their lifetimes in milliseconds (spec 8). Transactions are not cached. */
export const CACHE_LIFETIMES = {
  "bank:accounts": 15 * MINUTE_MS,
  "bank:org": DAY_MS,
  "bank:last_activity": 15 * MINUTE_MS,
};

export type CacheKey = keyof typeof CACHE_LIFETIMES;

/** Data and the time it was fetched, ISO 8601 in UTC. */
export interface Cached<Data> {
  data: Data;
  cached_at: string;
}

/** An error with the last good data, if any. */
export interface FailedLookup<Data> {
  error: BankError;
  old: Cached<Data> | null;
}

export type Lookup<Data> = Cached<Data> | FailedLookup<Data>;

/** Returns the current data or, if it cannot be read, the last good data. */
export const knownOf = <Data>(lookup: Lookup<Data>): Cached<Data> | null =>
  "error" in lookup ? lookup.old : lookup;

/** How to load the data of one key, and the schema that cached data must match. */
export interface Source<Data extends object> {
  key: CacheKey;
  schema: z.ZodType<Data>;
  load: () => Promise<Data | BankError>;
}

export interface CachedSource<Data extends object> {
  /**
   * Returns the cached data, or loads it if it is missing or expired. If `patience`, the signal of {@link withPatience},
   * aborts first, the error is `slow`, and the load goes on for later readers.
   */
  get(patience?: AbortSignal): Promise<Lookup<Data>>;
  /** Returns the cached data, or null if it is missing or expired. Never loads. */
  stored(): Promise<Cached<Data> | null>;
  refresh(): Promise<Lookup<Data>>;
  expire(): Promise<void>;
  /**
   * Returns when the stored data was fetched, even if it has expired; null if there is none. Never
   * loads.
   */
  cachedAt(): Promise<string | null>;
}

/**
 * Creates the cache of one key (spec 2.1). Concurrent readers share one load. Errors are never
 * cached, so the first read after the bank recovers succeeds (spec 3).
 */
export function createCached<Data extends object>(
  store: CacheStore,
  clock: () => number,
  { key, schema, load }: Source<Data>,
): CachedSource<Data> {
  let inFlight: { forced: boolean; lookup: Promise<Lookup<Data>> } | undefined;

  function share(forced: boolean, read: () => Promise<Lookup<Data>>) {
    const lookup = read();
    const flight = inFlight = { forced, lookup };
    const remove = () => {
      if (inFlight === flight) inFlight = undefined;
    };
    lookup.then(remove, remove);
    return lookup;
  }

  /** The data that was parsed last, because most reads find the same text. Readers share it and do not change it. */
  let parsed: { text: string; data: Data } | undefined;

  /** Returns stored data, unless another version of this code wrote it in a different shape. */
  async function read(): Promise<{ cached: Cached<Data> | null; live: boolean }> {
    const entry = await store.read(key, clock());
    if (entry === null) return { cached: null, live: false };
    const { data: text, cached_at } = entry;
    if (parsed?.text !== text) {
      const { success, data } = schema.safeParse(JSON.parse(text));
      if (!success) return { cached: null, live: false };
      parsed = { text, data };
    }
    return { cached: { data: parsed.data, cached_at }, live: isLive(entry, clock()) };
  }

  /**
   * The store is read while the lookup is registered, so a miss cannot start a second load. It is read for the
   * request, so that one call has all the rows that the request needs.
   */
  async function readOrLoad(): Promise<Lookup<Data>> {
    const { cached, live } = await read();
    return cached !== null && live ? cached : await asSite(() => loadInto(cached));
  }

  /** @param cached the data that has expired */
  async function loadInto(cached: Cached<Data> | null): Promise<Lookup<Data>> {
    const data = await load();
    if (isBankError(data)) return { error: data, old: cached };
    const now = clock();
    const cached_at = isoAfter(now, 0);
    const expires_at = isoAfter(now, CACHE_LIFETIMES[key]);
    const entry = { data: JSON.stringify(data), cached_at, expires_at };
    await ifWritable(() => store.write(key, entry, now));
    return { data, cached_at };
  }

  async function reload(earlier: Promise<unknown> | undefined): Promise<Lookup<Data>> {
    // Otherwise the earlier load could finish last and overwrite newer data.
    await earlier?.catch(() => {});
    await store.expire(key, clock());
    return await readOrLoad();
  }

  return {
    get: (patience) =>
      unlessAborted(patience, inFlight?.lookup ?? share(false, readOrLoad), async () => {
        const { cached, live } = await read();
        return cached !== null && live ? cached : { error: { error: "slow" }, old: cached };
      }),

    async stored() {
      const { cached, live } = await read();
      return live ? cached : null;
    },

    refresh() {
      const earlier = inFlight?.lookup;
      return inFlight?.forced ? inFlight.lookup : share(true, () => asSite(() => reload(earlier)));
    },

    expire: () => store.expire(key, clock()),

    async cachedAt() {
      return (await store.read(key, clock()))?.cached_at ?? null;
    },
  };
}

/** How long a page waits for the bank before it is shown without the rest. */
const PATIENCE_MS = 1_200;

/**
 * Reads a page's data with the signal that ends its wait for the bank. With the query parameter
 * `wait` there is none: such a page waits as long as the client's timeout.
 */
export async function withPatience<Result>(
  { searchParams }: URL,
  schedule: Schedule,
  read: (patience: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  if (searchParams.has("wait")) return await read(undefined);
  const patience = new AbortController();
  const cancel = schedule(() => patience.abort(), PATIENCE_MS);
  try {
    return await read(patience.signal);
  } finally {
    cancel();
  }
}

/** Returns the result of a promise, or a substitute if the signal aborts first. */
export async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  promise: Promise<Result>,
  substitute: () => Result | Promise<Result>,
): Promise<Result> {
  if (signal === undefined) return await promise;
  const aborted = Promise.withResolvers<Result>();
  const abort = () => aborted.resolve(substitute());
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  return await Promise.race([promise, aborted.promise]).finally(() =>
    signal.removeEventListener("abort", abort)
  );
}
