/** Logs each change of the published signing keys, and restores the keys from the log. */
import type { Bytes } from "../../../base/bytes.ts";
import { transact, unchecked } from "../../../platform/kv/mod.ts";
import {
  isEqual,
  type KeySet,
  keySetEntry,
  keySetSchema,
  loggedKeySet,
} from "../../../../packages/proof/mod.ts";
import { type AddToKeys, restoreKeys } from "../../chain/mod.ts";
import { hasSlot, LANES, putPending } from "./pending.ts";
import { logKeySets } from "./tables.ts";

const parseKeySet = (bytes: Bytes): KeySet =>
  keySetSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));

/** Returns the number of the newest logged key set and its bytes; null before the first. */
async function latestKeySet(kv: Deno.Kv) {
  const [latest] = await Array.fromAsync(logKeySets.list(kv, [], { limit: 1, reverse: true }));
  if (latest === undefined) return null;
  unchecked("A logged key set never changes.", latest);
  return { n: Number(latest.key[1]), bytes: latest.value };
}

/**
 * Adds a key set to a commit, unless it is the newest one that was logged.
 *
 * @param read returns the key set; it is called after the newest one was read, so that the commit of the
 * process that was slower fails
 * @returns false if there is nothing to add
 */
async function addKeySet(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  now: number,
  read: (latest: KeySet | null) => Promise<KeySet> | KeySet,
): Promise<boolean> {
  const latest = await latestKeySet(kv);
  const known = latest && parseKeySet(latest.bytes);
  const bytes = loggedKeySet(await read(known));
  if (latest !== null && isEqual(latest.bytes, bytes)) return false;
  let n = (latest?.n ?? 0) + 1;
  // A restored store may lack key sets that its log has.
  while (await hasSlot(kv, keySetEntry(n, bytes).slot)) n++;
  commit.check({ key: logKeySets.key(n), versionstamp: null });
  logKeySets.put(commit, [n], bytes);
  // Also while the log is halted, because a disclosed key must be withdrawn at once.
  putPending(commit, [keySetEntry(n, bytes)], LANES.live, now);
  return true;
}

/** Creates what logs the new key set in the commit that adds or withdraws a signing key. */
export const createAddKeys = (
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
): AddToKeys =>
async (commit, change, published) => {
  await addKeySet(kv, commit, clock(), async (known) => {
    const { keys } = known ?? await published();
    const others = keys.filter(({ kid }) => kid !== change.kid);
    return { keys: change.added === undefined ? others : [...others, change.added] };
  });
};

/** Logs the published key set when the log begins, and if it has changed unnoticed. */
export const logPublishedKeys = (
  kv: Deno.Kv,
  clock: () => number,
  published: () => Promise<KeySet>,
): Promise<boolean> =>
  transact(async () => {
    const commit = kv.atomic();
    const added = await addKeySet(kv, commit, clock(), published);
    return added ? { result: true, commit } : { result: false };
  });

/**
 * Publishes the keys of the last of the logged sets in a restored store, and withdraws those that only earlier
 * sets have: the backup may be older than their withdrawal.
 */
export async function restorePublishedKeys(kv: Deno.Kv, logged: readonly Bytes[]): Promise<void> {
  const sets = logged.map(parseKeySet);
  const { keys } = sets.at(-1) ?? { keys: [] };
  const earlier = sets.flatMap(({ keys }) => keys.map(({ kid }) => kid));
  const withdrawn = earlier.filter((kid) => keys.every((key) => key.kid !== kid));
  await restoreKeys(kv, keys, withdrawn);
}
