import { assertEquals, assertThrows } from "@std/assert";
import { encodeHex, utf8 } from "../../../lib/base/bytes.ts";
import {
  consistencySteps,
  createSigner,
  documentEntry,
  entryBytes,
  eventEntry,
  formatCheckpoint,
  formatNote,
  formatProof,
  formatVerifierKey,
  inclusionSteps,
  isConsistent,
  leafHash,
  LOG_KEY,
  readProof,
  rootOf,
  sha256Bytes,
  WITNESS_KEY,
} from "./mod.ts";
import { growTree } from "../testing/trees.ts";
import {
  ENTRIES,
  LOG_JWK,
  LOG_VKEY,
  ORIGIN,
  PROOF,
  salt,
  TIME,
  WITNESS_JWK,
  WITNESS_VKEY,
} from "../testing/worked_example.ts";

Deno.test("entries of an event, a document, a key set and the completion have the slots, commitments and leaves of the standard", () => {
  const shown = ENTRIES.map((entry) => [
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
  const leaves = ENTRIES.map((entry) => leafHash(entryBytes(entry)));
  const { edges, root, readTiles } = growTree(leaves);
  const log = await createSigner(ORIGIN, LOG_KEY, LOG_JWK);
  const witness = await createSigner("witness.example", WITNESS_KEY, WITNESS_JWK);
  assertEquals([log, witness].map(({ key }) => formatVerifierKey(key)), [LOG_VKEY, WITNESS_VKEY]);
  const text = formatCheckpoint({ origin: ORIGIN, size: 4, root });
  const signatures = [await log.sign(text), await witness.sign(text, TIME)];
  const hashes = await readProof(inclusionSteps(0, 4), 4, readTiles);
  const checkpoint = formatNote({ text, signatures });
  const proof = formatProof({ extra: salt, index: 0, hashes, checkpoint });
  assertEquals(proof, PROOF);
  assertEquals(
    encodeHex(sha256Bytes(utf8(proof))),
    "3b6f5b1e529180531ef4f614cf06ad6b524b480e3f1a65073a36cce10d1f9f35",
  );
  for (const oldSize of [1, 2, 3]) {
    const proof = await readProof(consistencySteps(oldSize, 4), 4, readTiles);
    const oldRoot = rootOf(edges[oldSize]);
    assertEquals(isConsistent({ oldSize, oldRoot, newSize: 4, newRoot: root, proof }), true);
  }
});

Deno.test("a salt or hash of another length is not part of an entry, so that no two statements have the same one", () => {
  const hash = "ab".repeat(32);
  const event = { record: hash, size: 1, tip: hash, salt: new Uint8Array(32) };
  const document = { id: "a", n: 1, version: 1, state: "registered", original: hash } as const;
  const wrong = new Uint8Array(33);
  assertThrows(() => eventEntry({ ...event, salt: wrong }), RangeError, "32 bytes, not 33");
  assertThrows(() => eventEntry({ ...event, tip: "ab" }), RangeError, "32 bytes, not 1");
  for (
    const change of [{ salt: wrong }, { original: `${hash}ab` }, { issued: "ab" }]
  ) {
    const statement = { ...document, issued: null, salt: new Uint8Array(32), ...change };
    assertThrows(() => documentEntry(statement), RangeError, "Expected 32 bytes");
  }
});
