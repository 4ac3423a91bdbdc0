import { type Expiring, expiring, getLive, isoAfter } from "../kv/mod.ts";
import type { SurfaceName } from "../surfaces/mod.ts";
import { sha256 } from "./hash.ts";

/** Spec section 8: a magic link lives for 15 minutes. */
export const TOKEN_LIFETIME_MS = 15 * 60_000;

/** A row of `magic_tokens` (spec 2.6), with where its link leads. Times are ISO 8601 in UTC. */
export interface MagicToken extends Expiring {
  /** From 1, counting up. */
  id: number;
  /** SHA-256 of the token. The token itself is only in the mail. */
  token: string;
  user_id: number;
  created_at: string;
  /** 1 once it has signed somebody in: it turns so at most once. */
  used: 0 | 1;
  /** The surface whose link it is; on others it is worth nothing. */
  surface: SurfaceName;
  /** The same-site path that the person was going to. */
  next: string | null;
}

const tokenKey = (hash: string): Deno.KvKey => ["magic_tokens", hash];
const userIndexKey = (userId: number, hash: string): Deno.KvKey => [
  "magic_tokens_by_user",
  userId,
  hash,
];
const LAST_ID: Deno.KvKey = ["magic_tokens_last_id"];

/** 32 bytes in base64url without padding. */
const TOKEN = /^[\w-]{43}$/;

/**
 * Makes a token of 256 random bits and adds its row to a commit.
 *
 * @returns the token, which is stored nowhere
 */
export async function createToken(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  about: Pick<MagicToken, "user_id" | "surface" | "next">,
  now: number,
): Promise<string> {
  const token = crypto.getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: "base64url", omitPadding: true });
  const lastId = await kv.get<number>(LAST_ID);
  const row: MagicToken = {
    id: (lastId.value ?? 0) + 1,
    token: sha256(token),
    user_id: about.user_id,
    created_at: new Date(now).toISOString(),
    expires_at: isoAfter(now, TOKEN_LIFETIME_MS),
    used: 0,
    surface: about.surface,
    next: about.next,
  };
  const { expires_at } = row;
  commit.check(lastId)
    .set(LAST_ID, row.id)
    .set(tokenKey(row.token), row, expiring(row, now))
    .set(userIndexKey(row.user_id, row.token), { expires_at }, expiring(row, now));
  return token;
}

/**
 * Finds the row of a token that is still good on a surface. Unknown, malformed, used, expired,
 * another surface's: all are null alike.
 */
export async function findToken(
  kv: Deno.Kv,
  token: string,
  surface: SurfaceName,
  now: number,
): Promise<Deno.KvEntry<MagicToken> | null> {
  if (!TOKEN.test(token)) return null;
  const entry = await getLive<MagicToken>(kv, tokenKey(sha256(token)), now);
  return entry?.value.used === 0 && entry.value.surface === surface ? entry : null;
}

/** Adds to a commit that a token is used. It fails where somebody has used it meanwhile. */
export function markUsed(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntry<MagicToken>,
  now: number,
): void {
  commit.check(entry).set(entry.key, { ...entry.value, used: 1 }, expiring(entry.value, now));
}

/** Deletes all of a user's tokens. */
export async function deleteTokensOf(kv: Deno.Kv, userId: number): Promise<void> {
  for await (const { key } of kv.list({ prefix: ["magic_tokens_by_user", userId] })) {
    const hash = key[2] as string;
    await kv.atomic().delete(tokenKey(hash)).delete(key).commit();
  }
}
