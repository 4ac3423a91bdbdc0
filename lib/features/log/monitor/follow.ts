import { type Bytes, concatBytes, encodeHex } from "../../../base/bytes.ts";
import { HOUR_MS } from "../../../base/time.ts";
import { parseCheckpoint } from "../checkpoint.ts";
import { type LogCopy, LogCopyError } from "../copy.ts";
import { keySetEntry, parseEntry } from "../entries.ts";
import {
  appendLeaf,
  consistencySteps,
  type Edge,
  edgeNodes,
  isConsistent,
  isEqual,
  leafHash,
  rootOf,
} from "../merkle.ts";
import type { Policy, PolicyWitness } from "../policy.ts";
import {
  decodeBundle,
  readNodes,
  readProof,
  type ReadTiles,
  type SizedTile,
  TILE_WIDTH,
  tileBytes,
  tilePath,
  tilesOf,
  tileWidth,
} from "../tiles.ts";
import { type CheckpointFault, type VerifiedCheckpoint, verifyCheckpoint } from "../verify.ts";
import type { Kept } from "./kept.ts";

/**
 * The faults that a monitor reports:
 *
 * - those of checkpoints: malformed, of another log or key, wrong signature, too few countersignatures
 * - `log_unreachable`: a file cannot be read
 * - `log_inconsistent`: two signed trees of which neither extends the other, which proves misconduct
 * - `log_shrank`: an older checkpoint than one that was seen before
 * - `log_bundles`: the entries, or the tiles, are not those of the signed tree
 * - `log_fork`: two commitments for one slot, which proves misconduct
 * - `log_keys`: a set of keys that is not what was logged
 * - `log_stale`: no new checkpoint for three hours
 * - `log_withheld`: a witness has countersigned a larger tree than the log shows here
 */
export type MonitorFault =
  | CheckpointFault
  | "log_unreachable"
  | "log_inconsistent"
  | "log_shrank"
  | "log_bundles"
  | "log_fork"
  | "log_keys"
  | "log_stale"
  | "log_withheld";

export interface Finding {
  fault: MonitorFault;
  message: string;
  /** Signed checkpoints that prove it. */
  evidence?: string[];
}

/** A monitor's view of a log after a round. */
export interface Round {
  size: number;
  /** The names of the policy's witnesses that have countersigned the newest checkpoint. */
  countersigned: string[];
  findings: Finding[];
}

export interface FollowOptions {
  source: LogCopy;
  kept: Kept;
  policy: Policy;
  origin: string;
  clock: () => number;
  /** Reads what a witness has countersigned last; null if it has nothing or does not respond. */
  readWitness(witness: PolicyWitness): Promise<string | null>;
}

/** The longest time without a new checkpoint: the log publishes one every hour. */
const STALE_MS = 3 * HOUR_MS;

class MonitorError extends Error {
  constructor(readonly finding: Finding) {
    super(finding.message);
  }
}

const fault = (fault: MonitorFault, message: string, evidence?: string[]) =>
  new MonitorError({ fault, message, ...evidence === undefined ? {} : { evidence } });

/**
 * Creates a monitor, which checks everything that is new in each round and keeps a copy of it. A round with a
 * fault keeps what was checked before, so the next one reports it again.
 */
export function createMonitor({ source, kept, policy, origin, clock, readWitness }: FollowOptions) {
  /** The index of each slot, and the commitment, in hexadecimal digits. */
  const slots = new Map<string, { index: number; commitment: string }>();
  /** The indexes of entries with one slot and different commitments. */
  const forks: [number, number][] = [];
  let tree: { size: number; edge: Edge; text: string } | undefined;

  /** Reads the copy that was kept. It was checked when it was written. */
  async function openTree() {
    const text = await kept.read("checkpoint");
    if (text === null) return { size: 0, edge: [], text: "" };
    const { size } = parseCheckpoint(new TextDecoder().decode(text))!;
    let edge: Edge = [];
    let count = 0;
    for (let index = 0; index * TILE_WIDTH < size; index++) {
      const place = { level: "entries" as const, index };
      const bundle = await kept.tile({ ...place, width: tileWidth(place, size) });
      for (const entry of decodeBundle(bundle!)) {
        note(entry, count);
        edge = appendLeaf(edge, count++, leafHash(entry));
      }
    }
    return { size, edge, text: new TextDecoder().decode(text) };
  }

  function note(entry: Bytes, index: number): void {
    const { slot, commitment } = parseEntry(entry);
    const [key, value] = [encodeHex(slot), encodeHex(commitment)];
    const known = slots.get(key);
    if (known === undefined) slots.set(key, { index, commitment: value });
    else if (known.commitment !== value) forks.push([known.index, index]);
  }

  const sourceTiles: ReadTiles = (tiles) =>
    Promise.all(tiles.map(async (tile) => {
      const bytes = await source.read(tilePath(tile));
      if (bytes?.length !== tileBytes(tile)) {
        throw fault("log_unreachable", `The log does not serve ${tilePath(tile)}.`);
      }
      return bytes;
    }));

  /** Checks that the log has grown from the kept tree, and keeps what is new. */
  async function grow(checkpoint: VerifiedCheckpoint, text: string): Promise<void> {
    const before = tree!;
    const { size, root } = checkpoint;
    if (size < before.size) {
      throw fault("log_shrank", `The log had ${before.size} entries and shows ${size}.`, [
        before.text,
        text,
      ]);
    }
    const levels = new Map<number, Bytes[]>();
    const added: Bytes[] = [];
    const bundles: { tile: SizedTile; bytes: Bytes }[] = [];
    let edge = before.edge;
    for (let index = Math.floor(before.size / TILE_WIDTH);; index++) {
      const place = { level: "entries" as const, index };
      const tile = { ...place, width: tileWidth(place, size) };
      if (tile.width === 0 || index * TILE_WIDTH + tile.width <= before.size) break;
      const [bytes] = await sourceTiles([tile]);
      const known = await kept.tile({ ...tile, width: tileWidth(place, before.size) || 1 });
      const start = Math.max(0, before.size - index * TILE_WIDTH);
      if (start > 0 && !isEqual(bytes.subarray(0, known!.length), known!)) {
        throw await wrongEntries(checkpoint, text, `${tilePath(tile)} has changed.`);
      }
      for (const entry of decode(bytes as Bytes, tile).slice(start)) {
        edge = appendLeaf(edge, before.size + added.length, leafHash(entry), ({ level }, hash) => {
          if (level % 8 !== 0) return;
          const known = levels.get(level / 8);
          if (known === undefined) levels.set(level / 8, [hash]);
          else known.push(hash);
        });
        added.push(entry);
      }
      bundles.push({ tile, bytes: bytes as Bytes });
    }
    if (!isEqual(rootOf(edge), root)) {
      const message = "The entries do not have the root of the checkpoint.";
      throw await wrongEntries(checkpoint, text, message);
    }
    const tiles = await checkTiles(before.size, size, levels);

    for (const { tile, bytes } of [...bundles, ...tiles]) await kept.writeTile(tile, bytes);
    await kept.addSeen({ seen: new Date(clock()).toISOString(), size, text });
    await kept.write("checkpoint", text); // last, so that an interrupted round is repeated
    added.forEach((entry, i) => note(entry, before.size + i));
    tree = { size, edge, text };
  }

  function decode(bytes: Bytes, tile: SizedTile): Bytes[] {
    try {
      return decodeBundle(bytes);
    } catch {
      throw fault("log_bundles", `${tilePath(tile)} does not have entries of 64 bytes.`);
    }
  }

  /**
   * Returns why the entries are not those of a checkpoint: its tree does not extend the kept one, or other
   * entries are served than the tree has.
   */
  async function wrongEntries(
    { size, root }: VerifiedCheckpoint,
    text: string,
    message: string,
  ): Promise<MonitorError> {
    const { size: oldSize, edge, text: before } = tree!;
    if (oldSize > 0) {
      const proof = oldSize === size
        ? []
        : await readProof(consistencySteps(oldSize, size), size, sourceTiles);
      const oldRoot = rootOf(edge);
      if (!isConsistent({ oldSize, oldRoot, newSize: size, newRoot: root, proof })) {
        return fault(
          "log_inconsistent",
          `The tree of ${size} entries does not extend that of ${oldSize}.`,
          [
            before,
            text,
          ],
        );
      }
    }
    return fault("log_bundles", message, [text]);
  }

  /** Compares the tiles that have changed with the hashes of the entries. */
  async function checkTiles(before: number, size: number, levels: ReadonlyMap<number, Bytes[]>) {
    const changed = [...tilesOf(size, before)].filter((tile) =>
      tileWidth(tile, before) < tile.width
    );
    const read = await sourceTiles(changed);
    const used = new Map<number, number>();
    for (const [i, tile] of changed.entries()) {
      const level = Number(tile.level);
      const old = tileWidth(tile, before);
      const start = used.get(level) ?? 0;
      const hashes = levels.get(level)!.slice(start, start + tile.width - old);
      used.set(level, start + hashes.length);
      const known = old === 0 ? new Uint8Array() : await kept.tile({ ...tile, width: old });
      if (!isEqual(read[i], concatBytes([known!, ...hashes]))) {
        throw fault("log_bundles", `${tilePath(tile)} does not have the hashes of the entries.`);
      }
    }
    return changed.map((tile, i) => ({ tile, bytes: read[i] as Bytes }));
  }

  /** Checks the sets of keys that were logged since the last round. */
  async function checkKeys(): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (let n = 1;; n++) {
      if (await kept.read(`keys/${n}`) !== null) continue;
      const bytes = await source.read(`keys/${n}`);
      const { slot, commitment } = keySetEntry(n, bytes ?? new Uint8Array());
      const logged = slots.get(encodeHex(slot));
      if (logged === undefined) return findings;
      if (bytes === null || logged.commitment !== encodeHex(commitment)) {
        findings.push({
          fault: "log_keys",
          message: `Set ${n} of the keys is not what was logged.`,
        });
        return findings;
      }
      await kept.write(`keys/${n}`, bytes);
    }
  }

  /** Compares what each witness has seen with the kept tree. */
  async function compareWitness(witness: PolicyWitness): Promise<Finding[]> {
    const text = await readWitness(witness);
    const seen = text === null ? null : parseCheckpoint(text);
    if (text === null || seen === null) return [];
    const verified = await verifyCheckpoint(text, { ...policy, quorum: null }, origin);
    if (!verified.ok) return [];
    const { size, text: own } = tree!;
    if (seen.size > size) {
      const message =
        `${witness.name} has countersigned ${seen.size} entries; the log shows ${size}.`;
      return [{ fault: "log_withheld", message, evidence: [own, text] }];
    }
    const nodes = seen.size === 0
      ? []
      : await readNodes(edgeNodes(seen.size), size, kept.readTiles(size));
    if (isEqual(rootOf(nodes), seen.root)) return [];
    const message = `${witness.name} has countersigned another tree of ${seen.size} entries.`;
    return [{ fault: "log_inconsistent", message, evidence: [own, text] }];
  }

  return {
    /** Checks the log once. */
    async round(): Promise<Round> {
      tree ??= await openTree();
      const findings: Finding[] = [];
      let countersigned: string[] = [];
      try {
        const bytes = await source.read("checkpoint");
        if (bytes === null) throw fault("log_unreachable", "The log does not serve a checkpoint.");
        const text = new TextDecoder().decode(bytes);
        const verified = await verifyCheckpoint(text, policy, origin);
        if (!verified.ok) {
          throw fault(
            verified.error,
            verified.message!,
            [text, tree.text].filter((each) => each !== ""),
          );
        }
        countersigned = verified.checkpoint.cosignatures.map(({ witness }) => witness.name);
        if (text !== tree.text) await grow(verified.checkpoint, text);
      } catch (error) {
        if (error instanceof MonitorError) findings.push(error.finding);
        else if (error instanceof LogCopyError || error instanceof TypeError || isTimeout(error)) {
          findings.push({ fault: "log_unreachable", message: String(error) });
        } else throw error;
      }
      for (const [first, second] of forks) {
        const message = `Entries ${first} and ${second} have one slot and different commitments.`;
        findings.push({ fault: "log_fork", message, evidence: [tree.text] });
      }
      const seen = (await kept.seen()).at(-1)?.seen;
      if (seen !== undefined && clock() - Date.parse(seen) > STALE_MS) {
        findings.push({ fault: "log_stale", message: `There is no new checkpoint since ${seen}.` });
      }
      if (tree.size > 0) {
        findings.push(...await checkKeys());
        for (const witness of policy.witnesses) findings.push(...await compareWitness(witness));
      }
      return { size: tree.size, countersigned, findings };
    },

    /** Returns the index of a slot in the kept log; null if it is not there. */
    indexOf: (slot: Uint8Array): number | null => slots.get(encodeHex(slot))?.index ?? null,
  };
}

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "TimeoutError";
