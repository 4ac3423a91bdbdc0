import { createSingleUseTokens, expiring, type TokenRow } from "../../platform/kv/mod.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import { TOKEN_LIFETIME_MS } from "./link_terms.ts";

/** The columns of `magic_tokens` (spec 2.6) besides `token`, `expires_at` and `used`. */
interface LinkData {
  id: number;
  user_id: number;
  created_at: string;
  /** The surface the link signs in to. It is invalid on all others. */
  surface: SurfaceName;
  next: string | null;
}

export type MagicToken = LinkData & TokenRow;

export const magicTokens = createSingleUseTokens<LinkData>({
  prefix: "magic_tokens",
  lifetimeMs: TOKEN_LIFETIME_MS,
});

const LAST_ID: Deno.KvKey = ["magic_tokens_last_id"];
const BY_USER = "magic_tokens_by_user";

/** Adds a new token, and its entry in the index by user, to a commit. */
export async function createToken(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  target: Pick<MagicToken, "user_id" | "surface" | "next">,
  now: number,
): Promise<string> {
  const lastId = await kv.get<number>(LAST_ID);
  const id = (lastId.value ?? 0) + 1;
  const data = { id, ...target, created_at: new Date(now).toISOString() };
  const { token, row } = magicTokens.create(commit, data, now);
  const { expires_at } = row;
  commit.check(lastId)
    .set(LAST_ID, id)
    .set([BY_USER, row.user_id, row.token], { expires_at }, expiring(row, now));
  return token;
}

/**
 * Returns whether a user has no token, and adds a check to a commit, which fails if a token is created
 * in the meantime.
 */
export async function checkNoTokens(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  userId: number,
): Promise<boolean> {
  commit.check(await kv.get(LAST_ID)); // every new token changes it
  const tokens = await Array.fromAsync(kv.list({ prefix: [BY_USER, userId] }, { limit: 1 }));
  return tokens.length === 0;
}

export async function deleteTokensOf(kv: Deno.Kv, userId: number): Promise<void> {
  for await (const { key } of kv.list({ prefix: [BY_USER, userId] })) {
    await kv.atomic().delete(magicTokens.key(key[2] as string)).delete(key).commit();
  }
}
