import { concatBytes, decodeHex, encodeHex } from "../../../base/bytes.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { type LogCopy, LogCopyError, readBundles } from "../copy.ts";
import { keySetEntry, parseEntry } from "../entries.ts";
import { appendLeaf, type Edge, isEqual, leafHash, rootOf } from "../merkle.ts";
import { formatNote, type NoteSigner } from "../note.ts";
import { EMPTY_POLICY } from "../policy.ts";
import { decodeBundle, type ReadTiles, TILE_WIDTH, tilePath } from "../tiles.ts";
import { verifyCheckpoint } from "../verify.ts";
import { type Anchor, anchorOf } from "./anchor.ts";
import { askWitness, type Witness } from "./ask_witness.ts";
import { LANES, putPending } from "./pending.ts";
import { grow } from "./sequence.ts";
import {
  type CheckpointRow,
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

export interface RecoverOptions {
  kv: Deno.Kv;
  clock: () => number;
  origin: string;
  signers: readonly NoteSigner[];
  witnesses: readonly Witness[];
  anchor?: Anchor | undefined;
  copy: LogCopy;
}

export interface Recovered {
  ok: true;
  size: number;
  /** The size of the store's tree before. */
  before: number;
  /** Pending entries that were in the copy already. */
  dropped: number;
  /** Entries that only the store's tree had. They are pending again. */
  again: number;
  /** Slots that the store's tree had with another commitment, which prove a fork. */
  forked: number;
  /** The names of the witnesses whose largest checkpoint this is. */
  witnesses: string[];
}

/**
 * Rebuilds the log of a restored store from a copy: tiles, entries, index and state. Accepts only the
 * largest tree that the witnesses and the anchor know. The log stays halted until everything is written,
 * so an attempt that was interrupted can be repeated.
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
  const known = witnesses.map(({ name, key }) => ({ name, key, url: null }));
  const policy = { ...EMPTY_POLICY, logs, witnesses: known };
  const verified = await verifyCheckpoint(text, policy, origin);
  if (!verified.ok) return fail("log_copy", { message: verified.message });
  const { size, root, note, cosignatures } = verified.checkpoint;
  const latest = cosignatures.at(-1)?.time;

  let edge: Edge = [];
  let count = 0;
  for await (const { entries } of readBundles(copy, size)) {
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
  const lost = await writeEntries(kv, copy, size);
  const pending = await dropPending(kv);
  const again = await addAgain(kv, lost, clock());
  await recoverKeySets(kv, copy);

  const row: CheckpointRow = {
    size,
    text: formatNote({
      text: note.text,
      signatures: [...own, ...signed.map(({ signature }) => signature)],
    }),
    signed_at: latest === undefined ? at : new Date(latest * 1000).toISOString(),
    witnesses: signed.map(({ name }) => name),
  };
  await anchor?.write(anchorOf(size, root));
  const commit = kv.atomic();
  logState.replace(commit, before.entry, { size, edge: concatBytes(edge) });
  logCheckpoint.put(commit, [], row);
  logCheckpoints.put(commit, [size], row);
  commit.delete(logHalted.key());
  if (!(await commit.commit()).ok) {
    return fail("log_copy", {
      message: "Another process has changed the log. Stop it and run again.",
    });
  }
  return {
    ok: true,
    size,
    before: before.size,
    dropped: pending.dropped,
    again: again.added,
    forked: pending.forked + again.forked,
    witnesses: row.witnesses,
  };
}

/** Reads the tiles of a copy. Proofs of consistency need them only if a witness is behind. */
const copyTiles = (copy: LogCopy): ReadTiles => (tiles) =>
  Promise.all(tiles.map(async (tile) => {
    const bytes = await copy.read(tilePath(tile));
    if (bytes === null) throw new LogCopyError(`The copy lacks ${tilePath(tile)}.`);
    return bytes;
  }));

/** Writes bundles, tiles and index rows. Returns the stored entries that the copy does not have there. */
async function writeEntries(kv: Deno.Kv, copy: LogCopy, size: number) {
  const lost = new Map<string, string>();
  let edge: Edge = [];
  let count = 0;
  let partial = new Map<string, Uint8Array<ArrayBuffer>>();
  for await (const { index, entries } of readBundles(copy, size)) {
    const stored = (await logBundles.get(kv, index)).value;
    const known = new Set(entries.map(encodeHex));
    for (const entry of stored === null ? [] : decodeBundle(stored)) {
      if (known.has(encodeHex(entry))) continue;
      const { slot, commitment } = parseEntry(entry);
      lost.set(encodeHex(slot), encodeHex(commitment));
    }
    const grown = grow({ size: count, edge }, entries, partial);
    const commit = kv.atomic();
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

/** Deletes pending entries that the log has. */
async function dropPending(kv: Deno.Kv): Promise<{ dropped: number; forked: number }> {
  let dropped = 0;
  let forked = 0;
  for await (const { key, value } of logPending.list(kv, [])) {
    const logged = await readEntry(kv, String(key[3]));
    if (logged === null) continue;
    if (!isEqual(logged.commitment, value)) forked++;
    await kv.delete(key);
    dropped++;
  }
  return { dropped, forked };
}

/** Adds entries of the store's former tree, unless the log has one with the same slot. */
async function addAgain(
  kv: Deno.Kv,
  lost: ReadonlyMap<string, string>,
  now: number,
): Promise<{ added: number; forked: number }> {
  let forked = 0;
  for (const [slot, commitment] of lost) {
    if (await readEntry(kv, slot) !== null) {
      forked++;
      continue;
    }
    const commit = kv.atomic().delete(logIndex.key(slot)); // its index in the former tree
    const entry = { slot: decodeHex(slot), commitment: decodeHex(commitment) };
    putPending(commit, [entry], LANES.live, now);
    await commit.commit();
  }
  return { added: lost.size - forked, forked };
}

/** Stores the key sets of the copy that its log has. */
async function recoverKeySets(kv: Deno.Kv, copy: LogCopy): Promise<void> {
  for (let n = 1;; n++) {
    const bytes = await copy.read(`keys/${n}`);
    if (bytes === null) return;
    const { slot, commitment } = keySetEntry(n, bytes);
    const logged = await readEntry(kv, encodeHex(slot));
    if (logged === null || !isEqual(logged.commitment, commitment)) return;
    await kv.set(logKeySets.key(n), bytes);
  }
}
