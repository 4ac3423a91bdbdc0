import { sha256 } from "@noble/hashes/sha2.js";
import {
  appendLeaf,
  consistencySteps,
  type Edge,
  inclusionSteps,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  rootOf,
  verifyProof,
} from "../lib/features/log/core.ts";
import { parsePolicy } from "../lib/features/log/policy.ts";
import {
  eventAt,
  LOG_VKEY,
  ORIGIN,
  PROOF,
  WITNESS_VKEY,
} from "../lib/features/log/testing/worked_example.ts";
import { atLeast, integer, type Table } from "./table.ts";

/** The least rates of the log's code, as shares of the bare hashes or signatures that it needs. */
const HASHES_TARGET = 0.4;
/** Each proof is parsed, and the keys of its policy are imported again. */
const PROOFS_TARGET = 0.25;

const ENTRIES = 8_192;
const CHECKS = 500;
const PROOFS = 100;

/** A measurement: `run` does the work `count` times, and `bare` makes only the calls that it needs. */
interface Measured {
  name: string;
  bareName: string;
  target: number;
  count: number;
  run: () => void | Promise<void>;
  bare: () => void | Promise<void>;
}

/** Compares the log's hashing, its checks of proofs and of whole proof files with what they need. */
export async function run({ rounds }: { rounds: number }): Promise<Table[]> {
  const measured = [hashing(), checks(), await files()];
  const rows = [];
  for (const { name, bareName, target, count, run, bare } of measured) {
    const times: [own: number, bare: number][] = [];
    for (let round = -1; round < rounds; round++) {
      const taken: [number, number] = [await time(run), await time(bare)];
      if (round >= 0) times.push(taken); // the first round compiles the code
    }
    const ratio = median(times.map(([own, bare]) => bare / own));
    const rate = (i: 0 | 1) => integer(count * 1000 / median(times.map((taken) => taken[i])));
    rows.push([name, rate(0), `${bareName}: ${rate(1)}`, ratio.toFixed(2), atLeast(target, ratio)]);
  }
  return [{
    title: "`log-core`: the public log's tree and proofs",
    columns: ["what", "per second", "compared with", "ratio", "target"],
    rows,
  }];
}

/** Appends entries to a tree, which takes two hashes for each. */
function hashing(): Measured {
  const entries = Array.from({ length: ENTRIES }, (_, i) => entryOf(i));
  const [leaf, node] = [new Uint8Array(65), new Uint8Array(65)];
  return {
    name: "entries appended to a tree",
    bareName: "two SHA-256",
    target: HASHES_TARGET,
    count: ENTRIES,
    run() {
      let edge: Edge = [];
      entries.forEach((entry, size) => edge = appendLeaf(edge, size, leafHash(entry)));
    },
    bare() {
      for (let i = 0; i < ENTRIES; i++) {
        sha256(leaf);
        sha256(node);
      }
    },
  };
}

const entryOf = (i: number) => {
  const entry = new Uint8Array(64);
  new DataView(entry.buffer).setUint32(0, i);
  return entry;
};

/** Checks an inclusion and a consistency proof of a tree of 2^20 + 1 equal entries. */
function checks(): Measured {
  const size = 2 ** 20 + 1;
  const complete = [leafHash(entryOf(0))];
  while (complete.length <= 20) complete.push(nodeHash(complete.at(-1)!, complete.at(-1)!));
  const hashes = (steps: ReturnType<typeof inclusionSteps>) =>
    steps.map((step) => rootOf(step.map(({ level }) => complete[level])));
  const root = nodeHash(complete[20], complete[0]);
  const [index, oldSize] = [700_001, 2 ** 19];
  const included = {
    index,
    size,
    leaf: complete[0],
    proof: hashes(inclusionSteps(index, size)),
    root,
  };
  const extended = {
    oldSize,
    oldRoot: complete[19],
    newSize: size,
    newRoot: root,
    proof: hashes(consistencySteps(oldSize, size)),
  };
  const perCheck = included.proof.length + extended.proof.length;
  const input = new Uint8Array(65);
  return {
    name: "inclusion and consistency in 2^20 + 1 entries",
    bareName: `${perCheck} SHA-256`,
    target: HASHES_TARGET,
    count: CHECKS,
    run() {
      for (let i = 0; i < CHECKS; i++) {
        if (!isIncluded(included) || !isConsistent(extended)) throw new Error("A proof is wrong.");
      }
    },
    bare() {
      for (let i = 0; i < CHECKS * perCheck; i++) sha256(input);
    },
  };
}

/** Verifies the standard's proof, with the signatures of a log and a witness. */
async function files(): Promise<Measured> {
  const policy = parsePolicy(`log ${LOG_VKEY}\nwitness other ${WITNESS_VKEY}\nquorum other`);
  const pair = await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
    "verify",
  ]) as CryptoKeyPair;
  const message = new Uint8Array(100);
  const signature = await crypto.subtle.sign("Ed25519", pair.privateKey, message);
  return {
    name: "whole proofs, with two signatures",
    bareName: "two Ed25519 signatures",
    target: PROOFS_TARGET,
    count: PROOFS,
    async run() {
      for (let i = 0; i < PROOFS; i++) {
        const result = await verifyProof(PROOF, (salt) => salt && eventAt(3, salt), policy, ORIGIN);
        if (!result.ok) throw new Error(result.message);
      }
    },
    async bare() {
      for (let i = 0; i < 2 * PROOFS; i++) {
        await crypto.subtle.verify("Ed25519", pair.publicKey, signature, message);
      }
    },
  };
}

async function time(run: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
