/**
 * Trees for tests, computed without the code of the log.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type Bytes, concatBytes } from "../../../lib/base/bytes.ts";
import { appendLeaf, type Edge, type ReadTiles, rootOf } from "../log/mod.ts";

/** Hashes with another implementation than the log's. */
const hashOf = (...parts: Uint8Array[]): Bytes =>
  new Uint8Array(createHash("sha256").update(concatBytes(parts)).digest());

/** The values of a Merkle tree as RFC 9162, section 2.1 defines them, by recursion. */
export interface NaiveTree {
  /** The root of the entries from `start` to `end`, without `end`. */
  root(start: number, end: number): Bytes;
  inclusion(index: number, size: number): Bytes[];
  consistency(oldSize: number, newSize: number): Bytes[];
}

/** @param leafRoot returns the root of a range if it is known, for example of one leaf */
function naiveTree(leafRoot: (start: number, end: number) => Bytes | undefined): NaiveTree {
  const known = new Map<string, Bytes>();
  function split(start: number, end: number): number {
    let width = 1;
    while (width * 2 < end - start) width *= 2;
    return start + width;
  }
  function root(start: number, end: number): Bytes {
    if (start === end) return hashOf();
    const leaf = leafRoot(start, end);
    if (leaf !== undefined) return leaf;
    const id = `${start} ${end}`;
    const middle = split(start, end);
    const hash = known.get(id) ??
      hashOf(Uint8Array.of(1), root(start, middle), root(middle, end));
    known.set(id, hash);
    return hash;
  }
  function path(index: number, start: number, end: number): Bytes[] {
    if (end - start === 1) return [];
    const middle = split(start, end);
    return index < middle
      ? [...path(index, start, middle), root(middle, end)]
      : [...path(index, middle, end), root(start, middle)];
  }
  function subproof(oldEnd: number, start: number, end: number, isRoot: boolean): Bytes[] {
    if (oldEnd === end) return isRoot ? [] : [root(start, end)];
    const middle = split(start, end);
    return oldEnd <= middle
      ? [...subproof(oldEnd, start, middle, isRoot), root(middle, end)]
      : [...subproof(oldEnd, middle, end, false), root(start, middle)];
  }
  return {
    root,
    inclusion: (index, size) => path(index, 0, size),
    consistency: (oldSize, newSize) => subproof(oldSize, 0, newSize, true),
  };
}

/** A tree of leaves that are all different. */
export const smallTree = (leaves: readonly Bytes[]): NaiveTree =>
  naiveTree((start, end) => end - start === 1 ? leaves[start] : undefined);

/** The leaves of {@link hugeTree} before the mark, at it, and after it. */
export const HUGE_LEAVES = ["before", "mark", "after"].map((text) =>
  hashOf(new TextEncoder().encode(text))
);

/** A tree of up to 2^53 entries. Its leaves before the mark are alike, and so are those after it. */
export function hugeTree(mark: number): NaiveTree {
  const [before, at, after] = HUGE_LEAVES;
  const alike = [before, after].map((leaf) => {
    const known = new Map([[1, leaf]]);
    return function root(width: number): Bytes {
      const found = known.get(width);
      if (found !== undefined) return found;
      let left = 1;
      while (left * 2 < width) left *= 2;
      const hash = hashOf(Uint8Array.of(1), root(left), root(width - left));
      known.set(width, hash);
      return hash;
    };
  });
  return naiveTree((start, end) => {
    if (end <= mark) return alike[0](end - start);
    if (start > mark) return alike[1](end - start);
    return end - start === 1 ? at : undefined;
  });
}

/** Reads the tiles of a tree from its naive values. */
export const tilesFrom = ({ root }: NaiveTree): ReadTiles => (tiles) =>
  Promise.resolve(tiles.map(({ level, index, width }) => {
    const size = 256 ** Number(level);
    return concatBytes(Array.from({ length: width }, (_, i) => {
      const start = (index * 256 + i) * size;
      return root(start, start + size);
    }));
  }));

/** Appends leaves one by one. Returns the edges of the trees of each size from 0, and the tiles' hashes. */
export function growTree(leaves: readonly Bytes[]) {
  const levels: Bytes[][] = [];
  let edge: Edge = [];
  const edges = [edge];
  leaves.forEach((leaf, size) => {
    edge = appendLeaf(edge, size, leaf, ({ level }, hash) => {
      if (level % 8 === 0) (levels[level / 8] ??= []).push(hash);
    });
    edges.push(edge);
  });
  const readTiles: ReadTiles = (tiles) =>
    Promise.resolve(
      tiles.map(({ level, index, width }) =>
        concatBytes(levels[Number(level)].slice(index * 256, index * 256 + width))
      ),
    );
  return { edges, root: rootOf(edge), readTiles };
}
