/** Finds and builds the proofs that chains and documents are in the public log. */
import { encodeHex, utf8 } from "../../../base/bytes.ts";
import { type BoundedCache, createBoundedCache } from "../../../platform/http/bounded_cache.ts";
import {
  EMPTY_POLICY,
  eventSlot,
  formatNote,
  formatProof,
  inclusionSteps,
  type LogEntry,
  type NoteSigner,
  parseCheckpoint,
  type Policy,
  readProof,
  sha256Bytes,
} from "../../../../packages/proof/mod.ts";
import type { Witness } from "./ask_witness.ts";
import { createFirstCheckpoint } from "./first_checkpoint.ts";
import {
  ANYBODY,
  type CheckpointRow,
  logChains,
  logCheckpoint,
  logCheckpoints,
  logIndex,
  type NewestRow,
} from "./tables.ts";
import { storedTiles } from "./tree.ts";

/** A proof that is not read yet. */
interface StoredProof {
  /** Changes with the text. */
  version: string;
  /** Returns it as text (C2SP tlog-proof). */
  read(): Promise<string>;
}

/** Finds the proof of a chain from a row that the caller reads with something else. */
interface ProofSource {
  /** The row of the newest checkpoint, which changes whenever a proof can change. */
  key: Deno.KvKey;
  /** @param size the number of events */
  find(size: number, row: Deno.KvEntryMaybe<unknown>): Promise<StoredProof | null>;
}

/**
 * Proofs against the first checkpoint with an entry that satisfies the log's quorum, else has the line of an
 * independent witness, else of any, else is published.
 */
export interface LogProofs {
  /**
   * Returns the proof of the largest size of a chain that is in a countersigned checkpoint or, if there is
   * none, in a published one; null if there is no such size. An answer is kept until a checkpoint changes.
   *
   * @param size the number of events
   */
  ofChain(record: string, size: number): Promise<StoredProof | null>;
  /**
   * Does the same, for a caller that reads the newest checkpoint with the chain.
   *
   * @param from the smallest size of the log that the proof should be against, if it has a checkpoint of it
   */
  source(record: string, from?: number): ProofSource;
  /**
   * Returns the proofs of entries; null for those that are in no published checkpoint.
   *
   * @param salt their `log_salt`
   */
  ofEntries(entries: readonly LogEntry[], salt: Uint8Array): Promise<(string | null)[]>;
}

/** Some thousand answers with their proofs. */
const CACHE_BYTES = 8_000_000;

/** The prefix of the index of countersigned checkpoints. */
const [COUNTERSIGNED] = logCheckpoints.indexes;

/** The sizes that are looked up first. An event is logged within seconds, so an older one is rarely needed. */
const FIRST_SIZES = 8;
/** The most sizes that are looked up. */
const MOST_SIZES = 200;

/** A size of a chain, and the index of its entry; null if it has none yet. */
interface Found {
  size: number;
  index: number | null;
}

/** The knowledge about a chain's proof; `found` is null if it has none. */
interface Answer {
  found: { version: string; build(): Promise<string>; text?: string } | null;
  /** True if only a change of an older checkpoint can change it. */
  isFinal: boolean;
}

const NONE: Answer = { found: null, isFinal: false };

interface LogProofsOptions {
  kv: Deno.Kv;
  signers(): Promise<readonly NoteSigner[]>;
  /** The log's policy, with its quorum. Default: none. */
  policy?: Policy;
  witnesses(): Promise<readonly Witness[]>;
}

export function createLogProofs(
  { kv, signers, policy = EMPTY_POLICY, witnesses }: LogProofsOptions,
): LogProofs {
  const known: BoundedCache<Answer> = createBoundedCache({
    limit: CACHE_BYTES,
    sizeOf: ({ found }) => (found?.text?.length ?? 0) * 2 + 500,
  });
  const tiles = storedTiles(kv);
  const firstCheckpoint = createFirstCheckpoint({ kv, policy, witnesses });

  /** Returns the size of the largest countersigned checkpoint; 0 if there is none. */
  async function largestCountersigned({ size, cosigned }: CheckpointRow): Promise<number> {
    if (cosigned.length > 0) return size;
    const options = { limit: 1, reverse: true } as const;
    const [last] = await Array.fromAsync(kv.list({ prefix: [COUNTERSIGNED, ANYBODY] }, options));
    return last === undefined ? 0 : Number(last.key.at(-1));
  }

  async function build(index: number, salt: Uint8Array, row: CheckpointRow): Promise<string> {
    const [hashes, keys] = await Promise.all([
      readProof(inclusionSteps(index, row.size), row.size, tiles),
      signers(),
    ]);
    const checkpoint = await signAgain(row, keys);
    return formatProof({ extra: Uint8Array.from(salt), index, hashes, checkpoint });
  }

  /** Returns the indexes of sizes of a chain, in the order of the sizes. */
  async function readIndexes(record: string, sizes: readonly number[]): Promise<Found[]> {
    const keys = sizes.map((size) => logIndex.key(encodeHex(eventSlot(record, size))));
    const rows = await kv.getMany<(number | null)[]>(keys);
    return rows.map(({ value: index }, i) => ({ size: sizes[i], index }));
  }

  async function look(
    record: string,
    size: number,
    from: number,
    newest: CheckpointRow,
  ): Promise<Answer> {
    const [countersigned, { value: chain }, found] = await Promise.all([
      largestCountersigned(newest),
      logChains.get(kv, record),
      readIndexes(record, sizesBelow(size, FIRST_SIZES)),
    ]);
    if (chain === null) return NONE;
    const largestIn = (horizon: number) => found.find(({ index }) => isIn(index, horizon));
    if (!largestIn(countersigned)) {
      found.push(...await readIndexes(record, sizesBelow(size - FIRST_SIZES, MOST_SIZES)));
    }
    // While witnesses do not respond, a new chain is in published checkpoints only.
    const { size: logged, index } = largestIn(countersigned) ?? largestIn(newest.size) ?? {};
    if (index === undefined || index === null) return NONE;
    const first = await firstCheckpoint(Math.max(index + 1, from));
    const { value: row } = await logCheckpoints.get(kv, first!.size);
    const text = encodeHex(sha256Bytes(utf8(row!.text)));
    return {
      found: { version: `${logged} ${text}`, build: () => build(index, chain.salt, row!) },
      isFinal: first!.isFinal && logged === size,
    };
  }

  async function find(
    record: string,
    size: number,
    from: number,
    { value, versionstamp }: Deno.KvEntryMaybe<NewestRow>,
  ): Promise<StoredProof | null> {
    // Before, the key may have to be generated, which a read-only store cannot store.
    if (value === null) return null;
    const keys = (await signers()).map(({ key }) => key.id).join(" ");
    // A size that the log does not have yet asks for nothing. Once the log has it, the question is another one.
    const least = from <= value.size ? from : 0;
    const question = `${record} ${size} ${least} ${keys}`;
    const final = `${question} joined ${value.joined}`;
    const present = `${question} at ${versionstamp}`;
    let answer = known.get(final) ?? known.get(present);
    if (answer === undefined) {
      answer = await look(record, size, least, value);
      known.set(answer.isFinal ? final : present, answer);
    }
    const { found, isFinal } = answer;
    if (found === null) return null;
    return {
      version: `${found.version} ${keys}`,
      async read() {
        if (found.text !== undefined) return found.text;
        const text = await found.build();
        known.set(isFinal ? final : present, { found: { ...found, text }, isFinal });
        return text;
      },
    };
  }

  return {
    ofChain: async (record, size) => await find(record, size, 0, await logCheckpoint.get(kv)),
    source: (record, from = 0) => ({
      key: logCheckpoint.key(),
      find: (size, row) => find(record, size, from, row as Deno.KvEntryMaybe<NewestRow>),
    }),
    async ofEntries(entries, salt) {
      const [{ value: newest }, indexes] = await Promise.all([
        logCheckpoint.get(kv),
        kv.getMany<(number | null)[]>(entries.map(({ slot }) => logIndex.key(encodeHex(slot)))),
      ]);
      return await Promise.all(indexes.map(async ({ value: index }) => {
        if (!isIn(index, newest?.size ?? 0)) return null;
        const { size } = (await firstCheckpoint(index! + 1))!;
        return await build(index!, salt, (await logCheckpoints.get(kv, size)).value!);
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
export async function signAgain(
  { text }: CheckpointRow,
  keys: readonly NoteSigner[],
): Promise<string> {
  const { note } = parseCheckpoint(text)!;
  const missing = keys.filter(({ key: { name, id } }) =>
    note.signatures.every((each) => each.name !== name || each.id !== id)
  );
  if (missing.length === 0) return text;
  const added = await Promise.all(missing.map((key) => key.sign(note.text)));
  return formatNote({ text: note.text, signatures: [...added, ...note.signatures] });
}
