/**
 * The Merkle tree of a log (RFC 9162, section 2.1): hashes, and proofs of inclusion and consistency.
 *
 * Sizes and indexes are safe integers. They are divided, not shifted, because `>>` is wrong from 2^31 on.
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { type Bytes, concatBytes } from "../../../lib/base/bytes.ts";

const HASH_BYTES = 32;

/** The bytes that are hashed before an entry, and before the hashes of two subtrees. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** SHA-256 as bytes of the type that WebCrypto accepts. */
export const sha256Bytes = (bytes: Uint8Array): Bytes => sha256(bytes) as Bytes;

/** The root of the empty tree. */
export const EMPTY_ROOT: Bytes = sha256Bytes(new Uint8Array());

/** Returns the hash of a leaf: `SHA-256(0x00 ‖ entry)`. */
export const leafHash = (entry: Uint8Array): Bytes => sha256Bytes(concatBytes([LEAF, entry]));

/** Returns the hash of a node: `SHA-256(0x01 ‖ left ‖ right)`. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Bytes =>
  sha256Bytes(concatBytes([NODE, left, right]));

/** A complete subtree: the entries from `index · 2^level` to the next multiple, without it. */
export interface Node {
  level: number;
  index: number;
}

/**
 * The right edge of a tree: the root of each complete subtree, the largest first. It has one hash for
 * each set bit of the size, and is all that appending needs.
 */
export type Edge = readonly Bytes[];

/**
 * Appends a leaf.
 *
 * @param size the size of the tree before
 * @param onNode receives every complete subtree that the leaf completes, itself first
 * @returns the edge of the tree with one leaf more
 */
export function appendLeaf(
  edge: Edge,
  size: number,
  leaf: Bytes,
  onNode?: (node: Node, hash: Bytes) => void,
): Edge {
  const next = [...edge];
  let hash = leaf;
  let index = size;
  onNode?.({ level: 0, index }, hash);
  for (let level = 1; index % 2 === 1; level++) {
    hash = nodeHash(next.pop()!, hash);
    index = (index - 1) / 2;
    onNode?.({ level, index }, hash);
  }
  return [...next, hash];
}

/** Returns the root of the tree with this edge. */
export const rootOf = (edge: Edge): Bytes =>
  edge.length === 0 ? EMPTY_ROOT : edge.reduceRight((right, left) => nodeHash(left, right));

/** Returns the complete subtrees of the entries from `start` to `end`, without `end`, from left to right. */
export function subtreesOf(start: number, end: number): Node[] {
  const nodes: Node[] = [];
  let from = start;
  while (from < end) {
    let level = 0;
    let width = 1;
    while (from % (width * 2) === 0 && from + width * 2 <= end) {
      level++;
      width *= 2;
    }
    nodes.push({ level, index: from / width });
    from += width;
  }
  return nodes;
}

/** Returns the complete subtrees of a tree, the largest first: those of its edge. */
export const edgeNodes = (size: number): Node[] => subtreesOf(0, size);

/** A range of entries whose root is one hash of a proof, as its complete subtrees. */
export type ProofStep = readonly Node[];

/**
 * Returns the subtrees that prove the inclusion of an entry, the leaf's sibling first (RFC 9162, section
 * 2.1.3.1).
 *
 * @throws {RangeError} unless `0 ≤ index < size`, in whole numbers
 */
export function inclusionSteps(index: number, size: number): ProofStep[] {
  if (!isSize(index) || !isSize(size) || index >= size) {
    throw new RangeError("The index is not in the tree.");
  }
  const steps: ProofStep[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start);
    if (index < middle) {
      steps.push(subtreesOf(middle, end));
      end = middle;
    } else {
      steps.push(subtreesOf(start, middle));
      start = middle;
    }
  }
  return steps.reverse();
}

/**
 * Returns the subtrees that prove that a tree extends a smaller one (RFC 9162, section 2.1.4.1).
 *
 * @throws {RangeError} unless `0 < oldSize ≤ newSize`, in whole numbers
 */
export function consistencySteps(oldSize: number, newSize: number): ProofStep[] {
  if (!isSize(oldSize) || !isSize(newSize) || oldSize === 0 || oldSize > newSize) {
    throw new RangeError("The old tree is empty or larger than the new one.");
  }
  const steps: ProofStep[] = [];
  let [start, end] = [0, newSize];
  while (oldSize < end) {
    const middle = start + largestPowerBelow(end - start);
    if (oldSize <= middle) {
      steps.push(subtreesOf(middle, end));
      end = middle;
    } else {
      steps.push(subtreesOf(start, middle));
      start = middle;
    }
  }
  // The verifier has the old root. It needs a hash only if the old tree is not a subtree of the new one.
  if (start > 0) steps.push(subtreesOf(start, end));
  return steps.reverse();
}

interface Inclusion {
  index: number;
  size: number;
  leaf: Uint8Array;
  proof: readonly Uint8Array[];
  root: Uint8Array;
}

/** Returns whether a proof shows that a leaf is in a tree (RFC 9162, section 2.1.3.2). */
export function isIncluded({ index, size, leaf, proof, root }: Inclusion): boolean {
  if (!isSize(size) || !isSize(index) || index >= size) return false;
  if (![leaf, root, ...proof].every(isHash)) return false;
  let [position, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(sibling, hash);
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && isEqual(hash, root);
}

interface Consistency {
  oldSize: number;
  oldRoot: Uint8Array;
  newSize: number;
  newRoot: Uint8Array;
  proof: readonly Uint8Array[];
}

/**
 * Returns whether a proof shows that a tree extends a smaller one (RFC 9162, section 2.1.4.2). Every tree
 * extends the empty one, whose proof is empty.
 */
export function isConsistent(
  { oldSize, oldRoot, newSize, newRoot, proof }: Consistency,
): boolean {
  if (!isSize(oldSize) || !isSize(newSize) || oldSize > newSize) return false;
  if (oldSize === 0 && !isEqual(oldRoot, EMPTY_ROOT)) return false;
  if (oldSize === newSize) return proof.length === 0 && isEqual(oldRoot, newRoot);
  if (![oldRoot, newRoot, ...proof].every(isHash)) return false;
  if (oldSize === 0) return proof.length === 0;
  if (proof.length === 0) return false;
  const hashes = isPowerOf2(oldSize) ? [oldRoot, ...proof] : proof;
  let [position, last] = [oldSize - 1, newSize - 1];
  while (position % 2 === 1) [position, last] = [half(position), half(last)];
  let [oldHash, newHash] = [hashes[0], hashes[0]];
  for (const hash of hashes.slice(1)) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      oldHash = nodeHash(hash, oldHash);
      newHash = nodeHash(hash, newHash);
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)];
    } else {
      newHash = nodeHash(newHash, hash);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && isEqual(oldHash, oldRoot) && isEqual(newHash, newRoot);
}

/** Compares public hashes. */
export const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

const half = (n: number) => Math.floor(n / 2);

const isSize = (n: number) => Number.isSafeInteger(n) && n >= 0;

const isHash = (bytes: Uint8Array) => bytes.length === HASH_BYTES;

const isPowerOf2 = (n: number) => subtreesOf(0, n).length === 1;

/** Returns the largest power of two that is smaller than a number of at least 2. */
function largestPowerBelow(n: number): number {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}
