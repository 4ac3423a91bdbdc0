/** Moves waiting entries into the tree of the public log, one batch per commit. */
import { type Attempt, attemptOnce, reserveCheck, unchecked } from "../../../platform/kv/mod.ts";
import { type Bytes, concatBytes, decodeHex } from "../../../base/bytes.ts";
import {
  appendLeaf,
  type Edge,
  encodeBundle,
  entryBytes,
  leafHash,
  TILE_WIDTH,
  tileBytes,
  tileWidth,
} from "../../../../packages/proof/mod.ts";
import { LANES } from "./pending.ts";
import { logHalted, logIndex, logPending, logState } from "./tables.ts";
import { MissingTileError, readTree, tileKey, type Tree } from "./tree.ts";

/** The most entries of a commit. With them, it has 520 of 1,000 mutations. */
const BATCH = 256;

const TILE_HEIGHT = 8;

/** The result of a batch: the size of the tree, and whether entries may be left. */
type Sequenced =
  | { ok: true; size: number; added: number; more: boolean }
  | { ok: false; reason: "halted" | "busy" };

/**
 * Moves up to 256 pending entries into the tree, in one commit that checks the state. Entries as they
 * happen come first, and the oldest of them; within a batch they are sorted by slot.
 *
 * No index row is read: the state is read before the pending rows, so if its check succeeds, no other
 * process has sequenced them.
 *
 * @returns `busy` if another process has changed the state
 */
export const sequenceBatch = async (kv: Deno.Kv): Promise<Sequenced> =>
  await attemptOnce(() => sequence(kv)) ?? { ok: false, reason: "busy" };

async function sequence(kv: Deno.Kv): Promise<Attempt<Sequenced>> {
  const [tree, halted] = await Promise.all([readTree(kv), logHalted.get(kv)]);
  if (halted.value !== null) return { result: { ok: false, reason: "halted" } };
  const [pending, partial] = await Promise.all([readPending(kv), readPartial(kv, tree)]);
  if (pending.length === 0) {
    return { result: { ok: true, size: tree.size, added: 0, more: false } };
  }

  const entries = pending.map(({ key, value }) => ({
    key,
    slot: String(key[3]),
    commitment: value,
  })).sort((a, b) => a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0);
  const grown = grow(tree, entries.map(bytesOf), partial);

  const commit = kv.atomic().check(halted);
  reserveCheck(commit);
  logState.replace(commit, tree.entry, { size: grown.size, edge: concatBytes(grown.edge) });
  for (const [key, value] of grown.rows) commit.set(key, value);
  entries.forEach(({ key, slot }, i) => {
    commit.set(logIndex.key(slot), tree.size + i);
    commit.delete(key);
  });
  const more = entries.length === BATCH;
  return { result: { ok: true, size: grown.size, added: entries.length, more }, commit };
}

const CHECKED_BY_STATE = "Whoever moves entries into the tree changes the state.";

const bytesOf = ({ slot, commitment }: { slot: string; commitment: Bytes }): Bytes =>
  entryBytes({ slot: decodeHex(slot), commitment });

/** Reads the next pending entries: those of the live lane first. */
async function readPending(kv: Deno.Kv): Promise<Deno.KvEntry<Bytes>[]> {
  const lanes = await Promise.all(
    Object.values(LANES).map((lane) =>
      Array.fromAsync(logPending.list(kv, [lane], { limit: BATCH, batchSize: BATCH }))
    ),
  );
  unchecked(CHECKED_BY_STATE, ...lanes.flat());
  return lanes.flat().slice(0, BATCH);
}

/** The last tiles of a tree that are not full, and the last bundle, by the text of their keys. */
type Partial = ReadonlyMap<string, Bytes>;

async function readPartial(kv: Deno.Kv, { size }: Tree): Promise<Partial> {
  const tiles = lastTiles(size).filter(({ width }) => width > 0);
  if (tiles.length === 0) return new Map();
  const entries = await kv.getMany<Bytes[]>(tiles.map(tileKey));
  unchecked(CHECKED_BY_STATE, ...entries);
  return new Map(entries.map(({ key, value }, i) => {
    const length = tileBytes(tiles[i]);
    if (value === null || value.length < length) {
      throw new MissingTileError(`The tree lacks ${key.join("/")}.`);
    }
    // It is longer if another process has added entries since; then this commit fails.
    return [key.join(), value.subarray(0, length)];
  }));
}

/** Returns the bundle and the tile of each level that the next entries are added to. */
function lastTiles(size: number) {
  const levels = [0];
  for (let width = TILE_WIDTH; width <= size; width *= TILE_WIDTH) levels.push(levels.length);
  return ["entries" as const, ...levels].map((level) => {
    const items = level === "entries" ? size : Math.floor(size / 2 ** (TILE_HEIGHT * level));
    const tile = { level, index: Math.floor(items / TILE_WIDTH) };
    return { ...tile, width: tileWidth(tile, size) };
  });
}

interface Grown {
  size: number;
  edge: Edge;
  rows: (readonly [Deno.KvKey, Bytes])[];
}

/** Appends entries to a tree. Returns the rows that have changed. */
export function grow(
  { size, edge }: Pick<Tree, "size" | "edge">,
  entries: readonly Bytes[],
  partial: Partial,
): Grown {
  const added = new Map<string, { key: Deno.KvKey; parts: Bytes[] }>();
  const add = (level: number | "entries", position: number, part: Bytes) => {
    const key = tileKey({ level, index: Math.floor(position / TILE_WIDTH) });
    const id = key.join();
    const row = added.get(id) ?? { key, parts: partial.has(id) ? [partial.get(id)!] : [] };
    row.parts.push(part);
    added.set(id, row);
  };
  let next = edge;
  entries.forEach((entry, i) => {
    const position = size + i;
    add("entries", position, encodeBundle([entry]));
    next = appendLeaf(next, position, leafHash(entry), ({ level, index }, hash) => {
      if (level % TILE_HEIGHT === 0) add(level / TILE_HEIGHT, index, hash);
    });
  });
  const rows = Array.from(added.values(), ({ key, parts }) => [key, concatBytes(parts)] as const);
  return { size: size + entries.length, edge: next, rows };
}
