/**
 * Compares two checkpoints of one log, and keeps what proves a contradiction.
 *
 * @module
 */
import { decodeBase64, encodeBase64 } from "../../../lib/base/encoding.ts";
import type { Bytes } from "../../../lib/base/bytes.ts";
import { ChainReadError } from "../chain/mod.ts";
import {
  edgeNodes,
  isEqual,
  type Node,
  nodeHash,
  parseCheckpoint,
  readNodes,
  type ReadTiles,
  rootOf,
  type SignedCheckpoint,
  subtreesOf,
} from "../log/mod.ts";

/**
 * Two signed checkpoints of one log that contradict each other. With `nodes`, they prove it to anybody: the
 * hashes have the root of the newer checkpoint, but not that of the older one.
 */
export interface Contradiction {
  older: string;
  newer: string;
  /**
   * The hashes of the newer tree's complete subtrees before and after the size of the older one, from left to
   * right, in base64. Empty if both checkpoints have the same size. Null if the log does not serve hashes that
   * have the root that it has signed, so that it cannot be shown what the newer tree contains.
   */
  nodes: string[] | null;
}

const splitNodes = (oldSize: number, newSize: number): Node[] =>
  oldSize === newSize ? [] : [...edgeNodes(oldSize), ...subtreesOf(oldSize, newSize)];

/**
 * Compares two checkpoints of one log: the tree of the larger one must begin with that of the smaller one.
 *
 * @param readTiles reads the tiles of the larger tree; undefined if they cannot be read, so that only
 * checkpoints of the same size are compared
 * @returns null if they do not contradict each other
 * @throws {ChainReadError} (rejects) if the log cannot be reached
 */
export async function findContradiction(
  a: SignedCheckpoint & { full: string },
  b: SignedCheckpoint & { full: string },
  readTiles: ReadTiles | undefined,
): Promise<Contradiction | null> {
  const [older, newer] = a.size <= b.size ? [a, b] : [b, a];
  const texts = { older: older.full, newer: newer.full };
  if (older.size === newer.size) {
    return isEqual(older.root, newer.root) ? null : { ...texts, nodes: [] };
  }
  if (readTiles === undefined || older.size === 0) return null;
  const parts = splitNodes(older.size, newer.size);
  let hashes: Bytes[];
  try {
    hashes = await readNodes(parts, newer.size, readTiles);
  } catch (error) {
    if (error instanceof ChainReadError && error.code === "unreachable") throw error;
    return { ...texts, nodes: null }; // the log does not serve what it has signed
  }
  const [oldRoot, newRoot] = rootsOf(older.size, newer.size, hashes);
  if (!isEqual(newRoot, newer.root)) return { ...texts, nodes: null };
  return isEqual(oldRoot, older.root) ? null : { ...texts, nodes: hashes.map(encodeBase64) };
}

/**
 * Returns whether two checkpoints and the hashes prove that one key has signed two trees of which neither
 * extends the other. The signatures must be verified separately, with the log's key.
 */
export function isProof({ older, newer, nodes }: Contradiction): boolean {
  const [before, after] = [parseCheckpoint(older), parseCheckpoint(newer)];
  if (before === null || after === null || nodes === null) return false;
  if (before.origin !== after.origin || before.size > after.size) return false;
  if (before.size === after.size) return !isEqual(before.root, after.root);
  const hashes = nodes.map(decodeBase64).filter((hash) => hash?.length === 32) as Bytes[];
  if (hashes.length !== splitNodes(before.size, after.size).length) return false;
  const [oldRoot, newRoot] = rootsOf(before.size, after.size, hashes);
  return isEqual(newRoot, after.root) && !isEqual(oldRoot, before.root);
}

/** Returns the roots of a tree and of its first entries, from the hashes of {@link splitNodes}. */
function rootsOf(oldSize: number, newSize: number, hashes: readonly Bytes[]): [Bytes, Bytes] {
  const oldCount = edgeNodes(oldSize).length;
  const known = new Map(
    splitNodes(oldSize, newSize).map((node, i) => [keyOf(node), hashes[i]] as const),
  );
  // Merges neighbours until the subtrees are those of the newer tree.
  const root = (node: Node): Bytes => {
    const found = known.get(keyOf(node));
    if (found !== undefined) return found;
    const below = { level: node.level - 1, index: node.index * 2 };
    return nodeHash(root(below), root({ ...below, index: below.index + 1 }));
  };
  return [rootOf(hashes.slice(0, oldCount)), rootOf(edgeNodes(newSize).map(root))];
}

const keyOf = ({ level, index }: Node) => `${level}/${index}`;
