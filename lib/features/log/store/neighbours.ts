/** Reads an entry of the public log with its neighbours, and finds an entry by its slot. */
import { encodeHex } from "../../../base/bytes.ts";
import {
  decodeBundle,
  type LogEntry,
  parseEntry,
  TILE_WIDTH,
} from "../../../../packages/proof/mod.ts";
import { indexesOf } from "./pending.ts";
import { firstPublished } from "./status.ts";
import { logBundles, logCheckpoint } from "./tables.ts";

/** How many entries are shown on each side. */
const NEIGHBOURS = 2;

/** A published entry of the log, with its parts in hexadecimal digits. */
interface PlacedEntry {
  index: number;
  slot: string;
  commitment: string;
}

/** An entry of the log with its neighbours. */
export interface Neighbours {
  index: number;
  /** The number of published entries. */
  size: number;
  /** When a checkpoint had the entry first, ISO 8601. */
  by: string | null;
  /** The entry and up to two on each side, in their order. */
  entries: PlacedEntry[];
}

/** Reads a published entry with its neighbours; null if the published log does not have it. */
export async function readNeighbours(kv: Deno.Kv, index: number): Promise<Neighbours | null> {
  const size = (await logCheckpoint.get(kv)).value?.size ?? 0;
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return null;
  const from = Math.max(0, index - NEIGHBOURS);
  const to = Math.min(size - 1, index + NEIGHBOURS);
  const bundles = [...new Set([from, to].map((each) => Math.floor(each / TILE_WIDTH)))];
  const [by, ...rows] = await Promise.all([
    firstPublished(kv, index),
    ...bundles.map((bundle) => logBundles.get(kv, bundle)),
  ]);
  const entries = rows.flatMap(({ value }, i) =>
    value === null ? [] : decodeBundle(value).map((bytes, place) => {
      const { slot, commitment } = parseEntry(bytes);
      return {
        index: bundles[i] * TILE_WIDTH + place,
        slot: encodeHex(slot),
        commitment: encodeHex(commitment),
      };
    })
  );
  return {
    index,
    size,
    by,
    entries: entries.filter((each) => each.index >= from && each.index <= to),
  };
}

/** Returns the index of the entry with a slot; null if the log does not have it. */
export const indexOfSlot = async (kv: Deno.Kv, slot: LogEntry["slot"]): Promise<number | null> =>
  (await indexesOf(kv, [{ slot, commitment: slot }]))[0];
