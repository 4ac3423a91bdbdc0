import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { encodeHex, utf8 } from "../../../lib/base/bytes.ts";
import { encodeBase64 } from "../../../lib/base/encoding.ts";
import {
  consistencySteps,
  EMPTY_ROOT,
  inclusionSteps,
  isConsistent,
  isIncluded,
  leafHash,
  readProof,
  rootOf,
} from "./mod.ts";
import { subtreesOf } from "./merkle.ts";
import {
  growTree,
  HUGE_LEAVES,
  hugeTree,
  type NaiveTree,
  smallTree,
  tilesFrom,
} from "../testing/trees.ts";

const LEAVES = Array.from({ length: 700 }, (_, i) => leafHash(utf8(`entry ${i}`)));
const SMALL = smallTree(LEAVES);
const GROWN = growTree(LEAVES);

/** Sizes and positions below them: up to those with three levels of tiles, and beyond 32 bits. */
const pairs = (max: number) =>
  fc.integer({ min: 1, max }).chain((size) =>
    fc.tuple(fc.integer({ min: 0, max: size - 1 }), fc.constant(size))
  );
const SMALL_PAIRS = pairs(LEAVES.length);
const HUGE_PAIRS = fc.oneof(pairs(2 ** 17), pairs(2 ** 33), pairs(Number.MAX_SAFE_INTEGER));

const hex = (hashes: readonly Uint8Array[]) => hashes.map(encodeHex);

/** Returns the ways to change a proof that must always be noticed. */
function* alterations(proof: readonly Uint8Array[]): Generator<Uint8Array[]> {
  yield [...proof, LEAVES[0]];
  for (const i of proof.keys()) {
    yield proof.toSpliced(i, 1);
    yield proof.with(i, proof[i].map((byte, k) => k === i % 32 ? byte ^ 1 : byte));
    yield proof.with(i, proof[i].slice(1));
  }
}

async function checkInclusion(
  naive: NaiveTree,
  index: number,
  size: number,
  readTiles = tilesFrom(naive),
) {
  const proof = await readProof(inclusionSteps(index, size), size, readTiles);
  assertEquals(hex(proof), hex(naive.inclusion(index, size)));
  const good = {
    index,
    size,
    leaf: naive.root(index, index + 1),
    proof,
    root: naive.root(0, size),
  };
  assertEquals(isIncluded(good), true);
  for (const other of [index - 1, index + 1, size]) {
    assertEquals(isIncluded({ ...good, index: other }), false);
  }
  assertEquals(isIncluded({ ...good, leaf: EMPTY_ROOT }), false);
  assertEquals(isIncluded({ ...good, root: EMPTY_ROOT }), false);
  for (const proof of alterations(good.proof)) {
    assertEquals(isIncluded({ ...good, proof }), false);
  }
}

async function checkConsistency(
  naive: NaiveTree,
  oldSize: number,
  newSize: number,
  readTiles = tilesFrom(naive),
) {
  const proof = await readProof(consistencySteps(oldSize, newSize), newSize, readTiles);
  assertEquals(hex(proof), hex(naive.consistency(oldSize, newSize)));
  const [oldRoot, newRoot] = [naive.root(0, oldSize), naive.root(0, newSize)];
  const good = { oldSize, oldRoot, newSize, newRoot, proof };
  assertEquals(isConsistent(good), true);
  assertEquals(isConsistent({ ...good, oldRoot: EMPTY_ROOT }), false);
  assertEquals(isConsistent({ ...good, newRoot: EMPTY_ROOT }), false);
  assertEquals(isConsistent({ ...good, oldSize: newSize + 1 }), false);
  for (const proof of alterations(good.proof)) {
    assertEquals(isConsistent({ ...good, proof }), false);
  }
}

Deno.test("an inclusion proof from tiles of up to 700 entries is the naive one, is accepted, and is refused with any change", async () => {
  await fc.assert(
    fc.asyncProperty(
      SMALL_PAIRS,
      ([index, size]) => checkInclusion(SMALL, index, size, GROWN.readTiles),
    ),
    { numRuns: 60 },
  );
});

Deno.test("a consistency proof from tiles of up to 700 entries is the naive one, is accepted, and is refused with any change", async () => {
  await fc.assert(
    fc.asyncProperty(
      SMALL_PAIRS,
      ([before, size]) => checkConsistency(SMALL, before + 1, size, GROWN.readTiles),
    ),
    { numRuns: 60 },
  );
});

Deno.test("the same holds for trees of up to 2^53 entries", async () => {
  // Each run hashes about 4,000 nodes.
  await fc.assert(
    fc.asyncProperty(HUGE_PAIRS, async ([mark, size]) => {
      const tree = hugeTree(mark);
      assertEquals(hex([tree.root(mark, mark + 1)]), hex([HUGE_LEAVES[1]]));
      await checkInclusion(tree, mark, size);
      await checkConsistency(tree, mark + 1, size);
    }),
    { numRuns: 20 },
  );
});

Deno.test("the edge of a tree of each size from 0 to 700 has its naive root", () => {
  GROWN.edges.forEach((edge, size) => assertEquals(rootOf(edge), SMALL.root(0, size)));
});

Deno.test("the subtrees of a range are complete, adjacent and as large as possible", () => {
  fc.assert(fc.property(HUGE_PAIRS, ([start, end]) => {
    const nodes = subtreesOf(start, end);
    let next = start;
    for (const { level, index } of nodes) {
      assertEquals(index * 2 ** level, next);
      next += 2 ** level;
      const parent = { start: Math.floor(index / 2) * 2 ** (level + 1), width: 2 ** (level + 1) };
      const fits = parent.start >= start && parent.start + parent.width <= end;
      assertEquals(fits, false);
    }
    assertEquals(next, end);
  }));
});

Deno.test("the leaf of nothing, the empty tree and the trees of 1, 8 and 15 words have the published hashes", () => {
  const words =
    "one two three four five six seven eit nain ten ileven twelf threeten fourten fivten";
  const { edges } = growTree(words.split(" ").map((word) => leafHash(utf8(word))));
  assertEquals(
    encodeHex(leafHash(new Uint8Array())),
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  );
  assertEquals(
    encodeHex(rootOf([])),
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
  assertEquals([1, 8, 15].map((size) => encodeBase64(rootOf(edges[size]))), [
    "0Nc2CrefWKseHj/mStd+LqC8B+NrX0btIiPt2SmN+ek=",
    "bC+VwvrJbalNVjfkdI8kUgs7mJoXrqiXCE7bgnD28pY=",
    "rKbDipCvhuX1GZ7g5BBe8sA6BbJ7ja/1nk427v383cs=",
  ]);
});

Deno.test("an empty tree is extended by every tree with an empty proof, and only by its own root", () => {
  const cases: [string, Partial<Parameters<typeof isConsistent>[0]>, boolean][] = [
    ["the empty tree", {}, true],
    ["another old root", { oldRoot: LEAVES[1] }, false],
    ["a hash in the proof", { proof: [LEAVES[0]] }, false],
    ["two equal sizes", { newSize: 0, newRoot: EMPTY_ROOT }, true],
    ["two equal sizes with two roots", { newSize: 0 }, false],
    ["two equal sizes with a root that is not that of the empty tree", {
      oldRoot: LEAVES[0],
      newSize: 0,
    }, false],
    ["a new root of 31 bytes", { newRoot: LEAVES[0].slice(1) }, false],
    ["an empty proof of two sizes", { oldSize: 1, oldRoot: LEAVES[0], newSize: 2 }, false],
    ["a size that is not whole", { newSize: 1.5 }, false],
    ["a size beyond the safe integers", { newSize: 2 ** 53 }, false],
  ];
  const empty = { oldSize: 0, oldRoot: EMPTY_ROOT, newSize: 1, newRoot: LEAVES[0], proof: [] };
  assertEquals(
    cases.map(([name, change]) => [name, isConsistent({ ...empty, ...change })]),
    cases.map(([name, , expected]) => [name, expected]),
  );
});

Deno.test("steps of positions outside of the tree are refused", () => {
  for (const [index, size] of [[-1, 1], [1, 1], [0, 0], [0.5, 2], [NaN, 2], [0, Infinity]]) {
    assertThrows(() => inclusionSteps(index, size), RangeError);
  }
  for (const [before, size] of [[0, 1], [2, 1], [-1, 1], [0.5, 2], [1, Infinity], [NaN, NaN]]) {
    assertThrows(() => consistencySteps(before, size), RangeError);
  }
});
