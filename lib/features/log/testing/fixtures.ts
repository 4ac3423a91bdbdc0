/** Logs, witnesses and anchors in memory for tests, and a check of the stored tree. */
import { assert, assertEquals } from "@std/assert";
import { type Bytes, encodeHex } from "../../../base/bytes.ts";
import { decodeBase64 } from "../../../base/encoding.ts";
import {
  appendLeaf,
  createSigner,
  decodeBundle,
  type Edge,
  formatSignature,
  generatePrivateJwk,
  isConsistent,
  leafHash,
  LOG_KEY,
  type LogEntry,
  parseCheckpoint,
  parseEntry,
  rootOf,
  sha256Bytes,
  tilesOf,
  WITNESS_KEY,
} from "../../../../packages/proof/mod.ts";
import { utf8 } from "../../../base/bytes.ts";
import { createLog, type Log, type Witness } from "../mod.ts";
import type { Anchor, Anchored } from "../store/anchor.ts";
import { LANES, putPending } from "../store/pending.ts";
import { createPublisher, type PublishOptions } from "../store/publish.ts";
import { logBundles, logIndex, logPending, logTiles } from "../store/tables.ts";
import { readTree } from "../store/tree.ts";

export const ORIGIN = "trust.example/log";

/** Returns entries whose slots and commitments follow from their names. */
export const testEntries = (names: readonly string[]): LogEntry[] =>
  names.map((name) => ({
    slot: sha256Bytes(utf8(`slot ${name}`)),
    commitment: sha256Bytes(utf8(`commitment ${name}`)),
  }));

/** Adds entries in one commit, as the commit of an event does. */
export async function addEntries(
  kv: Deno.Kv,
  names: readonly string[],
  { lane = LANES.live as number, now = 0 } = {},
): Promise<void> {
  const commit = kv.atomic();
  putPending(commit, testEntries(names), lane, now);
  assert((await commit.commit()).ok);
}

/**
 * Checks the stored tree against its entries: its root, every tile and every index row.
 *
 * @returns the slots in the order of the log
 */
export async function checkStored(kv: Deno.Kv): Promise<string[]> {
  const tree = await readTree(kv);
  const bundles = await Array.fromAsync(logBundles.list(kv, []));
  const entries = bundles.sort((a, b) => Number(a.key[1]) - Number(b.key[1]))
    .flatMap(({ value }) => decodeBundle(value));
  assertEquals(entries.length, tree.size);
  const levels = new Map<number, Bytes[]>();
  let edge: Edge = [];
  entries.forEach((entry, i) => {
    edge = appendLeaf(edge, i, leafHash(entry), ({ level }, hash) => {
      if (level % 8 === 0) levels.set(level / 8, [...levels.get(level / 8) ?? [], hash]);
    });
  });
  assertEquals(encodeHex(rootOf(tree.edge)), encodeHex(rootOf(edge)));
  for (const { level, index, width } of tilesOf(tree.size)) {
    const { value } = await logTiles.get(kv, Number(level), index);
    const hashes = levels.get(Number(level))!.slice(index * 256, index * 256 + width);
    assertEquals(encodeHex(value!), hashes.map(encodeHex).join(""));
  }
  const slots = entries.map((entry) => encodeHex(parseEntry(entry).slot));
  const rows = await Array.fromAsync(logIndex.list(kv, []));
  assertEquals(
    rows.map(({ key, value }) => [key[1], value]).sort(),
    slots.map((slot, i) => [slot, i]).sort(),
  );
  return slots;
}

export const countPending = async (kv: Deno.Kv): Promise<number> =>
  (await Array.fromAsync(logPending.list(kv, []))).length;

/** A witness in memory that countersigns trees which extend the one before. */
export interface TestWitness extends Witness {
  size: number;
  root: Bytes;
  /** The bodies that it received. */
  bodies: string[];
  /** If set, it responds this instead. */
  respond?: () => Promise<Response>;
}

export async function createTestWitness(name: string, clock: () => number): Promise<TestWitness> {
  const signer = await createSigner(`${name}.example`, WITNESS_KEY, await generatePrivateJwk());
  const witness: TestWitness = {
    name,
    key: signer.key,
    url: null,
    own: false,
    size: 0,
    root: sha256Bytes(new Uint8Array()),
    bodies: [],
    async submit(body) {
      witness.bodies.push(body);
      if (witness.respond) return await witness.respond();
      const [head, ...rest] = body.split("\n\n");
      const [old, ...hashes] = head.split("\n");
      const { size, root, note } = parseCheckpoint(rest.join("\n\n"))!;
      if (old !== `old ${witness.size}`) {
        const headers = { "content-type": "text/x.tlog.size" };
        return new Response(`${witness.size}\n`, { status: 409, headers });
      }
      const proof = hashes.map((hash) => decodeBase64(hash)!);
      const { size: oldSize, root: oldRoot } = witness;
      if (!isConsistent({ oldSize, oldRoot, newSize: size, newRoot: root, proof })) {
        return new Response("inconsistent", { status: 422 });
      }
      Object.assign(witness, { size, root });
      const signature = await signer.sign(note.text, Math.floor(clock() / 1000));
      return new Response(formatSignature(signature));
    },
  };
  return witness;
}

/** A log without a job, for features that add entries to it. */
export const createTestLog = (kv: Deno.Kv, clock: () => number = Date.now): Log =>
  createLog({
    kv,
    clock,
    origin: ORIGIN,
    signers: () => Promise.resolve([]),
    witnesses: () => Promise.resolve([]),
    nudge: () => {},
  });

/** An anchor in memory. */
export function createTestAnchor(): Anchor & { anchored: Anchored | null } {
  const anchor = {
    anchored: null as Anchored | null,
    read: () => Promise.resolve(anchor.anchored),
    write: (anchored: Anchored) => Promise.resolve(void (anchor.anchored = anchored)),
  };
  return anchor;
}

export async function createTestPublisher(
  kv: Deno.Kv,
  options: Partial<PublishOptions> & { witnessList?: Witness[] } = {},
) {
  const signer = await createSigner(ORIGIN, LOG_KEY, await generatePrivateJwk());
  return createPublisher({
    kv,
    clock: Date.now,
    origin: ORIGIN,
    signers: () => Promise.resolve([signer]),
    witnesses: () => Promise.resolve(options.witnessList ?? []),
    log: () => {},
    ...options,
  });
}
