/** Reads the stored Merkle tree of the public log: its edge, tiles and entries. */
import { type Bytes, encodeHex } from "../../../base/bytes.ts";
import {
  BUNDLE_ENTRY_BYTES,
  type Edge,
  edgeNodes,
  parseEntry,
  readNodes,
  type ReadTiles,
  rootOf,
  type SizedTile,
  TILE_WIDTH,
  tileBytes,
  tilePath,
} from "../../../../packages/proof/mod.ts";
import { type Anchored, anchorOf } from "./anchor.ts";
import { logBundles, logIndex, logState, logTiles } from "./tables.ts";

const HASH_BYTES = 32;

/** The tree as it is stored. */
export interface Tree {
  size: number;
  edge: Edge;
  /** The row that a commit checks. */
  entry: Deno.KvEntryMaybe<{ size: number; edge: Bytes }>;
}

export async function readTree(kv: Deno.Kv): Promise<Tree> {
  const entry = await logState.get(kv);
  const { size, edge } = entry.value ?? { size: 0, edge: new Uint8Array() };
  return { size, edge: splitHashes(edge), entry };
}

const splitHashes = (bytes: Bytes): Bytes[] =>
  Array.from(
    { length: bytes.length / HASH_BYTES },
    (_, i) => bytes.slice(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );

/** Returns the key of the row of a tile or bundle. */
export const tileKey = ({ level, index }: Pick<SizedTile, "level" | "index">): Deno.KvKey =>
  level === "entries" ? logBundles.key(index) : logTiles.key(level, index);

/** A tile that the store should have is missing or too short. */
export class MissingTileError extends Error {
  override readonly name = "MissingTileError";
}

/**
 * Returns the entry with a slot, in hexadecimal digits. Null if the log does not have it, even if the index has
 * a wrong place for it.
 */
export async function readEntry(
  kv: Deno.Kv,
  slot: string,
): Promise<{ index: number; commitment: Bytes } | null> {
  const { value: index } = await logIndex.get(kv, slot);
  if (index === null) return null;
  const { value: bundle } = await logBundles.get(kv, Math.floor(index / TILE_WIDTH));
  const start = (index % TILE_WIDTH) * BUNDLE_ENTRY_BYTES;
  if (bundle === null || bundle.length < start + BUNDLE_ENTRY_BYTES) return null;
  const entry = parseEntry(bundle.slice(start + 2, start + BUNDLE_ENTRY_BYTES));
  return encodeHex(entry.slot) === slot ? { index, commitment: entry.commitment } : null;
}

/** Returns what reads the tiles of a stored tree, cut to their width. */
export const storedTiles = (kv: Deno.Kv): ReadTiles => async (tiles) => {
  const read = tiles.length === 0 ? [] : await kv.getMany<Bytes[]>(tiles.map(tileKey));
  return read.map(({ value }, i) => {
    const length = tileBytes(tiles[i]);
    if (value === null || value.length < length) {
      throw new MissingTileError(`The store lacks ${tilePath(tiles[i])}.`);
    }
    return value.subarray(0, length);
  });
};

/** Returns whether the stored tree begins with the one of an anchor. */
export async function extendsAnchored(kv: Deno.Kv, anchored: Anchored): Promise<boolean> {
  const { size } = await readTree(kv);
  if (anchored.size === 0 || anchored.size > size) return anchored.size === 0;
  const nodes = await readNodes(edgeNodes(anchored.size), size, storedTiles(kv));
  return anchorOf(anchored.size, rootOf(nodes)).root === anchored.root;
}
