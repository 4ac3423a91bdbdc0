/**
 * A small log with a witness for tests.
 *
 * @module
 */
import { ChainReadError, generatePrivateJwk, type LinkedEvent } from "../chain/mod.ts";
import {
  createSigner,
  entryBytes,
  eventEntry,
  formatCheckpoint,
  formatNote,
  formatProof,
  formatVerifierKey,
  inclusionSteps,
  leafHash,
  LOG_KEY,
  type LogEntry,
  type NoteSigner,
  parsePolicy,
  readProof,
  WITNESS_KEY,
} from "../log/mod.ts";
import { growTree } from "./trees.ts";
import type { LogReader } from "../verify/log_reader.ts";

export const PUBLISHER = "trust.example";
export const ORIGIN = `${PUBLISHER}/log`;
/** The `log_salt` of every chain. */
export const SALT = new Uint8Array(32).fill(7);

/** The keys of a log and of a witness that countersigns. */
export const testKeys = async () => ({
  log: await createSigner(ORIGIN, LOG_KEY, await generatePrivateJwk()),
  witness: await createSigner("witness.example", WITNESS_KEY, await generatePrivateJwk()),
});

export type TestKeys = Awaited<ReturnType<typeof testKeys>>;

/** A reader's policy that knows the witness as `Other`. */
export const policyOf = ({ log, witness }: Partial<TestKeys>, comment = "") =>
  parsePolicy([
    ...log ? [`log ${formatVerifierKey(log.key)}`] : [],
    ...comment === "" ? [] : [comment],
    ...witness ? [`witness Other ${formatVerifierKey(witness.key)}`] : [],
    "quorum none",
  ].join("\n"));

/** Returns the entries of a chain at sizes. */
export const entriesOf = (
  record: string,
  events: readonly LinkedEvent[],
  sizes = events.map((_, i) => i + 1),
): LogEntry[] =>
  sizes.map((size) => eventEntry({ record, size, tip: events[size - 1].hash, salt: SALT }));

/** A log of a few entries, which is signed at any size. */
export function smallLog(entries: readonly LogEntry[], { log, witness }: TestKeys) {
  const { edges, readTiles } = growTree(entries.map((entry) => leafHash(entryBytes(entry))));
  const rootAt = (size: number) =>
    growTree(
      entries.slice(0, size).map((entry) => leafHash(entryBytes(entry))),
    ).root;

  return {
    /** Returns the checkpoint of a size, countersigned at a time in seconds unless it is null. */
    async checkpoint(
      { size = edges.length - 1, time = null as number | null, signer = log as NoteSigner } = {},
    ): Promise<string> {
      const text = formatCheckpoint({ origin: ORIGIN, size, root: rootAt(size) });
      const signatures = [await signer.sign(text)];
      if (time !== null) signatures.push(await witness.sign(text, time));
      return formatNote({ text, signatures });
    },
    async proof(index: number, checkpoint: string): Promise<string> {
      const size = Number(checkpoint.split("\n")[1]);
      const hashes = await readProof(inclusionSteps(index, size), size, readTiles);
      return formatProof({ extra: SALT, index, hashes, checkpoint });
    },
    /** Serves a checkpoint, and the tiles of its tree only. */
    reader(checkpoint: string): LogReader {
      const published = Number(checkpoint.split("\n")[1]);
      return {
        checkpoint: () => Promise.resolve(checkpoint),
        policy: () => Promise.resolve(`log ${formatVerifierKey(log.key)}\nquorum none\n`),
        tiles(tiles) {
          const isServed = tiles.every(({ level, index, width }) =>
            (index * 256 + width) * 256 ** Number(level) <= published
          );
          return isServed
            ? readTiles(tiles)
            : Promise.reject(new ChainReadError("not_found", "There is no such tile."));
        },
      };
    },
  };
}
