/** Rebuilds the public log of a restored store from a copy of its published files. */
import { type Bytes, concatBytes, encodeHex } from "../../../base/bytes.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { type LogCopy, LogCopyError, readBundles } from "../../../../packages/proof/monitor/mod.ts";
import {
  appendLeaf,
  decodeBundle,
  type Edge,
  EMPTY_POLICY,
  formatNote,
  isEqual,
  keySetEntry,
  leafHash,
  type NoteSigner,
  parseEntry,
  type ReadTiles,
  rootOf,
  sha256Bytes,
  TILE_WIDTH,
  tilePath,
  verifyCheckpoint,
} from "../../../../packages/proof/mod.ts";
import { type Anchor, anchorOf } from "./anchor.ts";
import { askWitness, type Witness } from "./ask_witness.ts";
import { checkpointRowOf } from "./join.ts";
import { restorePublishedKeys } from "./key_sets.ts";
import { LANES, putPending } from "./pending.ts";
import { grow } from "./sequence.ts";
import {
  logBundles,
  logCheckpoint,
  logCheckpoints,
  logHalted,
  logIndex,
  logKeySets,
  logPending,
  logState,
} from "./tables.ts";
import { readEntry, readTree } from "./tree.ts";

const HASH_BYTES = 32;

interface RecoverOptions {
  kv: Deno.Kv;
  clock: () => number;
  origin: string;
  signers: readonly NoteSigner[];
  witnesses: readonly Witness[];
  anchor?: Anchor | undefined;
  copy: LogCopy;
}

interface Recovered {
  ok: true;
  size: number;
  /** The size of the store's tree before. */
  before: number;
  /** Pending entries that were in the copy already. */
  dropped: number;
  /** Entries that only the store's tree had. They are pending again. */
  again: number;
  /**
   * Slots that the store has with another commitment, because it continued differently. They stay pending, and
   * the log stays halted: otherwise it would prove a fork to anybody.
   */
  forked: number;
  /** The names of the witnesses whose largest checkpoint this is. */
  witnesses: string[];
}

/**
 * Rebuilds the log of a restored store from a copy: tiles, entries, index and state. Accepts only the
 * largest tree that the witnesses and the anchor know. The log stays halted until everything is written,
 * so an attempt that was interrupted can be repeated, and if entries of the store contradict the copy.
 */
export async function recoverLog(
  options: RecoverOptions,
): Promise<Recovered | Failure<"log_copy" | "log_not_newest" | "log_unwitnessed">> {
  try {
    return await recover(options);
  } catch (error) {
    if (!(error instanceof LogCopyError)) throw error;
    return fail("log_copy", { message: error.message });
  }
}

async function recover(
  { kv, clock, origin, signers, witnesses, anchor, copy }: RecoverOptions,
): ReturnType<typeof recoverLog> {
  const text = new TextDecoder().decode(await copy.read("checkpoint") ?? new Uint8Array());
  const logs = signers.map(({ key }) => ({ key, url: null }));
  const known = witnesses.map(({ name, key, own }) => ({ name, key, own, url: null }));
  const policy = { ...EMPTY_POLICY, logs, witnesses: known };
  const verified = await verifyCheckpoint(text, policy, origin);
  if (!verified.ok) return fail("log_copy", { message: verified.message });
  const { size, root, note, cosignatures } = verified.checkpoint;
  const latest = cosignatures.at(-1)?.time;

  let edge: Edge = [];
  let count = 0;
  const hashes: Bytes[] = [];
  for await (const { bytes, entries } of readBundles(copy, size)) {
    hashes.push(sha256Bytes(bytes));
    for (const entry of entries) edge = appendLeaf(edge, count++, leafHash(entry));
  }
  if (!isEqual(rootOf(edge), root)) {
    return fail("log_copy", {
      message: "The entries of the copy do not have the root of its checkpoint.",
    });
  }
  const before = await readTree(kv);
  const anchored = await anchor?.read() ?? null;
  if (before.size > size || (anchored?.size ?? 0) > size) {
    const larger = Math.max(before.size, anchored?.size ?? 0);
    return fail("log_not_newest", {
      message: `There was a tree of ${larger} entries; the copy has ${size}.`,
    });
  }
  if (anchored?.size === size && anchored.root !== anchorOf(size, root).root) {
    return fail("log_not_newest", { message: "The anchor has another tree of this size." });
  }

  // Witnesses sign the same checkpoint again only if they know no larger one.
  const own = note.signatures.filter(({ name }) => name === origin);
  const submission = {
    note: formatNote({ text: note.text, signatures: own }),
    text: note.text,
    size,
    readTiles: copyTiles(copy),
  };
  const replies = await Promise.all(witnesses.map(async (witness) => ({
    witness,
    reply: await askWitness(witness, submission, size),
  })));
  for (const { witness: { name }, reply } of replies) {
    if (reply.kind === "ahead") {
      return fail("log_not_newest", {
        message: `${name} has countersigned ${reply.size} entries; the copy has ${size}.`,
      });
    }
    if (reply.kind === "refused") {
      return fail("log_not_newest", { message: `${name} has countersigned another tree.` });
    }
  }
  const signed = replies.flatMap(({ witness, reply }) =>
    reply.kind === "signed" ? [{ name: witness.name, signature: reply.signature }] : []
  );
  if (witnesses.length > 0 && signed.length === 0) {
    return fail("log_unwitnessed", {
      message: "None of the witnesses responds, so nobody knows whether the copy is the newest.",
    });
  }

  const at = new Date(clock()).toISOString();
  if ((await logHalted.get(kv)).value === null) {
    const row = { by: "log:recover", at, checkpoint: "", response: "" };
    await kv.set(logHalted.key(), row); // until everything is written
  }
  const lost = await writeEntries(kv, readAgain(copy, size, hashes), clock());
  const { dropped, forked } = await dropPending(kv);
  await recoverKeySets(kv, copy);

  const lines = [...own, ...signed.map(({ signature }) => signature)];
  const row = checkpointRowOf(
    { ...verified.checkpoint, note: { text: note.text, signatures: lines } },
    latest === undefined ? at : new Date(latest * 1000).toISOString(),
  );
  const [{ value: replaced }, { value: newest }] = await Promise.all([
    logCheckpoints.get(kv, size),
    logCheckpoint.get(kv),
  ]);
  await anchor?.write(anchorOf(size, root));
  const commit = kv.atomic();
  logState.replace(commit, before.entry, { size, edge: concatBytes(edge) });
  logCheckpoint.put(commit, [], { ...row, joined: (newest?.joined ?? 0) + 1 });
  if (replaced !== null) logCheckpoints.deleteAt(commit, [size], replaced);
  logCheckpoints.put(commit, [size], row);
  if (forked === 0) commit.delete(logHalted.key());
  if (!(await commit.commit()).ok) {
    return fail("log_copy", {
      message: "Another process has changed the log. Stop it, and run the command again.",
    });
  }
  return {
    ok: true,
    size,
    before: before.size,
    dropped: dropped.filter((slot) => !lost.has(slot)).length,
    again: lost.size - dropped.filter((slot) => lost.has(slot)).length,
    forked,
    witnesses: signed.map(({ name }) => name),
  };
}

/** Reads the tiles of a copy. Proofs of consistency need them only if a witness is behind. */
const copyTiles = (copy: LogCopy): ReadTiles => (tiles) =>
  Promise.all(tiles.map(async (tile) => {
    const bytes = await copy.read(tilePath(tile));
    if (bytes === null) throw new LogCopyError(`The copy lacks ${tilePath(tile)}.`);
    return bytes;
  }));

/**
 * Reads the bundles of a copy again, because they may be more than fits into memory.
 *
 * @param hashes those of the bundles that have the checkpoint's root
 * @throws {LogCopyError} if the copy responds differently now
 */
async function* readAgain(copy: LogCopy, size: number, hashes: readonly Bytes[]) {
  for await (const bundle of readBundles(copy, size)) {
    if (!isEqual(sha256Bytes(bundle.bytes), hashes[bundle.index])) {
      throw new LogCopyError("The copy has changed while it was read. The log stays halted.");
    }
    yield bundle;
  }
}

/**
 * Writes bundles, tiles and index rows. Stored entries that the bundle of the copy does not have become pending in
 * the same commit.
 *
 * @returns the slots of those entries
 */
async function writeEntries(
  kv: Deno.Kv,
  bundles: ReturnType<typeof readAgain>,
  now: number,
): Promise<Set<string>> {
  const lost = new Set<string>();
  let edge: Edge = [];
  let count = 0;
  let partial = new Map<string, Bytes>();
  for await (const { index, entries } of bundles) {
    const stored = (await logBundles.get(kv, index)).value;
    const known = new Set(entries.map(encodeHex));
    const grown = grow({ size: count, edge }, entries, partial);
    const commit = kv.atomic();
    for (const entry of stored === null ? [] : decodeBundle(stored)) {
      if (known.has(encodeHex(entry))) continue;
      const { slot, commitment } = parseEntry(entry);
      const hex = encodeHex(slot);
      lost.add(hex);
      putPending(commit, [{ slot, commitment }], LANES.live, now);
      // Its index in the former tree. A smaller one is that of the copy.
      if (((await logIndex.get(kv, hex)).value ?? count) >= count) commit.delete(logIndex.key(hex));
    }
    for (const [key, value] of grown.rows) commit.set(key, value);
    entries.forEach((entry, i) => {
      commit.set(logIndex.key(encodeHex(parseEntry(entry).slot)), count + i);
    });
    await commit.commit();
    // Full tiles are written once; the others continue with the next bundle.
    partial = new Map(
      [...partial, ...grown.rows.map(([key, value]) => [key.join(), value] as const)]
        .filter(([, value]) => value.length < TILE_WIDTH * HASH_BYTES),
    );
    ({ edge } = grown);
    count += entries.length;
  }
  return lost;
}

/**
 * Deletes pending entries that the log has, and counts those that it has with another commitment, which stay. A
 * key set that the log has otherwise was never published, so it is deleted too: a new one gets the next number.
 */
async function dropPending(kv: Deno.Kv): Promise<{ dropped: string[]; forked: number }> {
  const keySets = await Array.fromAsync(
    logKeySets.list(kv, []),
    ({ key, value }) => encodeHex(keySetEntry(Number(key[1]), value).slot),
  );
  const dropped: string[] = [];
  let forked = 0;
  for await (const { key, value } of logPending.list(kv, [])) {
    const slot = String(key[3]);
    const logged = await readEntry(kv, slot);
    if (logged === null) continue;
    if (!isEqual(logged.commitment, value) && !keySets.includes(slot)) {
      forked++;
      continue;
    }
    await kv.delete(key);
    dropped.push(slot);
  }
  return { dropped, forked };
}

/**
 * Stores the key sets that the log has, and publishes the keys of the last one.
 *
 * @throws {LogCopyError} if neither the copy nor the store has one of them
 */
async function recoverKeySets(kv: Deno.Kv, copy: LogCopy): Promise<void> {
  const sets: Bytes[] = [];
  for (let n = 1;; n++) {
    const logged = await readEntry(kv, encodeHex(keySetEntry(n, new Uint8Array()).slot));
    if (logged === null) break;
    const candidates = [await copy.read(`keys/${n}`), (await logKeySets.get(kv, n)).value];
    const bytes = candidates.find((each) =>
      each !== null && isEqual(keySetEntry(n, each).commitment, logged.commitment)
    );
    // Without it, a key that it withdraws would be published again.
    if (!bytes) throw new LogCopyError(`The copy lacks keys/${n}. The log stays halted.`);
    await kv.set(logKeySets.key(n), bytes);
    sets.push(bytes);
  }
  await restorePublishedKeys(kv, sets);
}
