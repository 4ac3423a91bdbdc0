import { transact, whenUnlocked } from "../../kv/mod.ts";
import {
  generatePrivateJwk,
  importSigningKey,
  type PrivateJwk,
  type PublicJwk,
  type SigningKey,
  SigningKeyError,
} from "../keys.ts";

const MADE_HERE: Deno.KvKey = ["chain_signing_key"];
const PUBLISHED: Deno.KvKey = ["chain_keys"];
const WITHDRAWN: Deno.KvKey = ["chain_keys_withdrawn"];

const publishedKey = (kid: string): Deno.KvKey => [...PUBLISHED, kid];
const withdrawnKey = (kid: string): Deno.KvKey => [...WITHDRAWN, kid];

/**
 * The key that signs heads, ready for use. Its public half is kept before anything is signed, since
 * heads must verify for as long as they are kept, also once another key signs (standard, "Changing
 * keys").
 *
 * @param given the configured key; undefined in development, where one is made once and kept
 * @throws {SigningKeyError} (rejects) for a key whose halves do not match, and for one that was
 * withdrawn: a process that was forgotten must not publish a disclosed key again
 */
export async function openSigningKey(
  kv: Deno.Kv,
  given: PrivateJwk | undefined,
): Promise<SigningKey> {
  const key = await importSigningKey(given ?? await ownKey(kv));
  const place = publishedKey(key.kid);
  const [published, withdrawn] = await kv.getMany([place, withdrawnKey(key.kid)]);
  if (withdrawn.value !== null) {
    throw new SigningKeyError("The key was withdrawn. Set another CHAIN_SIGNING_KEY.");
  }
  if (published.value === null) {
    await whenUnlocked(() => kv.set(place, key.publicJwk));
  }
  return key;
}

/**
 * Takes a disclosed key out of the published set, for good: what it signed does not verify from then
 * on.
 *
 * @returns false where it was not in the set
 */
export async function withdrawKey(kv: Deno.Kv, kid: string): Promise<boolean> {
  const entry = await kv.get(publishedKey(kid));
  if (entry.value === null) return false;
  await whenUnlocked(() => kv.atomic().delete(entry.key).set(withdrawnKey(kid), true).commit());
  return true;
}

/** Every public key that has signed here and was not withdrawn, by its `kid`. */
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
