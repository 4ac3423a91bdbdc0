import { fnv1a } from "../../base/fnv1a.ts";

/** The first part of the keys of change rows. */
export const CHANGES = "changes";
/**
 * Returns the change row of a watched key. Each commit that changes the key writes it, so a watch reads a
 * few change rows instead of all of its keys. There are 256: with 5,000 watched keys, each covers
 * about 20 of them.
 */
export const changeRow = (key: Deno.KvKey): Deno.KvKey => [CHANGES, shardOf(JSON.stringify(key))];

/** Adds the change row of a watched key to the commit that changes the key. */
export function noteChange(commit: Deno.AtomicOperation, key: Deno.KvKey): void {
  commit.set(changeRow(key), 0); // only its version matters; without a check, so nobody waits
}

/** FNV-1a, whose low bits alone would be unevenly distributed. */
function shardOf(text: string): number {
  const hash = fnv1a(text);
  return Math.imul(hash ^ hash >>> 15, 0x85ebca6b) >>> 24;
}
