import { assertEquals } from "@std/assert";
import { encodeHex, utf8 } from "../../../lib/base/bytes.ts";
import { documentEntry } from "../log/mod.ts";
import { createMemory } from "./memory.ts";
import { policyOf, PUBLISHER, SALT, smallLog, testKeys } from "../testing/small_log.ts";
import { verifyDocument } from "./verify_document.ts";

const TIME = Date.UTC(2026, 0, 1) / 1000;
const AT = "2025-12-31T23:59:00.000Z";
const keys = await testKeys();
const hashOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  encodeHex(await crypto.subtle.digest("SHA-256", bytes));

const [original, issued, other] = ["original", "issued", "other"].map(utf8);
const about = {
  original: await hashOf(original),
  issued: await hashOf(issued),
};
const id = "7K3M9Q2XB4TW0ZRA";
const statements = [
  { n: 1, state: "registered" as const, ...about, issued: null },
  { n: 2, state: "withdrawn" as const, ...about },
];
const log = smallLog(
  statements.map((each) => documentEntry({ ...each, id, version: 1, salt: SALT })),
  keys,
);
const checkpoint = await log.checkpoint({ time: TIME });
const [first, second] = await Promise.all([0, 1].map((index) => log.proof(index, checkpoint)));

/** Verifies a file by what the publisher reports, without requests. */
async function verify(file: Uint8Array<ArrayBuffer>, proofs: (string | undefined)[]) {
  const match = {
    version: 1,
    registered_at: AT,
    log: {
      id,
      statements: proofs.map((log_proof, i) => ({ ...statements[i], at: AT, log_proof })),
    },
  };
  const { ok, state, sentence } = await verifyDocument({
    file,
    match,
    publisher: PUBLISHER,
    trust: { policy: policyOf(keys), memory: createMemory() },
    offline: true,
  });
  return [ok, state, sentence.tone];
}

Deno.test("a file is verified by the last statement about its own bytes", async () => {
  assertEquals(await verify(original, [first]), [true, "registered", "good"]);
  assertEquals(await verify(original, [first, second]), [true, "withdrawn", "good"]);
  assertEquals(await verify(issued, [first, second]), [true, "withdrawn", "good"]);
  assertEquals(await verify(issued, [first]), [false, null, "warning"]);
  assertEquals(await verify(other, [first, second]), [false, null, "warning"]);
  assertEquals(await verify(original, []), [false, null, "warning"]);
});

Deno.test("a statement without a proof is not in the log, and the proof of another one contradicts it", async () => {
  assertEquals(await verify(original, [undefined]), [true, "registered", "warning"]);
  assertEquals(await verify(original, [second]), [false, "registered", "warning"]);
});
