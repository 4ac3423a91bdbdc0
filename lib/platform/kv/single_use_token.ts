/** The storage of tokens for mailed links: their hash, an expiry, and at most one use. */
import { unchecked } from "./scope.ts";
import { z } from "zod";
import { encodeBase64Url } from "../../base/encoding.ts";
import { EXPIRING, expiring, isLive, isoAfter } from "./expiry.ts";
import { sha256 } from "./hash.ts";
import type { Table } from "./table.ts";

/** The columns of a stored token, without the data of its purpose, for the schema of its table. */
export const TOKEN = {
  /** SHA-256 of the token. The token itself is not stored. */
  token: z.string(),
  /** 1 once the token was used. It changes at most once. */
  used: z.literal([0, 1]),
  ...EXPIRING,
};

/** The stored row of a token, without the data of its purpose. */
export type TokenRow = z.infer<z.ZodObject<typeof TOKEN>>;

/** The state of a token, with its row unless it is unknown. */
export type FoundToken<Data> =
  | { state: "unknown"; entry?: undefined }
  | { state: "open" | "used" | "expired"; entry: Deno.KvEntry<Data & TokenRow> };

/** Single-use tokens of one purpose, such as links that sign in. */
export interface SingleUseTokens<Data> {
  /** Adds a new token of 256 random bits to a commit. The token itself is not stored. */
  create(
    commit: Deno.AtomicOperation,
    data: Data,
    now: number,
  ): { token: string; row: Data & TokenRow };
  /** Returns the state of a token. A malformed token is unknown without a read from the store. */
  find(kv: Deno.Kv, token: string, now: number): Promise<FoundToken<Data>>;
  /** Marks a token as used in a commit, which fails if the row has changed since it was read. */
  use(commit: Deno.AtomicOperation, entry: Deno.KvEntry<Data & TokenRow>, now: number): void;
  /** Changes the data of a token in a commit, which fails if the row has changed since. */
  change(
    commit: Deno.AtomicOperation,
    entry: Deno.KvEntry<Data & TokenRow>,
    data: Partial<Data>,
    now: number,
  ): void;
  key(hash: string): Deno.KvKey;
}

export interface SingleUseTokensOptions<Row> {
  prefix: string;
  /** Returns the rows of the table's indexes. A change of a token must not change them. */
  indexRows?: Table<Row, never, never>["indexRows"];
  lifetimeMs: number;
  /** How long after its expiry a token is reported as expired rather than unknown. Default: 0. */
  rememberedMs?: number;
}

const FORM = /^[\w-]{43}$/;

/**
 * Returns a new token of 256 random bits, with its SHA-256 for the store, for rows that last until the token is
 * used and are then deleted. All other tokens come from {@link createSingleUseTokens}.
 */
export function newToken(): { token: string; hash: string } {
  const token = encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  return { token, hash: sha256(token) };
}

/** Returns the SHA-256 under which a token is stored; null if the token is malformed. */
export const storedHash = (token: string): string | null => FORM.test(token) ? sha256(token) : null;

/**
 * Creates the tokens of one purpose.
 *
 * @example
 * ```ts
 * const links = createSingleUseTokens<{ user_id: number }>({ prefix: "links", lifetimeMs: 900_000 });
 * const { token } = links.create(commit, { user_id: 1 }, now);
 *
 * const found = await links.find(kv, token, now);
 * if (found.state === "open") links.use(commit, found.entry, now);
 * ```
 */
export function createSingleUseTokens<Data extends object>(
  { prefix, lifetimeMs, rememberedMs = 0, indexRows }: SingleUseTokensOptions<Data & TokenRow>,
): SingleUseTokens<Data> {
  const key = (hash: string): Deno.KvKey => [prefix, hash];
  const options = (row: TokenRow, now: number) => ({
    expireIn: expiring(row, now).expireIn + rememberedMs,
  });
  function change(
    commit: Deno.AtomicOperation,
    entry: Deno.KvEntry<Data & TokenRow>,
    changed: Partial<Data & TokenRow>,
    now: number,
  ): void {
    const row = { ...entry.value, ...changed };
    commit.check(entry).set(entry.key, row, options(row, now));
  }
  return {
    key,
    create(commit, data, now) {
      const { token, hash } = newToken();
      const expires_at = isoAfter(now, lifetimeMs);
      const row = { ...data, token: hash, expires_at, used: 0 as const };
      const expiry = options(row, now);
      commit.set(key(row.token), row, expiry);
      for (const index of indexRows?.(row, key(row.token)) ?? []) {
        commit.set(index.key, index.value, expiry);
      }
      return { token, row };
    },
    async find(kv, token, now) {
      const hash = storedHash(token);
      if (hash === null) return { state: "unknown" };
      const entry = await kv.get<Data & TokenRow>(key(hash));
      if (entry.versionstamp === null) {
        unchecked("A token that does not exist never will.", entry);
        return { state: "unknown" };
      }
      if (!isLive(entry.value, now)) return { state: "expired", entry };
      return { state: entry.value.used === 1 ? "used" : "open", entry };
    },
    use: (commit, entry, now) =>
      change(commit, entry, { used: 1 } as Partial<Data & TokenRow>, now),
    change,
  };
}
