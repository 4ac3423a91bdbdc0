import { expiring, isLive, isoAfter, transact, whenUnlocked } from "../kv/mod.ts";

/** What is kept of one operation (spec 2.1). Times are ISO 8601 in UTC. */
export interface CacheEntry {
  /** JSON. */
  data: string;
  cached_at: string;
  /** From when on it is fetched again; it is still kept as the last good data. */
  expires_at: string;
}

/** One scope's entries. */
export interface CacheStore {
  /** @param now milliseconds since 1970 */
  read(key: string, now: number): Promise<CacheEntry | null>;
  write(key: string, entry: CacheEntry, now: number): Promise<void>;
  /** Makes an entry expire now; the data stays. */
  expire(key: string, now: number): Promise<void>;
}

interface Head extends CacheEntry {
  cache_key: string;
  /** Where the data is, if it is too long to stand in `data`, which is then empty. */
  parts?: { version: string; count: number };
}

/** How long the last good data is kept. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/** A value holds 65,536 bytes; a commit 819,200, so ten values. Text takes two bytes a character. */
const VALUE_BYTES = 60_000;
const PARTS_A_COMMIT = 10;
/** Each time, all of an entry's parts would have been replaced while they were read. */
const READ_TRIES = 10;

/**
 * Keeps entries in Deno KV under `["bank_cache", scope, key]`. What is too long for a value is
 * split; the parts have a name that is never used again, and the entry that names them is written
 * with the last of them. So whoever reads sees one whole writing or another, never a mixture.
 */
export function createCacheStore(kv: Deno.Kv, scope: string): CacheStore {
  const headKey = (key: string) => ["bank_cache", scope, key];
  const partKeys = (key: string, { version, count }: NonNullable<Head["parts"]>) =>
    Array.from({ length: count }, (_, i) => [...headKey(key), version, i]);

  async function readParts(key: string, parts: NonNullable<Head["parts"]>) {
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
      for (let tries = 0; tries < READ_TRIES; tries++) {
        const head = (await kv.get<Head>(headKey(key))).value;
        if (head === null || !isLive(keptUntil(head), now)) return null;
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
      if (entry.data.length * 2 > VALUE_BYTES) {
        const bytes = new TextEncoder().encode(entry.data);
        const count = Math.ceil(bytes.length / VALUE_BYTES);
        head.data = "";
        head.parts = { version: crypto.randomUUID(), count };
        for (const [i, partKey] of partKeys(key, head.parts).entries()) {
          if (i > 0 && i % PARTS_A_COMMIT === 0) {
            const full = commit;
            await whenUnlocked(() => full.commit());
            commit = kv.atomic();
          }
          commit.set(partKey, bytes.slice(i * VALUE_BYTES, (i + 1) * VALUE_BYTES), options);
        }
      }
      commit.set(headKey(key), head, options);
      await whenUnlocked(() => commit.commit());
      if (previous?.parts === undefined) return;
      for (const keys of batches(partKeys(key, previous.parts))) {
        const removal = keys.reduce((removal, key) => removal.delete(key), kv.atomic());
        await whenUnlocked(() => removal.commit());
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
  for (let i = 0; i < items.length; i += PARTS_A_COMMIT) yield items.slice(i, i + PARTS_A_COMMIT);
}
