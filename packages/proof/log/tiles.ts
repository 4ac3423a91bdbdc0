/**
 * The tiles and entry bundles of a log (C2SP tlog-tiles): their paths, their bytes, and hashes from them.
 *
 * A partial tile is the start of the tile that it grows into, so a store keeps one value per tile.
 *
 * @module
 */
import { type Bytes, concatBytes } from "../../../lib/base/bytes.ts";
import { ENTRY_BYTES } from "./entries.ts";
import { type Node, type ProofStep, rootOf } from "./merkle.ts";

/** The number of hashes in a full tile, and of entries in a full bundle. */
export const TILE_WIDTH = 256;

const TILE_HEIGHT = 8;
const HASH_BYTES = 32;
const MAX_LEVEL = 63;

/** An entry in a bundle: its length as 2 bytes, and its 64 bytes. */
export const BUNDLE_ENTRY_BYTES = 2 + ENTRY_BYTES;

/** The longest canonical path; longer ones are not parsed. */
const MAX_PATH = 64;

/** A tile of hashes, or of entries, at its place. */
export interface Tile {
  level: number | "entries";
  index: number;
}

/** A tile with the number of hashes or entries that are meant, from 1 to 256. */
export interface SizedTile extends Tile {
  width: number;
}

/** Returns how many hashes or entries a tile has in a tree of a size; 0 if it does not exist. */
export function tileWidth({ level, index }: Tile, size: number): number {
  const items = level === "entries" ? size : Math.floor(size / 2 ** (TILE_HEIGHT * level));
  return Math.max(0, Math.min(TILE_WIDTH, items - index * TILE_WIDTH));
}

/**
 * Returns the tiles of a tree of a size, without bundles, from the lowest level on.
 *
 * @param from leaves out the tiles that were full when the tree had this size
 */
export function* tilesOf(size: number, from = 0): Generator<SizedTile> {
  for (let level = 0; tileWidth({ level, index: 0 }, size) > 0; level++) {
    const first = Math.floor(from / 2 ** (TILE_HEIGHT * (level + 1)));
    for (let index = first;; index++) {
      const width = tileWidth({ level, index }, size);
      if (width === 0) break;
      yield { level, index, width };
    }
  }
}

/**
 * Returns the path of a tile below the log's prefix.
 *
 * @example
 * tilePath({ level: 0, index: 1234067, width: 256 }); // "tile/0/x001/x234/067"
 */
export function tilePath({ level, index, width }: SizedTile): string {
  const groups = [];
  let rest = index;
  do {
    const digits = String(rest % 1000).padStart(3, "0");
    groups.unshift(groups.length === 0 ? digits : `x${digits}`);
    rest = Math.floor(rest / 1000);
  } while (rest > 0);
  const partial = width === TILE_WIDTH ? "" : `.p/${width}`;
  return `tile/${level}/${groups.join("/")}${partial}`;
}

/** Returns the tile of a path below the log's prefix; null unless the path is canonical. */
export function parseTilePath(path: string): SizedTile | null {
  if (path.length > MAX_PATH) return null;
  const match = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (match === null) return null;
  const [, level, groups, width] = match;
  const tile = {
    level: level === "entries" ? level : Number(level),
    index: Number(groups.replace(/[x/]/g, "")),
    width: width === undefined ? TILE_WIDTH : Number(width),
  } as const;
  const isValid = (tile.level === "entries" || tile.level <= MAX_LEVEL) &&
    tile.width > 0 && tile.width <= TILE_WIDTH && Number.isSafeInteger(tile.index) &&
    tilePath(tile) === path;
  return isValid ? tile : null;
}

/** Returns the number of bytes of a tile with a number of hashes or entries. */
export const tileBytes = ({ level, width }: SizedTile): number =>
  width * (level === "entries" ? BUNDLE_ENTRY_BYTES : HASH_BYTES);

/**
 * Returns entries as they are stored in a bundle: each after its length as 2 bytes, big-endian.
 *
 * @throws {RangeError} for an entry of more than 65,535 bytes
 */
export const encodeBundle = (entries: readonly Uint8Array[]): Bytes =>
  concatBytes(entries.flatMap((entry) => {
    if (entry.length > 0xffff) throw new RangeError("An entry has at most 65,535 bytes.");
    return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
  }));

/**
 * Returns the entries of a bundle.
 *
 * @throws {RangeError} unless all of them have 64 bytes, and nothing follows
 */
export function decodeBundle(bytes: Uint8Array): Bytes[] {
  const entries: Bytes[] = [];
  for (let start = 0; start < bytes.length; start += BUNDLE_ENTRY_BYTES) {
    const entry = bytes.slice(start + 2, start + BUNDLE_ENTRY_BYTES);
    if (bytes[start] !== 0 || bytes[start + 1] !== ENTRY_BYTES || entry.length !== ENTRY_BYTES) {
      throw new RangeError(
        `Entry ${entries.length} of the bundle does not have ${ENTRY_BYTES} bytes.`,
      );
    }
    entries.push(entry);
  }
  return entries;
}

/**
 * Returns the tile that has the hashes below a subtree: `start` is the place of the first of them, and
 * `width` the place after the last.
 */
function tileOfNode({ level, index }: Node): SizedTile & { level: number; start: number } {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const count = 2 ** (level % TILE_HEIGHT);
  const first = index * count;
  const start = first % TILE_WIDTH;
  return {
    level: tileLevel,
    index: Math.floor(first / TILE_WIDTH),
    start,
    width: start + count,
  };
}

/** Returns the hash of a subtree from the bytes of its tile. */
function hashInTile(node: Node, tile: Uint8Array): Bytes {
  const { start, width } = tileOfNode(node);
  if (tile.length < width * HASH_BYTES) throw new RangeError("The tile is too short.");
  const hashes = Array.from(
    { length: width - start },
    (_, i) => tile.slice((start + i) * HASH_BYTES, (start + i + 1) * HASH_BYTES),
  );
  return rootOfComplete(hashes);
}

/** Returns the root of a complete tree, whose number of hashes is a power of two. */
function rootOfComplete(hashes: readonly Bytes[]): Bytes {
  if (hashes.length === 1) return hashes[0];
  const middle = hashes.length / 2;
  return rootOf([rootOfComplete(hashes.slice(0, middle)), rootOfComplete(hashes.slice(middle))]);
}

/**
 * Reads tiles together, each with at least the width that is given. The result has the same order.
 *
 * @throws {Error} (rejects) if one does not exist
 */
export type ReadTiles = (tiles: readonly SizedTile[]) => Promise<readonly Uint8Array[]>;

/**
 * Returns the hashes of subtrees, from the tiles that have them. The tiles are not verified: only a
 * proof that fits a signed root shows that they are right.
 *
 * @param size the size of the tree; tiles are read with the width that they have in it
 * @throws {RangeError} (rejects) if a tile is shorter than that
 */
export async function readNodes(
  nodes: readonly Node[],
  size: number,
  readTiles: ReadTiles,
): Promise<Bytes[]> {
  const tiles = new Map<string, SizedTile>();
  const keys = nodes.map((node) => {
    const { level, index } = tileOfNode(node);
    const tile = { level, index, width: tileWidth({ level, index }, size) };
    const key = tilePath(tile);
    tiles.set(key, tile);
    return key;
  });
  const read = await readTiles([...tiles.values()]);
  const bytes = new Map([...tiles.keys()].map((key, i) => [key, read[i]]));
  return nodes.map((node, i) => hashInTile(node, bytes.get(keys[i])!));
}

/** Returns the hashes of a proof, from the tiles of a tree of a size. */
export async function readProof(
  steps: readonly ProofStep[],
  size: number,
  readTiles: ReadTiles,
): Promise<Bytes[]> {
  const hashes = await readNodes(steps.flat(), size, readTiles);
  let next = 0;
  return steps.map((step) => rootOf(hashes.slice(next, next += step.length)));
}
