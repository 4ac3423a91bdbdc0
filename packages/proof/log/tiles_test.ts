import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { utf8 } from "../../../lib/base/bytes.ts";
import {
  decodeBundle,
  encodeBundle,
  entryBytes,
  inclusionSteps,
  parseEntry,
  parseTilePath,
  readProof,
  tilePath,
  tilesOf,
  tileWidth,
} from "./mod.ts";
import { ENTRIES } from "../testing/worked_example.ts";

Deno.test("tiles have the paths of the specification, and a path gives its tile back", () => {
  const cases: [path: string, level: number | "entries", index: number, width: number][] = [
    ["tile/0/x001/x234/067", 0, 1234067, 256],
    ["tile/0/x001/x234/067.p/8", 0, 1234067, 8],
    ["tile/0/000", 0, 0, 256],
    ["tile/63/999.p/255", 63, 999, 255],
    ["tile/5/x001/000.p/1", 5, 1000, 1],
    ["tile/entries/x123/x456/078", "entries", 123456078, 256],
    ["tile/1/x004/x294/x967/296", 1, 2 ** 32, 256],
    ["tile/entries/x009/x007/x199/x254/x740/991", "entries", Number.MAX_SAFE_INTEGER, 256],
    // The last tiles of a tree of 70,000 entries.
    ["tile/0/272", 0, 272, 256],
    ["tile/0/273.p/112", 0, 273, 112],
    ["tile/1/001.p/17", 1, 1, 17],
    ["tile/2/000.p/1", 2, 0, 1],
  ];
  for (const [path, level, index, width] of cases) {
    assertEquals([tilePath({ level, index, width }), parseTilePath(path)], [
      path,
      { level, index, width },
    ]);
  }
});

Deno.test("a path is the only one that gives its tile, and others give none", () => {
  const malformed = [
    "",
    "tile/0",
    "tile/0/",
    "/tile/0/000",
    "tile/0/000/",
    "tile/0/000\n",
    "tile/0/0",
    "tile/0/0000",
    "tile/0/x000/001",
    "tile/0/x000",
    "tile/0/001/002",
    "tile/0/x001x002/003",
    "tile/0/X001/002",
    "tile/0/-01",
    "tile/0/٠٠٠",
    "tile/00/000",
    "tile/01/000",
    "tile/64/000",
    "tile/100/000",
    "tile/-1/000",
    "tile/data/000",
    "tile/8/0/000",
    "tile/0/000.p",
    "tile/0/000.p/",
    "tile/0/000.p/0",
    "tile/0/000.p/01",
    "tile/0/000.p/256",
    "tile/0/000.p/999",
    "tile/0/000.p/1/",
    "tile/0/x000.p/1",
    "tile/0/000.p/1.5",
    "tile/0/x009/x007/x199/x254/x740/992",
    `tile/0/${"x001/".repeat(20)}000`,
  ];
  assertEquals(malformed.filter((path) => parseTilePath(path) !== null), []);
  const level = fc.oneof(fc.integer({ min: 0, max: 63 }), fc.constant("entries" as const));
  const index = fc.oneof(fc.maxSafeNat(), fc.nat(2000));
  fc.assert(fc.property(level, index, fc.integer({ min: 1, max: 256 }), (level, index, width) => {
    const tile = { level, index, width };
    assertEquals(parseTilePath(tilePath(tile)), tile);
  }));
});

Deno.test("a tree has the tiles that the number of its entries gives on each level", () => {
  const shown = (size: number, from?: number) => {
    const tiles = [...tilesOf(size, from)];
    const levels = new Set(tiles.map(({ level }) => level));
    return Array.from(levels, (level) => {
      const ofLevel = tiles.filter((tile) => tile.level === level);
      return [ofLevel.length, ofLevel[0].index, ofLevel.at(-1)!.width];
    });
  };
  const cases: [size: number, from: number | undefined, levels: number[][]][] = [
    [0, undefined, []],
    [1, undefined, [[1, 0, 1]]],
    [256, undefined, [[1, 0, 256], [1, 0, 1]]],
    [257, undefined, [[2, 0, 1], [1, 0, 1]]],
    [65_536, undefined, [[256, 0, 256], [1, 0, 256], [1, 0, 1]]],
    [70_000, undefined, [[274, 0, 112], [2, 0, 17], [1, 0, 1]]],
    [70_000, 69_999, [[1, 273, 112], [1, 1, 17], [1, 0, 1]]],
    [70_000, 69_888, [[1, 273, 112], [1, 1, 17], [1, 0, 1]]],
    [2 ** 40 + 300, 2 ** 40, [[2, 2 ** 32, 44], [1, 2 ** 24, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0], [
      1,
      0,
      1,
    ]]],
  ];
  for (const [size, from, levels] of cases) {
    assertEquals(shown(size, from), levels.filter(([count]) => count > 0));
  }
  assertEquals(tileWidth({ level: "entries", index: 273 }, 70_000), 112);
  assertEquals(tileWidth({ level: "entries", index: 274 }, 70_000), 0);
  assertEquals(tileWidth({ level: 63, index: 0 }, Number.MAX_SAFE_INTEGER), 0);
});

Deno.test("a bundle gives its entries back, and any other bytes are refused", () => {
  const entries = ENTRIES.map(entryBytes);
  const bundle = encodeBundle(entries);
  assertEquals(bundle.length, 264);
  assertEquals(decodeBundle(bundle), entries);
  assertEquals(decodeBundle(new Uint8Array()), []);
  const long = encodeBundle([new Uint8Array(300)]);
  assertEquals([...long.slice(0, 2), long.length], [1, 44, 302]);
  assertThrows(() => encodeBundle([new Uint8Array(65_536)]), RangeError);
  const cases: [string, Uint8Array][] = [
    ["an entry of 63 bytes", encodeBundle([entries[0], entries[1].slice(1)])],
    ["an entry of 65 bytes", encodeBundle([Uint8Array.of(...entries[0], 0)])],
    ["64 bytes after a length of 320", Uint8Array.of(1, 64, ...entries[0])],
    ["an empty entry", encodeBundle([utf8("")])],
    ["a last entry that is cut", bundle.slice(0, -1)],
    ["a byte after the last entry", Uint8Array.of(...bundle, 0)],
    ["no lengths", entries[0]],
  ];
  for (const [name, bytes] of cases) assertThrows(() => decodeBundle(bytes), RangeError, "", name);
  assertThrows(() => parseEntry(entries[0].slice(1)), RangeError);
  assertEquals(parseEntry(entries[0]), ENTRIES[0]);
});

Deno.test("a tile that is shorter than its width gives no hash", async () => {
  const steps = inclusionSteps(0, 3);
  const tile = new Uint8Array(3 * 32);
  assertEquals((await readProof(steps, 3, () => Promise.resolve([tile]))).length, 2);
  const short = readProof(steps, 3, () => Promise.resolve([tile.slice(1)]));
  await assertRejects(() => short, RangeError);
});
