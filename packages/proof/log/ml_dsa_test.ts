import { assertEquals } from "@std/assert";
import { ml_dsa44 } from "@noble/post-quantum/ml-dsa.js";
import { concatBytes, encodeHex } from "../../../lib/base/bytes.ts";
import { formatNote, formatVerifierKey, parseCheckpoint, parsePolicy } from "./mod.ts";
import { cosignedMessage } from "./ml_dsa.ts";
import { ML_DSA_KEY, type NoteSignature, verifierKey } from "./note.ts";
import { parseProof } from "./proof.ts";
import { LOG_VKEY, ORIGIN, PROOF, TIME } from "../testing/worked_example.ts";
import { verifyCheckpoint } from "./verify.ts";

const { secretKey, publicKey } = ml_dsa44.keygen(new Uint8Array(32).fill(1));
const key = verifierKey("pq.example", ML_DSA_KEY, Uint8Array.from(publicKey));
const { note } = parseCheckpoint(parseProof(PROOF)!.checkpoint)!;

function sign(time: number, name = key.name): NoteSignature {
  const stamp = new Uint8Array(8);
  new DataView(stamp.buffer).setBigUint64(0, BigInt(time));
  const signature = ml_dsa44.sign(cosignedMessage(name, note.text, time)!, secretKey);
  return { name: key.name, id: key.id, bytes: concatBytes([stamp, Uint8Array.from(signature)]) };
}

/** Returns the names of those who have countersigned, or the fault. */
async function verify(signatures: readonly NoteSignature[], quorum: string, vkey = key) {
  const policy = parsePolicy(
    `log ${LOG_VKEY}\nwitness pq ${formatVerifierKey(vkey)}\nquorum ${quorum}`,
  );
  const text = formatNote({ ...note, signatures: [note.signatures[0], ...signatures] });
  const result = await verifyCheckpoint(text, policy, ORIGIN);
  return result.ok
    ? result.checkpoint.cosignatures.map(({ time }) => time)
    : [result.error, result.message];
}

Deno.test("a witness signs the label, its name, the time, the origin, and the tree from 0 to its size", () => {
  const text = `a/log\n258\n${"A".repeat(43)}=\nextension\n`;
  assertEquals(
    encodeHex(cosignedMessage("w", text, 3)!),
    "737562747265652f76310a00" + "0177" + "0000000000000003" + "05612f6c6f67" +
      "0000000000000000" + "0000000000000102" + "00".repeat(32),
  );
  assertEquals(cosignedMessage("w".repeat(256), text, 3), null);
  assertEquals(cosignedMessage("w", "a\nb\nc\n", 3), null);
});

Deno.test("a countersignature by ML-DSA-44 counts, and a wrong one is a fault", async () => {
  assertEquals(await verify([sign(TIME)], "pq"), [TIME]);
  const invalid = ["log_signature", "A signature of a known key is not valid."];
  const wrong = [
    sign(TIME, "other.example"),
    { ...sign(TIME), bytes: sign(TIME + 1).bytes.with(7, sign(TIME).bytes[7]) },
    { ...sign(TIME), bytes: sign(TIME).bytes.slice(1) },
    { ...sign(TIME), bytes: new Uint8Array(8 + 64).fill(1) },
  ];
  for (const each of wrong) assertEquals(await verify([each], "none"), invalid);
});

Deno.test("a witness with a key of a later algorithm counts as absent, and the message says so", async () => {
  const later = verifierKey("later.example", 7, new Uint8Array(100).fill(2));
  const line = { ...sign(TIME), name: later.name, id: later.id };
  assertEquals(await verify([line], "none", later), []);
  assertEquals(await verify([line], "pq", later), [
    "log_quorum",
    "Too few of the known witnesses have countersigned. The lines of pq were not checked, because " +
    "the algorithm of that key is not supported here yet.",
  ]);
});

Deno.test("a note of 16 signatures by ML-DSA-44 is read", async () => {
  const names = Array.from({ length: 15 }, (_, i) => `witness-${i}.with-a-long-name.example/path`);
  const others = names.map((name) => ({ ...sign(TIME), name }));
  assertEquals(await verify([...others, sign(TIME)], "pq"), [TIME]);
});
