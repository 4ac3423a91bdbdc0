import { assertEquals } from "@std/assert";
import { encodeHex } from "../../base/bytes.ts";
import { keySetSchema } from "../chain/mod.ts";
import {
  appendLeaf,
  completionEntry,
  consistencySteps,
  createSigner,
  documentEntry,
  type Edge,
  edgeNodes,
  encodeBundle,
  entryBytes,
  eventEntry,
  formatCheckpoint,
  formatNote,
  formatProof,
  formatVerifierKey,
  inclusionSteps,
  isConsistent,
  keySetEntry,
  leafHash,
  LOG_KEY,
  loggedKeySet,
  parsePolicy,
  readProof,
  rootOf,
  sha256Bytes,
  verifyProof,
  WITNESS_KEY,
} from "./core.ts";
import { concatBytes, utf8 } from "../../base/bytes.ts";

/** The private keys of RFC 8037, appendix A.1, and of RFC 8032, test 2. */
const LOG_JWK = {
  kty: "OKP",
  crv: "Ed25519",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
} as const;
const WITNESS_JWK = {
  kty: "OKP",
  crv: "Ed25519",
  d: "TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs",
  x: "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw",
} as const;

const salt = new Uint8Array(32).fill(0xbb);
const record = encodeHex(Uint8Array.from({ length: 32 }, (_, i) => i));
const event = eventEntry({ record, size: 3, tip: "aa".repeat(32), salt });
const document = documentEntry({
  id: "7K3M9Q2XB4TW0ZRA",
  n: 1,
  version: 1,
  state: "registered",
  original: "11".repeat(32),
  issued: "22".repeat(32),
  salt,
});
const keys = keySetSchema.parse({
  keys: [{ kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", use: "sig", ...LOG_JWK }],
});
const keySet = keySetEntry(1, loggedKeySet(keys));
const entries = [event, document, keySet, completionEntry()];

/** Builds a tree of leaves, with its hashes by level. */
function treeOf(leaves: readonly Uint8Array<ArrayBuffer>[]) {
  const tiles = new Map<string, Uint8Array[]>();
  let edge: Edge = [];
  leaves.forEach((leaf, size) =>
    edge = appendLeaf(edge, size, leaf, ({ level }, hash) => {
      if (level % 8 !== 0) return;
      const key = String(level / 8);
      tiles.set(key, [...tiles.get(key) ?? [], hash]);
    })
  );
  return {
    root: rootOf(edge),
    readTiles: (asked: readonly { level: number | "entries"; index: number; width: number }[]) =>
      Promise.resolve(
        asked.map(({ level, index, width }) =>
          concatBytes(tiles.get(String(level))!.slice(index * 256, index * 256 + width))
        ),
      ),
  };
}

Deno.test("entries of an event, a document, a key set and the completion have the slots, commitments and leaves of the standard", () => {
  const shown = entries.map((entry) => [
    encodeHex(entry.slot),
    encodeHex(entry.commitment),
    encodeHex(leafHash(entryBytes(entry))),
  ]);
  assertEquals(shown, [
    [
      "a77dc475f890e4ec3a932a0034621841b25fe12c31c71742b9ec137f223b1741",
      "b8229b337431ed344de3b0b1c039ce938aadc9c4ca1ad6deae0a022d6ac4087e",
      "b6fd05fd13279afcba2e5909efefde8d8d8c99006f9c44eb456ef44716eaeec5",
    ],
    [
      "64108153898b63721a1591a556f19e3732c81947f08e337a1d25c617188cd1b7",
      "ab4d56097ac29b17e641f37a9917b80769cd3ca17e412d43fa495aa4828f729b",
      "94c9717f77e8c9362ea766308403a7458cce62fc8d7e705f877416ab2af362fc",
    ],
    [
      "19f03cb1d296baa3c15ea8ced6af05006d71502c1acd6243e84cdd3faa73f624",
      "25294ab2e35934c9bb67017ee374eb15cae9d2840b6b06329e80139e5dfba615",
      "af685dfa28a7b060de0ea3886e3fc96cc6485fd1bed2d734d9f0be132a6fe1ce",
    ],
    [
      "d6f273d8362978c621cf0c1262f17e868f2c6ab68ade147990d944d2fa4b5c60",
      "6c9b40aaaf19a5cce90333082eac1a50759cb7510bff68b7341cb12c421ede89",
      "630c336d6d9560d56e952c89920ea5b0070fed35b911733a18391ffc1d28b4e8",
    ],
  ]);
});

Deno.test("a log of these four entries, signed and countersigned, gives the proof of the standard byte for byte", async () => {
  const leaves = entries.map((entry) => leafHash(entryBytes(entry)));
  const { root, readTiles } = treeOf(leaves);
  const log = await createSigner("trust.example/log", LOG_KEY, LOG_JWK);
  const witness = await createSigner("witness.example", WITNESS_KEY, WITNESS_JWK);
  const vkeys = [log, witness].map(({ key }) => formatVerifierKey(key));
  assertEquals(vkeys, [
    "trust.example/log+c2310144+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea",
    "witness.example+67550f4e+BD1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM",
  ]);
  const text = formatCheckpoint({ origin: "trust.example/log", size: 4, root });
  const signatures = [await log.sign(text), await witness.sign(text, 1795442520)];
  const hashes = await readProof(inclusionSteps(0, 4), 4, readTiles);
  const checkpoint = formatNote({ text, signatures });
  const proof = formatProof({ extra: salt, index: 0, hashes, checkpoint });
  assertEquals(
    encodeHex(sha256Bytes(utf8(proof))),
    "3b6f5b1e529180531ef4f614cf06ad6b524b480e3f1a65073a36cce10d1f9f35",
  );
  const policy = parsePolicy(`log ${vkeys[0]}\nwitness other ${vkeys[1]}\nquorum other\n`);
  const opened = (extra: Uint8Array | null) =>
    extra && eventEntry({ record, size: 3, tip: "aa".repeat(32), salt: extra });
  const result = await verifyProof(proof, opened, policy, "trust.example/log");
  assertEquals(result.ok && result.checkpoint.cosignatures.map(({ time }) => time), [1795442520]);
  for (const size of [1, 2, 3]) {
    const old = treeOf(leaves.slice(0, size)).root;
    const proof = await readProof(consistencySteps(size, 4), 4, readTiles);
    assertEquals(
      isConsistent({ oldSize: size, oldRoot: old, newSize: 4, newRoot: root, proof }),
      true,
    );
  }
  assertEquals([edgeNodes(4).length, encodeBundle(entries.map(entryBytes)).length], [1, 264]);
});
