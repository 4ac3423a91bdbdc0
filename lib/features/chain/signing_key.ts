/** The keys that sign chains: opening, publishing, withdrawing and restoring them. */
import { z } from "zod";
import { ALWAYS, defineTable, ifWritable, transact, unchecked } from "../../platform/kv/mod.ts";
import {
  generatePrivateJwk,
  importSigningKey,
  type KeySet,
  keySet,
  type PrivateJwk,
  privateJwkSchema,
  publicJwkSchema,
  type SigningKey,
  SigningKeyError,
} from "../../../packages/proof/mod.ts";

const TABLE = { owner: "nobody", lifetime: ALWAYS } as const;

export const publishedKeys = defineTable({
  ...TABLE,
  prefix: "chain_keys",
  value: publicJwkSchema,
  key: ["kid"],
  per: "signing key",
});

export const withdrawnKeys = defineTable({
  ...TABLE,
  prefix: "chain_keys_withdrawn",
  value: z.literal(true),
  key: ["kid"],
  per: "withdrawn signing key",
});

/** The key that development generates. */
export const generatedKeys = defineTable({
  ...TABLE,
  prefix: "chain_signing_key",
  value: privateJwkSchema,
  per: "store",
});

/**
 * Adds to the commit that publishes or withdraws a key. It may run again with a new commit.
 *
 * @param change the key's id, and the key itself if it is added
 * @param published reads the keys that are published without this change
 */
export type AddToKeys = (
  commit: Deno.AtomicOperation,
  change: { kid: string; added?: KeySet["keys"][number] },
  published: () => Promise<KeySet>,
) => Promise<void>;

/**
 * Opens the key that signs heads. Its public key is stored before anything is signed, because heads
 * must stay verifiable after the key has been replaced (standard, "Changing keys").
 *
 * @param configured the configured key; if undefined (in development), a key is generated once and
 * stored
 * @throws {SigningKeyError} (rejects) for a key whose `x` does not match its `d`, and for a withdrawn
 * key, because a process that still has a disclosed key must not publish it again
 */
export async function openSigningKey(
  kv: Deno.Kv,
  configured: PrivateJwk | undefined,
  addToKeys?: AddToKeys,
): Promise<SigningKey> {
  const key = await importSigningKey(configured ?? await generatedKey(kv));
  const { kid, publicJwk } = key;
  await ifWritable(() =>
    transact(async () => {
      const [published, withdrawn] = await kv.getMany([
        publishedKeys.key(kid),
        withdrawnKeys.key(kid),
      ]);
      if (withdrawn.value !== null) {
        throw new SigningKeyError("The key was withdrawn. Set another CHAIN_SIGNING_KEY.");
      }
      if (published.value !== null) return { result: undefined };
      const commit = kv.atomic().check(published, withdrawn);
      publishedKeys.put(commit, [kid], publicJwk);
      const [added] = keySet([key]).keys;
      await addToKeys?.(commit, { kid, added }, () => readKeySet(kv));
      return { result: undefined, commit };
    })
  );
  return key;
}

const firstUseKey = (kid: string): Deno.KvKey => ["stats", "signing_key_first_use", kid];

/** Stores when a key was first used, unless it is known. */
export async function noteFirstUse(kv: Deno.Kv, kid: string, now: number): Promise<void> {
  const key = firstUseKey(kid);
  const commit = kv.atomic().check({ key, versionstamp: null })
    .set(key, new Date(now).toISOString());
  await ifWritable(() => commit.commit());
}

/**
 * Returns when a key was first used, ISO 8601 in UTC; null if that is unknown. For a key that is
 * older than this record, it is when the record began.
 */
export const firstUseOf = async (kv: Deno.Kv, kid: string): Promise<string | null> =>
  (await kv.get<string>(firstUseKey(kid))).value;

/**
 * Removes a disclosed key from the published set permanently. Heads that it signed no longer verify.
 *
 * @returns false if it was not in the set
 */
export const withdrawKey = (
  kv: Deno.Kv,
  kid: string,
  addToKeys?: AddToKeys,
): Promise<boolean> =>
  transact(async () => {
    const entry = await publishedKeys.get(kv, kid);
    if (entry.value === null) return { result: false };
    const commit = kv.atomic().check(entry).delete(entry.key).set(withdrawnKeys.key(kid), true);
    await addToKeys?.(commit, { kid }, () => readKeySet(kv));
    return { result: true, commit };
  });

/**
 * Brings the published keys of a restored store to what the publisher has shown since.
 *
 * @param keys those that are published; the store may have withdrawn some of them since
 * @param withdrawn the ids of those that must not be published again
 */
export async function restoreKeys(
  kv: Deno.Kv,
  keys: KeySet["keys"],
  withdrawn: readonly string[],
): Promise<void> {
  const commit = kv.atomic();
  for (const { kid, use: _, ...publicJwk } of keys) {
    if ((await withdrawnKeys.get(kv, kid)).value === null) {
      publishedKeys.put(commit, [kid], publicJwk);
    }
  }
  for (const kid of withdrawn) {
    commit.delete(publishedKeys.key(kid)).set(withdrawnKeys.key(kid), true);
  }
  await commit.commit();
}

/** Returns every public key that has signed heads in this store and was not withdrawn. */
export const readKeySet = async (kv: Deno.Kv): Promise<KeySet> =>
  keySet(
    await Array.fromAsync(
      publishedKeys.list(kv, []),
      (entry) => {
        unchecked("Whoever publishes or withdraws a key logs the next key set.", entry);
        return { kid: String(entry.key.at(-1)), publicJwk: entry.value };
      },
    ),
  );

/** Returns the ids of the keys that were withdrawn. */
export const readWithdrawnKeys = (kv: Deno.Kv): Promise<string[]> =>
  Array.fromAsync(withdrawnKeys.list(kv, []), ({ key }) => String(key.at(-1)));

/** Returns the generated key. Processes that start at the same time all get the same one. */
function generatedKey(kv: Deno.Kv): Promise<PrivateJwk> {
  return transact(async () => {
    const entry = await generatedKeys.get(kv);
    if (entry.value !== null) return { result: entry.value };
    const result = await generatePrivateJwk();
    return { result, commit: kv.atomic().check(entry).set(entry.key, result) };
  });
}
