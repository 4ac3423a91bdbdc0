import { encodeHex } from "../../../base/bytes.ts";
import { type BoundedCache, createBoundedCache } from "../../../platform/http/bounded_cache.ts";
import { type Checkpoint, parseCheckpoint } from "../checkpoint.ts";
import { eventSlot, type LogEntry } from "../entries.ts";
import { inclusionSteps } from "../merkle.ts";
import { formatNote, type NoteSigner } from "../note.ts";
import { formatProof } from "../proof.ts";
import { readProof } from "../tiles.ts";
import {
  type CheckpointRow,
  logChains,
  logCheckpoint,
  logCheckpoints,
  logIndex,
} from "./tables.ts";
import { storedTiles } from "./tree.ts";

/** A proof that is not read yet. */
export interface StoredProof {
  /** Changes with the text. */
  version: string;
  /** Returns it as text (C2SP tlog-proof). */
  read(): Promise<string>;
}

/** Proofs against the first countersigned checkpoint with an entry, so that they never change. */
export interface LogProofs {
  /**
   * Returns the proof of the largest size of a chain that is in a countersigned checkpoint or, if there is
   * none, in a published one; null if there is no such size.
   *
   * @param size the number of events
   */
  ofChain(record: string, size: number): Promise<StoredProof | null>;
  /**
   * Returns the proofs of entries; null for those that are in no published checkpoint.
   *
   * @param salt their `log_salt`
   */
  ofEntries(entries: readonly LogEntry[], salt: Uint8Array): Promise<(string | null)[]>;
}

/** Some thousand proofs. Without them, each poll of a chain takes a round trip more. */
const CACHE_BYTES = 4_000_000;

/** The index of checkpoints that somebody has countersigned. */
const [COUNTERSIGNED] = logCheckpoints.indexes;

/** The sizes that are looked up first. An event is logged within seconds, so an older one is rarely needed. */
const FIRST_SIZES = 8;
/** The most sizes that are looked up. */
const MOST_SIZES = 200;

/** The largest tree of which proofs can be made. */
interface Horizon {
  size: number;
  isCountersigned: boolean;
}

/** A size of a chain, and the index of its entry; null if it has none yet. */
interface Found {
  size: number;
  index: number | null;
}

export function createLogProofs(
  { kv, signers }: { kv: Deno.Kv; signers(): Promise<readonly NoteSigner[]> },
): LogProofs {
  const known: BoundedCache<string> = createBoundedCache({
    limit: CACHE_BYTES,
    sizeOf: (text) => text.length * 2 + 200,
  });
  const tiles = storedTiles(kv);
  /** Before, the key may have to be generated, which a read-only store cannot store. */
  let isPublished = false;

  /** Returns the largest countersigned tree, if there is one, then the published one. */
  async function readHorizons(): Promise<Horizon[]> {
    const options = { limit: 1, reverse: true } as const;
    const [countersigned, { value: published }] = await Promise.all([
      Array.fromAsync(kv.list({ prefix: [COUNTERSIGNED] }, options)),
      logCheckpoint.get(kv),
    ]);
    return [
      ...countersigned.map(({ key }) => ({ size: Number(key[1]), isCountersigned: true })),
      ...published === null ? [] : [{ size: published.size, isCountersigned: false }],
    ];
  }

  /** Returns the first checkpoint that has an entry, of the kind that the horizon is. */
  async function firstSize(index: number, { isCountersigned }: Horizon): Promise<number> {
    const prefix = isCountersigned ? COUNTERSIGNED : logCheckpoints.prefix;
    const selector = { prefix: [prefix], start: [prefix, index + 1] };
    const [first] = await Array.fromAsync(kv.list(selector, { limit: 1 }));
    return Number(first.key[1]);
  }

  async function build(index: number, salt: Uint8Array, horizon: Horizon): Promise<string> {
    const size = await firstSize(index, horizon);
    const [{ value: row }, hashes, keys] = await Promise.all([
      logCheckpoints.get(kv, size),
      readProof(inclusionSteps(index, size), size, tiles),
      signers(),
    ]);
    const checkpoint = await signAgain(row!, keys);
    return formatProof({ extra: Uint8Array.from(salt), index, hashes, checkpoint });
  }

  /** Returns the indexes of sizes of a chain, in the order of the sizes. */
  async function readIndexes(record: string, sizes: readonly number[]): Promise<Found[]> {
    const keys = sizes.map((size) => logIndex.key(encodeHex(eventSlot(record, size))));
    const rows = await kv.getMany<(number | null)[]>(keys);
    return rows.map(({ value: index }, i) => ({ size: sizes[i], index }));
  }

  async function versionOf(
    size: number,
    { isCountersigned }: Pick<Horizon, "isCountersigned">,
  ): Promise<string> {
    const keys = (await signers()).map(({ key }) => key.id).join(" ");
    return `${size} ${isCountersigned ? "countersigned" : "published"} ${keys}`;
  }

  return {
    async ofChain(record, size) {
      if (isPublished) {
        const newest = await versionOf(size, { isCountersigned: true });
        const final = known.get(`${record} ${newest}`);
        if (final !== undefined) return { version: newest, read: () => Promise.resolve(final) };
      }

      const [horizons, { value: chain }, found] = await Promise.all([
        readHorizons(),
        logChains.get(kv, record),
        readIndexes(record, sizesBelow(size, FIRST_SIZES)),
      ]);
      if (chain === null || horizons.length === 0) return null;
      isPublished = true;
      const largestIn = ({ size }: Horizon) => found.find((each) => isIn(each.index, size));
      if (!largestIn(horizons[0])) {
        found.push(...await readIndexes(record, sizesBelow(size - FIRST_SIZES, MOST_SIZES)));
      }
      // While witnesses do not respond, a new chain is in published checkpoints only.
      const horizon = horizons.find(largestIn);
      if (horizon === undefined) return null;
      const { size: logged, index } = largestIn(horizon)!;
      const version = await versionOf(logged, horizon);
      const name = `${record} ${version}`;
      return {
        version,
        async read() {
          const text = known.get(name) ?? await build(index!, chain.salt, horizon);
          if (horizon.isCountersigned) known.set(name, text);
          return text;
        },
      };
    },
    async ofEntries(entries, salt) {
      const [horizons, indexes] = await Promise.all([
        readHorizons(),
        kv.getMany<(number | null)[]>(entries.map(({ slot }) => logIndex.key(encodeHex(slot)))),
      ]);
      return await Promise.all(indexes.map(({ value: index }) => {
        const horizon = horizons.find(({ size }) => isIn(index, size));
        return horizon === undefined ? null : build(index!, salt, horizon);
      }));
    },
  };
}

const isIn = (index: number | null, size: number): boolean => index !== null && index < size;

/** Returns sizes from one on downwards, at least 1. */
const sizesBelow = (size: number, count: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(size, count)) }, (_, i) => size - i);

/**
 * Adds the signatures of the log's present keys to a checkpoint, because readers may know only those. The text
 * and all other signatures stay.
 */
async function signAgain({ text }: CheckpointRow, keys: readonly NoteSigner[]): Promise<string> {
  const { note } = parseCheckpoint(text) as Checkpoint & { note: Parameters<typeof formatNote>[0] };
  const missing = keys.filter(({ key: { name, id } }) =>
    note.signatures.every((each) => each.name !== name || each.id !== id)
  );
  if (missing.length === 0) return text;
  const added = await Promise.all(missing.map((key) => key.sign(note.text)));
  return formatNote({ text: note.text, signatures: [...added, ...note.signatures] });
}
