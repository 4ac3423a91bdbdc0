/** Finds what a restored store lacks, by comparing it with the log. */
import { encodeHex } from "../../../base/bytes.ts";
import {
  completionEntry,
  decodeBundle,
  documentSlot,
  eventSlot,
  keySetEntry,
  parseEntry,
  TILE_WIDTH,
} from "../../../../packages/proof/mod.ts";
import { heads } from "../../chain/mod.ts";
import { logBundles, logCheckpoints, logKeySets } from "./tables.ts";
import { readTree } from "./tree.ts";

/** The entries that the log has and a restored store lacks, grouped as far as their slots allow. */
export interface Lost {
  /** How many later events of each record of the store are missing. */
  events: ReadonlyMap<string, number>;
  /** How many later statements about each document of the store are missing. */
  statements: ReadonlyMap<string, number>;
  /** The number of later sets of signing keys that are missing. */
  keySets: number;
  /**
   * The number of entries of records and documents that the store does not know. A slot is a hash of the record's
   * hash or the document's number, so without these nobody can tell which entries belong together.
   */
  unknown: number;
}

/**
 * Compares the entries of the log that are newer than a restored store with what the store has. Older entries
 * without a row are of documents that were deleted before.
 *
 * @param since when the copy of the store was made, in milliseconds since 1970
 * @param documents the number of statements about each document of the store
 */
export async function findLost(
  kv: Deno.Kv,
  since: number,
  documents: AsyncIterable<{ id: string; statements: number }>,
): Promise<Lost> {
  const left = await slotsFrom(kv, await sizeAt(kv, since));
  const take = (slot: Uint8Array) => left.delete(encodeHex(slot));
  /** Removes the slots of a row from those that are left. Returns the number of those after its last one. */
  function missing(known: number, slotOf: (n: number) => Uint8Array): number {
    for (let n = 1; n <= known; n++) take(slotOf(n));
    let more = 0;
    while (take(slotOf(known + more + 1))) more++;
    return more;
  }
  const events = new Map<string, number>();
  for await (const { key, value } of heads.list(kv, [])) {
    const record = String(key.at(-1));
    const count = missing(value.size, (n) => eventSlot(record, n));
    if (count > 0) events.set(record, count);
  }
  const statements = new Map<string, number>();
  for await (const { id, statements: known } of documents) {
    const count = missing(known, (n) => documentSlot(id, n));
    if (count > 0) statements.set(id, count);
  }
  const sets = await Array.fromAsync(logKeySets.list(kv, []));
  const keySets = missing(sets.length, (n) => keySetEntry(n, new Uint8Array()).slot);
  take(completionEntry().slot);
  return { events, statements, keySets, unknown: left.size };
}

/** Returns the size of the last checkpoint of a time; 0 before the first. */
async function sizeAt(kv: Deno.Kv, time: number): Promise<number> {
  for await (const { value } of logCheckpoints.list(kv, [], { reverse: true })) {
    if (Date.parse(value.signed_at) <= time) return value.size;
  }
  return 0;
}

/** Returns the slots of the entries from an index on, in hexadecimal digits. */
async function slotsFrom(kv: Deno.Kv, from: number): Promise<Set<string>> {
  const { size } = await readTree(kv);
  const slots = new Set<string>();
  for (let bundle = Math.floor(from / TILE_WIDTH); bundle * TILE_WIDTH < size; bundle++) {
    const { value } = await logBundles.get(kv, bundle);
    const entries = value === null ? [] : decodeBundle(value);
    entries.forEach((entry, i) => {
      if (bundle * TILE_WIDTH + i >= from) slots.add(encodeHex(parseEntry(entry).slot));
    });
  }
  return slots;
}
