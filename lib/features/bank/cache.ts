import type { z } from "zod";
import { type BatchedReads, isLive, isoAfter, unlessReadOnly } from "../../platform/kv/mod.ts";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import { type CacheEntry, createCacheStore } from "./cache_store.ts";
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

/** Current data, or the error with the last good data, if any. */
export type Lookup<Data> = Cached<Data> | { error: BankError; old: Cached<Data> | null };

/** How to load the data of one key, and the schema that cached data must match. */
export interface Source<Data extends object> {
  key: CacheKey;
  schema: z.ZodType<Data>;
  load: () => Promise<Data | BankError>;
}

export interface BankCache {
  /**
   * Returns the cached data, or loads it if it is missing or expired. If `patience` aborts first, the
   * error is `slow`, and the load goes on for later readers.
   */
  get<Data extends object>(source: Source<Data>, patience?: AbortSignal): Promise<Lookup<Data>>;
  /** Returns the cached data, or null if it is missing or expired. Never loads. */
  stored<Data extends object>(source: Source<Data>): Promise<Cached<Data> | null>;
  refresh<Data extends object>(source: Source<Data>): Promise<Lookup<Data>>;
  expire(key: CacheKey): Promise<void>;
  /**
   * Returns when the stored data was fetched, even if it has expired; null if there is none. Never
   * loads.
   */
  cachedAt(key: CacheKey): Promise<string | null>;
}

export interface BankCacheOptions {
  kv: Deno.Kv;
  /** Joins the reads of stored data with those of other features. */
  reads?: BatchedReads;
  clock: () => number;
  /** Data in one scope is invisible to all other scopes. */
  scope: string;
}

interface Flight {
  forced: boolean;
  lookup: Promise<unknown>;
}

/**
 * Creates the cache of one connection (spec 2.1). Concurrent readers of a key share one load.
 * Errors are never cached, so the first read after the provider recovers succeeds (spec 3).
 */
export function createBankCache({ kv, reads, clock, scope }: BankCacheOptions): BankCache {
  const store = createCacheStore(kv, scope, reads);
  const inFlight = new Map<CacheKey, Flight>();
  /** The last stored data of each key that was parsed. */
  const parsed = new Map<CacheKey, { text: string; data: unknown }>();

  /** Returns null for data that another version of this code wrote in a different shape. */
  function parse<Data extends object>(
    { key, schema }: Source<Data>,
    { data: text, cached_at }: CacheEntry,
  ): Cached<Data> | null {
    const last = parsed.get(key);
    if (last?.text === text) return { data: last.data as Data, cached_at };
    const { success, data } = schema.safeParse(JSON.parse(text));
    if (!success) return null;
    parsed.set(key, { text, data });
    return { data, cached_at };
  }

  function share<Data>(key: CacheKey, forced: boolean, lookup: Promise<Lookup<Data>>) {
    const flight: Flight = { forced, lookup };
    inFlight.set(key, flight);
    const remove = () => {
      if (inFlight.get(key) === flight) inFlight.delete(key);
    };
    lookup.then(remove, remove);
    return lookup;
  }

  async function load<Data extends object>(
    { key, load }: Source<Data>,
    old: Cached<Data> | null,
  ): Promise<Lookup<Data>> {
    const data = await load();
    if (isBankError(data)) return { error: data, old };
    const now = clock();
    const cached_at = isoAfter(now, 0);
    const expires_at = isoAfter(now, CACHE_LIFETIMES[key]);
    const entry = { data: JSON.stringify(data), cached_at, expires_at };
    await unlessReadOnly(() => store.write(key, entry, now));
    return { data, cached_at };
  }

  /** The store is read while the lookup is registered, so a miss cannot start a second load. */
  async function readOrLoad<Data extends object>(source: Source<Data>): Promise<Lookup<Data>> {
    const entry = await store.read(source.key, clock());
    const cached = entry && parse(source, entry);
    return entry && cached && isLive(entry, clock()) ? cached : await load(source, cached);
  }

  async function reload<Data extends object>(
    source: Source<Data>,
    earlier: Promise<unknown> | undefined,
  ): Promise<Lookup<Data>> {
    // Otherwise the earlier load could finish last and overwrite newer data.
    await earlier?.catch(() => {});
    await store.expire(source.key, clock());
    return await readOrLoad(source);
  }

  return {
    get<Data extends object>(source: Source<Data>, patience?: AbortSignal) {
      const flight = inFlight.get(source.key);
      const lookup = flight === undefined
        ? share(source.key, false, readOrLoad(source))
        : flight.lookup as Promise<Lookup<Data>>;
      return unlessAborted(patience, lookup, async () => {
        const entry = await store.read(source.key, clock());
        const stored = entry && parse(source, entry);
        return entry && stored && isLive(entry, clock())
          ? stored
          : { error: { error: "slow" }, old: stored };
      });
    },

    async stored(source) {
      const entry = await store.read(source.key, clock());
      return entry && isLive(entry, clock()) ? parse(source, entry) : null;
    },

    refresh<Data extends object>(source: Source<Data>) {
      const flight = inFlight.get(source.key);
      if (flight?.forced) return flight.lookup as Promise<Lookup<Data>>;
      return share(source.key, true, reload(source, flight?.lookup));
    },

    expire: (key) => store.expire(key, clock()),

    async cachedAt(key) {
      return (await store.read(key, clock()))?.cached_at ?? null;
    },
  };
}

/** How long a page waits for the bank before it is shown without the rest. */
export const PATIENCE_MS = 1_200;

/**
 * Reads a page's data with the signal that ends its wait for the bank. With the query parameter
 * `wait` there is none: such a page waits as long as the client's timeout.
 */
export async function withPatience<Result>(
  { searchParams }: URL,
  read: (patience: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  if (searchParams.has("wait")) return await read(undefined);
  // Unlike `AbortSignal.timeout`, it can be cancelled.
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    return await read(patience.signal);
  } finally {
    clearTimeout(timer);
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
