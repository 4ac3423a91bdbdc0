/**
 * The tree that a monitor has checked, and its comparison with newer and older ones.
 *
 * @module
 */
import { type Bytes, concatBytes, decodeHex, encodeHex } from "../../../lib/base/bytes.ts";
import { ChainReadError } from "../chain/mod.ts";
import {
  appendLeaf,
  decodeBundle,
  type Edge,
  formatProof,
  inclusionSteps,
  isEqual,
  leafHash,
  parseCheckpoint,
  parseEntry,
  readProof,
  type ReadTiles,
  rootOf,
  type SignedCheckpoint,
  type SizedTile,
  TILE_WIDTH,
  tileBytes,
  tilePath,
  tilesOf,
  tileWidth,
} from "../log/mod.ts";
import type { LogCopy } from "./copy.ts";
import { type Contradiction, findContradiction } from "../verify/mod.ts";
import { CONTRADICTION, type Evidence, MonitorError } from "./finding.ts";
import type { Kept } from "./kept.ts";

/** Where an entry is, and its commitment. */
interface Place {
  index: number;
  commitment: Bytes;
}

/** The tree that a monitor has checked and keeps. */
export interface KeptTree {
  size(): number;
  /** The checkpoint; empty before the first. */
  text(): string;
  /** Returns the first entry with a slot; null if there is none. */
  find(slot: Uint8Array): Place | null;
  /** The indexes of entries with one slot and different commitments. */
  forks: readonly (readonly [number, number])[];
  /**
   * Checks that the log has grown from this tree.
   *
   * @returns what keeps the new tree
   * @throws {MonitorError} (rejects) if it has not, or if something is not served
   */
  check(checkpoint: SignedCheckpoint, text: string): Promise<() => Promise<void>>;
  /** Compares a tree that is not larger. Returns null if this one extends it. */
  contradiction(checkpoint: SignedCheckpoint, text: string): Promise<Contradiction | null>;
  /** Returns an entry in hexadecimal digits and the proof that it is in the tree, as files. */
  entryEvidence(index: number, extra?: Bytes): Promise<Evidence>;
}

/** Opens the tree of a copy, which was checked when it was written. */
export async function openTree(kept: Kept, source: LogCopy): Promise<KeptTree> {
  const slots = new Map<string, { index: number; commitment: string }>();
  const forks: [number, number][] = [];
  const stored = await kept.read("checkpoint");
  let text = stored === null ? "" : new TextDecoder().decode(stored);
  let size = text === "" ? 0 : parseCheckpoint(text)!.size;
  let edge: Edge = [];
  let count = 0;
  for (let index = 0; index * TILE_WIDTH < size; index++) {
    for (const entry of decodeBundle(await keptBundle(index))) {
      note(entry, count);
      edge = appendLeaf(edge, count++, leafHash(entry));
    }
  }

  function note(entry: Bytes, index: number): void {
    const { slot, commitment } = parseEntry(entry);
    const [key, value] = [encodeHex(slot), encodeHex(commitment)];
    const known = slots.get(key);
    if (known === undefined) slots.set(key, { index, commitment: value });
    else if (known.commitment !== value) forks.push([known.index, index]);
  }

  async function keptBundle(index: number): Promise<Bytes> {
    const place = { level: "entries" as const, index };
    return (await kept.tile({ ...place, width: tileWidth(place, size) }))!;
  }

  const contradictionOf = async (
    checkpoint: SignedCheckpoint,
    otherText: string,
    readTiles: ReadTiles,
  ): Promise<Contradiction | null> =>
    size === 0 ? null : await findContradiction(
      { ...parseCheckpoint(text)!, full: text },
      { ...checkpoint, full: otherText },
      readTiles,
    );

  const sourceTiles: ReadTiles = (tiles) =>
    Promise.all(tiles.map(async (tile) => {
      const bytes = await source.read(tilePath(tile)).catch((cause) => {
        throw new ChainReadError("unreachable", String(cause), { cause });
      });
      if (bytes?.length !== tileBytes(tile)) {
        throw new MonitorError("log_unreachable", `The log does not serve ${tilePath(tile)}.`);
      }
      return bytes;
    }));

  async function check(checkpoint: SignedCheckpoint, newText: string) {
    if (checkpoint.size < size) {
      // A store that was restored and continues signs another tree long before that has the size of the first.
      const found = await contradictionOf(checkpoint, newText, kept.readTiles);
      if (found !== null) {
        const message = `The tree of ${size} entries does not extend that of ${checkpoint.size}.`;
        throw new MonitorError("log_inconsistent", message, evidenceOf(found));
      }
      const message = `The log had ${size} entries and shows ${checkpoint.size}.`;
      const files = { "before.checkpoint": text, "after.checkpoint": newText };
      throw new MonitorError("log_shrank", message, files);
    }
    const levels = new Map<number, Bytes[]>();
    const added: Bytes[] = [];
    const bundles: { tile: SizedTile; bytes: Bytes }[] = [];
    let grown = edge;
    for (let index = Math.floor(size / TILE_WIDTH);; index++) {
      const place = { level: "entries" as const, index };
      const tile = { ...place, width: tileWidth(place, checkpoint.size) };
      if (tile.width === 0 || index * TILE_WIDTH + tile.width <= size) break;
      const [bytes] = await sourceTiles([tile]);
      const start = Math.max(0, size - index * TILE_WIDTH);
      if (start > 0) {
        const known = await keptBundle(index);
        if (!isEqual(bytes.subarray(0, known.length), known)) {
          throw await wrongEntries(checkpoint, newText, `${tilePath(tile)} has changed.`);
        }
      }
      for (const entry of decode(bytes as Bytes, tile).slice(start)) {
        grown = appendLeaf(grown, size + added.length, leafHash(entry), ({ level }, hash) => {
          if (level % 8 !== 0) return;
          const known = levels.get(level / 8);
          if (known === undefined) levels.set(level / 8, [hash]);
          else known.push(hash);
        });
        added.push(entry);
      }
      bundles.push({ tile, bytes: bytes as Bytes });
    }
    if (!isEqual(rootOf(grown), checkpoint.root)) {
      const message = "The entries do not have the root of the checkpoint.";
      throw await wrongEntries(checkpoint, newText, message);
    }
    const tiles = await checkTiles(checkpoint.size, levels);

    return async () => {
      for (const { tile, bytes } of [...bundles, ...tiles]) await kept.writeTile(tile, bytes);
      await kept.write("checkpoint", newText); // last, so that an interrupted round is repeated
      added.forEach((entry, i) => note(entry, size + i));
      [size, edge, text] = [checkpoint.size, grown, newText];
    };
  }

  /**
   * Returns why the entries are not those of a checkpoint: its tree does not extend this one, or other entries
   * are served than the tree has.
   */
  async function wrongEntries(
    checkpoint: SignedCheckpoint,
    newText: string,
    message: string,
  ): Promise<MonitorError> {
    const found = await contradictionOf(checkpoint, newText, sourceTiles);
    if (found !== null && found.nodes !== null) {
      const message = `The tree of ${checkpoint.size} entries does not extend that of ${size}.`;
      return new MonitorError("log_inconsistent", message, evidenceOf(found));
    }
    return new MonitorError("log_bundles", message, { "log.checkpoint": newText });
  }

  /** Compares the tiles that have changed with the hashes of the entries. */
  async function checkTiles(newSize: number, levels: ReadonlyMap<number, Bytes[]>) {
    const changed = [...tilesOf(newSize, size)].filter((tile) =>
      tileWidth(tile, size) < tile.width
    );
    const read = await sourceTiles(changed);
    const used = new Map<number, number>();
    for (const [i, tile] of changed.entries()) {
      const level = Number(tile.level);
      const old = tileWidth(tile, size);
      const start = used.get(level) ?? 0;
      const hashes = levels.get(level)!.slice(start, start + tile.width - old);
      used.set(level, start + hashes.length);
      const known = old === 0 ? new Uint8Array() : await kept.tile({ ...tile, width: old });
      if (!isEqual(read[i], concatBytes([known!, ...hashes]))) {
        const message = `${tilePath(tile)} does not have the hashes of the entries.`;
        throw new MonitorError("log_bundles", message);
      }
    }
    return changed.map((tile, i) => ({ tile, bytes: read[i] as Bytes }));
  }

  return {
    size: () => size,
    text: () => text,
    forks,
    check,
    find(slot) {
      const found = slots.get(encodeHex(slot));
      return found === undefined
        ? null
        : { index: found.index, commitment: decodeHex(found.commitment) };
    },
    contradiction: (checkpoint, otherText) =>
      contradictionOf(checkpoint, otherText, kept.readTiles),
    async entryEvidence(index, extra) {
      const bundle = decodeBundle(await keptBundle(Math.floor(index / TILE_WIDTH)));
      const hashes = await readProof(inclusionSteps(index, size), size, kept.readTiles);
      const proof = formatProof({ extra: extra ?? null, index, hashes, checkpoint: text });
      return {
        [`entry-${index}.hex`]: `${encodeHex(bundle[index % TILE_WIDTH])}\n`,
        [`entry-${index}.proof`]: proof,
      };
    },
  };
}

function decode(bytes: Bytes, tile: SizedTile): Bytes[] {
  try {
    return decodeBundle(bytes);
  } catch {
    throw new MonitorError("log_bundles", `${tilePath(tile)} does not have entries of 64 bytes.`);
  }
}

/** Returns the files of a contradiction. `isProof` of the verifier checks them. */
export const evidenceOf = (contradiction: Contradiction): Evidence => ({
  [CONTRADICTION]: `${JSON.stringify(contradiction, null, 2)}\n`,
});
