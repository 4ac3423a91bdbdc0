/** An in-memory transparency log for tests of witnesses, which can also fork. */
import type { Bytes } from "../../../base/bytes.ts";
import { utf8 } from "../../../base/bytes.ts";
import {
  appendLeaf,
  consistencySteps,
  createSigner,
  type Edge,
  formatCheckpoint,
  formatNote,
  formatVerifierKey,
  generatePrivateJwk,
  leafHash,
  LOG_KEY,
  nodeHash,
  type NoteSigner,
  rootOf,
} from "../../../../packages/proof/mod.ts";
import { formatAddCheckpoint } from "../request.ts";

/** A log in memory, which signs whatever a test wants. */
export interface TestLog {
  origin: string;
  signer: NoteSigner;
  /** Its key as text. */
  vkey: string;
  append(...entries: string[]): void;
  size(): number;
  root(size?: number): Bytes;
  /** Returns a signed checkpoint. Default: of the current size. */
  checkpoint(size?: number): Promise<string>;
  proof(old: number, size?: number): Bytes[];
  /** Returns the body of an `add-checkpoint` request. */
  request(old: number, size?: number): Promise<Bytes>;
  /** Returns a log with the same key and the first entries, which continues with others. */
  fork(size: number): TestLog;
}

/** Creates an empty log with a new key. */
export async function createTestLog(origin = "log.example/log"): Promise<TestLog> {
  return logOf(await createSigner(origin, LOG_KEY, await generatePrivateJwk()), []);
}

function logOf(signer: NoteSigner, leaves: Bytes[]): TestLog {
  const origin = signer.key.name;
  const root = (size = leaves.length) =>
    rootOf(leaves.slice(0, size).reduce<Edge>((edge, leaf, i) => appendLeaf(edge, i, leaf), []));
  const hashOf = (level: number, index: number): Bytes =>
    level === 0
      ? leaves[index]
      : nodeHash(hashOf(level - 1, 2 * index), hashOf(level - 1, 2 * index + 1));
  const checkpoint = async (size = leaves.length) => {
    const text = formatCheckpoint({ origin, size, root: root(size) });
    return formatNote({ text, signatures: [await signer.sign(text)] });
  };
  const proof = (old: number, size = leaves.length) =>
    old === 0 || old === size
      ? []
      : consistencySteps(old, size).map((nodes) =>
        nodes.map(({ level, index }) => hashOf(level, index))
          .reduceRight((right, left) => nodeHash(left, right))
      );
  return {
    origin,
    signer,
    vkey: formatVerifierKey(signer.key),
    append: (...entries) => {
      leaves.push(...entries.map((entry) => leafHash(utf8(entry))));
    },
    size: () => leaves.length,
    root,
    checkpoint,
    proof,
    request: async (old, size) =>
      formatAddCheckpoint({ old, proof: proof(old, size), note: await checkpoint(size) }),
    fork: (size) => logOf(signer, leaves.slice(0, size)),
  };
}
