import type { z } from "zod";
import { isLive, isoAfter } from "../kv/mod.ts";
import { type CacheEntry, createCacheStore } from "./cache_store.ts";
import { type BankError, isBankError } from "./errors.ts";

const MINUTE = 60_000;

/** What is cached, and for how many milliseconds (spec 8). Transactions are not. */
export const CACHE_LIFETIMES = {
  "bank:accounts": 15 * MINUTE,
  "bank:org": 24 * 60 * MINUTE,
  "bank:last_activity": 15 * MINUTE,
};

export type CacheKey = keyof typeof CACHE_LIFETIMES;

/** Data, and when it came from the provider: ISO 8601 in UTC. */
export interface Cached<Data> {
  data: Data;
  cached_at: string;
}

/** Data that is not expired, or why there is none, with the last good data if there is any. */
export type Lookup<Data> = Cached<Data> | { error: BankError; old: Cached<Data> | null };

/** How one operation is asked for, and what its data must look like to be read again. */
export interface Source<Data extends object> {
  key: CacheKey;
  schema: z.ZodType<Data>;
  load: () => Promise<Data | BankError>;
}

export interface BankCache {
  /** The cached data, or, where it is missing or expired, what the provider answers now. */
  get<Data extends object>(source: Source<Data>): Promise<Lookup<Data>>;
  /** Marks the data expired and asks the provider. */
  refresh<Data extends object>(source: Source<Data>): Promise<Lookup<Data>>;
  /** Marks the data expired: the next `get` asks the provider. */
  expire(key: CacheKey): Promise<void>;
  /** When the kept data came, expired or not, null where none is kept. Asks nobody. */
  keptSince(key: CacheKey): Promise<string | null>;
}

export interface BankCacheOptions {
  kv: Deno.Kv;
  /** The time in milliseconds since 1970. */
  clock: () => number;
  /** Whose data it is; another scope never sees it. See {@link cacheScope}. */
  scope: string;
}

/**
 * The cache of one connection (spec 2.1). Whoever asks while the provider is being asked waits for
 * the same answer, so that many readers at once make one call. Errors are not cached, not even for
 * seconds: the first read after the provider is back finds it (spec 3).
 *
 * @example
 * ```ts
 * const cache = createBankCache({ kv, clock, scope: cacheScope("foundation", token) });
 * const lookup = await cache.get({ key: "bank:org", schema, load: client.getOrganization });
 * ```
 */
export function createBankCache({ kv, clock, scope }: BankCacheOptions): BankCache {
  const store = createCacheStore(kv, scope);
  const flights = new Map<CacheKey, Flight>();

  /** Keeps a flight where others find it, until it has landed. */
  function share<Data>(key: CacheKey, forced: boolean, lookup: Promise<Lookup<Data>>) {
    const flight: Flight = { forced, lookup };
    flights.set(key, flight);
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    lookup.then(land, land);
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
    await store.write(key, { data: JSON.stringify(data), cached_at, expires_at }, now);
    return { data, cached_at };
  }

  /** Reading is a part of the flight: between a miss and its load nobody else may start one. */
  async function readOrLoad<Data extends object>(source: Source<Data>): Promise<Lookup<Data>> {
    const entry = await store.read(source.key, clock());
    const cached = entry && parse(entry, source.schema);
    return entry && cached && isLive(entry, clock()) ? cached : await load(source, cached);
  }

  async function reload<Data extends object>(
    source: Source<Data>,
    before: Promise<unknown> | undefined,
  ): Promise<Lookup<Data>> {
    // What left earlier must not land later, or older data would be taken for newer.
    await before?.catch(() => {});
    await store.expire(source.key, clock());
    return await readOrLoad(source);
  }

  return {
    get<Data extends object>(source: Source<Data>) {
      const flight = flights.get(source.key);
      if (flight !== undefined) return flight.lookup as Promise<Lookup<Data>>;
      return share(source.key, false, readOrLoad(source));
    },

    refresh<Data extends object>(source: Source<Data>) {
      const flight = flights.get(source.key);
      if (flight?.forced) return flight.lookup as Promise<Lookup<Data>>;
      return share(source.key, true, reload(source, flight?.lookup));
    },

    expire: (key) => store.expire(key, clock()),

    async keptSince(key) {
      return (await store.read(key, clock()))?.cached_at ?? null;
    },
  };
}

/** The provider being asked right now. */
interface Flight {
  /** It began with marking the data expired. */
  forced: boolean;
  lookup: Promise<unknown>;
}

/** Null for data that an older version wrote in another shape. */
function parse<Data>(entry: CacheEntry, schema: z.ZodType<Data>): Cached<Data> | null {
  const parsed = schema.safeParse(JSON.parse(entry.data));
  return parsed.success ? { data: parsed.data, cached_at: entry.cached_at } : null;
}
