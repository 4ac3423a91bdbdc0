/** The table of cached bank data, with long values split into parts that fit the store. */
import { z } from "zod";
import {
  defineTable,
  expires,
  EXPIRING,
  expiring,
  isoAfter,
  transact,
} from "../../platform/kv/mod.ts";
import { DAY_MS, inDays } from "../../base/time.ts";

export const KEPT_MS = 30 * DAY_MS;

const partsOfData = z.strictObject({ version: z.uuid(), count: z.int() });

type Parts = z.infer<typeof partsOfData>;

/** One cached response (spec 2.1). */
const head = z.strictObject({
  cache_key: z.string(),
  /** JSON of our own records, whose schema the cache checks. */
  data: z.string(),
  cached_at: z.iso.datetime(),
  /** Set if the data is too long for one value; `data` is then empty. */
  parts: partsOfData.optional(),
  /** When the data must be fetched again. It stays stored as the last good data. */
  ...EXPIRING,
});

type Head = z.infer<typeof head>;

/** The cached responses of banks, and their parts. */
export const bankCache = defineTable({
  prefix: "bank_cache",
  value: z.union([head, z.instanceof(Uint8Array)]),
  key: ["scope", "cache_key"],
  owner: "organisation",
  lifetime: expires(inDays(KEPT_MS)),
  per: "kind of bank data and console",
});

type CacheEntry = Omit<Head, "cache_key" | "parts">;

/** The entries of one scope. `now` is in milliseconds since 1970. */
export interface CacheStore {
  read(key: string, now: number): Promise<CacheEntry | null>;
  write(key: string, entry: CacheEntry, now: number): Promise<void>;
  /** Sets an entry's expiry to now and keeps its data. */
  expire(key: string, now: number): Promise<void>;
}

/** Deno KV allows 65,536 bytes per value and 819,200 per commit. Strings take 2 bytes per character. */
const MAX_VALUE_BYTES = 60_000;
const PARTS_PER_COMMIT = 10;
/** A read fails only if the parts were replaced during every one of these attempts. */
const MAX_READS = 10;

/**
 * Returns the store of one scope. Data that is too long for one value is split into parts. Parts have
 * a unique version and are written before the entry that refers to them, so a reader never sees a
 * mixture of two versions.
 */
export function createCacheStore(kv: Deno.Kv, scope: string): CacheStore {
  const headKey = (key: string) => bankCache.key(scope, key);
  const partKeys = (key: string, { version, count }: Parts) =>
    Array.from({ length: count }, (_, i) => [...headKey(key), version, i]);

  async function readParts(key: string, parts: Parts) {
    const values: Uint8Array[] = [];
    for (const keys of batches(partKeys(key, parts))) {
      const entries = await kv.getMany<Uint8Array[]>(keys);
      for (const { value } of entries) {
        if (value === null) return undefined;
        values.push(value);
      }
    }
    return new TextDecoder().decode(await new Blob(values as BlobPart[]).arrayBuffer());
  }

  return {
    async read(key, now) {
      for (let attempt = 0; attempt < MAX_READS; attempt++) {
        const { value: head } = await kv.get<Head>(headKey(key));
        if (head === null || now >= Date.parse(head.cached_at) + KEPT_MS) return null;
        const { cached_at, expires_at, parts } = head;
        const data = parts === undefined ? head.data : await readParts(key, parts);
        if (data !== undefined) return { data, cached_at, expires_at };
      }
      return null;
    },

    async write(key, entry, now) {
      const options = expiring(keptUntil(entry), now);
      const previous = (await kv.get<Head>(headKey(key))).value;
      const head: Head = { cache_key: key, ...entry };
      let commit = kv.atomic();
      if (entry.data.length * 2 > MAX_VALUE_BYTES) {
        const bytes = new TextEncoder().encode(entry.data);
        const count = Math.ceil(bytes.length / MAX_VALUE_BYTES);
        head.data = "";
        head.parts = { version: crypto.randomUUID(), count };
        for (const [i, partKey] of partKeys(key, head.parts).entries()) {
          if (i > 0 && i % PARTS_PER_COMMIT === 0) {
            const full = commit;
            await full.commit();
            commit = kv.atomic();
          }
          const part = bytes.slice(i * MAX_VALUE_BYTES, (i + 1) * MAX_VALUE_BYTES);
          commit.set(partKey, part, options);
        }
      }
      commit.set(headKey(key), head, options);
      await commit.commit();
      if (previous?.parts === undefined) return;
      for (const keys of batches(partKeys(key, previous.parts))) {
        const removal = keys.reduce((removal, key) => removal.delete(key), kv.atomic());
        await removal.commit();
      }
    },

    async expire(key, now) {
      await transact(async () => {
        const entry = await kv.get<Head>(headKey(key));
        if (entry.value === null) return { result: undefined };
        const head = { ...entry.value, expires_at: isoAfter(now, 0) };
        const options = expiring(keptUntil(head), now);
        return {
          result: undefined,
          commit: kv.atomic().check(entry).set(entry.key, head, options),
        };
      });
    },
  };
}

const keptUntil = ({ cached_at }: CacheEntry) => ({
  expires_at: isoAfter(Date.parse(cached_at), KEPT_MS),
});

function* batches<Item>(items: Item[]): Generator<Item[]> {
  for (let i = 0; i < items.length; i += PARTS_PER_COMMIT) {
    yield items.slice(i, i + PARTS_PER_COMMIT);
  }
}
