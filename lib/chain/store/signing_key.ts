import { transact, whenUnlocked } from "../../kv/mod.ts";
import {
  generatePrivateJwk,
  importSigningKey,
  type PrivateJwk,
  type PublicJwk,
  type SigningKey,
} from "../keys.ts";

const MADE_HERE: Deno.KvKey = ["chain_signing_key"];
const PUBLISHED: Deno.KvKey = ["chain_keys"];

/** Where a public key is kept for as long as it is published. */
export const publishedKey = (kid: string): Deno.KvKey => [...PUBLISHED, kid];

/**
 * The key that signs heads, ready for use. Its public half is kept before anything is signed, since
 * heads must verify for as long as they are kept, also once another key signs (standard, "Changing
 * keys").
 *
 * @param given the configured key; undefined in development, where one is made once and kept
 * @throws {SigningKeyError} (rejects) for a key whose halves do not match
 */
export async function openSigningKey(
  kv: Deno.Kv,
  given: PrivateJwk | undefined,
): Promise<SigningKey> {
  const key = await importSigningKey(given ?? await ownKey(kv));
  const place = publishedKey(key.kid);
  if ((await kv.get(place)).value === null) {
    await whenUnlocked(() => kv.set(place, key.publicJwk));
  }
  return key;
}

/** Every public key that has signed here, by its `kid`. */
export async function publishedKeys(
  kv: Deno.Kv,
): Promise<Pick<SigningKey, "kid" | "publicJwk">[]> {
  const entries = await Array.fromAsync(kv.list<PublicJwk>({ prefix: PUBLISHED }));
  return entries.map(({ key, value }) => ({ kid: String(key.at(-1)), publicJwk: value }));
}

/** Of several processes that begin at once, all get the key of the first. */
function ownKey(kv: Deno.Kv): Promise<PrivateJwk> {
  return transact(async () => {
    const entry = await kv.get<PrivateJwk>(MADE_HERE);
    if (entry.value !== null) return { result: entry.value };
    const result = await generatePrivateJwk();
    return { result, commit: kv.atomic().check(entry).set(MADE_HERE, result) };
  });
}
