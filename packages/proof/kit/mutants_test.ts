import { assert, assertEquals } from "@std/assert";
import type { MutantReport } from "./testing/mutants_worker.ts";

/** Removals that change no result here, with the reason. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  "chain/head.ts form .regex(ORIGIN, ORIGIN_EXPECTED)":
    "isOrigin() matches the same pattern; this one is for the description of the API",
  "chain/head.ts failure false":
    "the WebCrypto of Deno accepts every x of 32 bytes as a key; that of others throws",
  "chain/ed25519.ts left operand y < P &&":
    "Deno itself rejects a y that is not reduced; Chromium, Node and OpenSSL do not",
};

/** The same for the log, by the reason. */
const LOG_WITHOUT_EFFECT: Readonly<Record<string, readonly string[]>> = {
  "another check refuses the same input": [
    "log/checkpoint.ts left operand undefined ||",
    "log/checkpoint.ts right operand || root === undefined",
    "log/checkpoint.ts right operand || size === undefined",
    "log/merkle.ts condition proof.length === 0",
    "log/merkle.ts left operand !isSize(index) ||",
    "log/merkle.ts left operand !isSize(oldSize) ||",
    "log/merkle.ts left operand !isSize(size) ||",
    "log/merkle.ts right operand && n >= 0",
    "log/merkle.ts right operand || !isSize(index)",
    "log/note.ts case of letters [0-9a-f]",
    "log/note.ts condition type !== LOG_KEY && !isWitnessKey({ type })",
    "log/note.ts left operand split < 0 ||",
    "log/note.ts right operand || !isKeyName(name)",
    "log/policy.ts condition name === undefined",
    "log/proof.ts condition split < 0",
    "log/verify.ts right operand && type === LOG_KEY",
    "log/verify.ts right operand || times.includes(0)",
    "verify/check_log.ts condition keys.length === 0",
  ],
  "a hash of another length never has the expected value": [
    "log/merkle.ts condition ![leaf, root, ...proof].every(isHash)",
    "log/merkle.ts condition ![oldRoot, newRoot, ...proof].every(isHash)",
  ],
  "the platform refuses the same keys and signatures": [
    "log/note.ts condition !isAllowedPoint(publicKey) || !isAllowedPoint(signature)",
    "log/note.ts condition bytes.length !== TIME_BYTES + signature",
    "log/note.ts condition signature.length !== ED25519_BYTES.signature",
    "log/note.ts failure false",
    "log/note.ts left operand !isAllowedPoint(publicKey) ||",
    "log/note.ts right operand || !Number.isSafeInteger(time)",
    "log/note.ts right operand || !isAllowedPoint(signature)",
  ],
  "an empty tree has no entry to prove": [
    "log/checkpoint.ts right operand && !isEqual(checkpoint.root, EMPTY_ROOT)",
  ],
  "JSON in UTF-8 has no lone surrogates": [
    "log/note.ts left operand !note.isWellFormed() ||",
    "log/note.ts right operand && name.isWellFormed()",
  ],
  "a limit of this implementation": [
    "log/note.ts condition !note.isWellFormed() || utf8(note).length > MAX_NOTE_BYTES",
    "log/note.ts condition lines.length > MAX_SIGNATURES",
    "log/note.ts right operand || utf8(note).length > MAX_NOTE_BYTES",
    "log/policy.ts condition text.length > MAX_POLICY",
    "log/proof.ts left operand text.length > MAX_PROOF ||",
  ],
  "the kit's logs offer no checkpoints besides the newest one, and every one is verified and compared":
    [
      "verify/check_log.ts condition !(error instanceof ChainReadError)",
      "verify/check_log.ts condition error instanceof FaultError",
      "verify/check_log.ts condition isBetter(newest, proof, policy)",
      "verify/check_log.ts condition isQuorate(proof, policy)",
      "verify/check_log.ts left operand null ||",
      "verify/check_log.ts left operand other.size > newest.size ||",
      "verify/check_log.ts right operand || !isBetter(other, proof, policy)",
      "verify/check_log.ts right operand || other.size > newest.size",
    ],
  "the kit has no key of ML-DSA-44": [
    "log/note.ts condition type === ML_DSA_KEY && publicKey.length !== ML_DSA_BYTES.key",
    "log/note.ts right operand && publicKey.length !== ML_DSA_BYTES.key",
  ],
};

for (
  const [part, least, withoutEffect] of [
    ["chain", 90, Object.keys(WITHOUT_EFFECT)],
    ["log", 150, Object.values(LOG_WITHOUT_EFFECT).flat()],
  ] as const
) {
  Deno.test(`the kit notices each check that is missing in the product's verifier of the ${part}, and each mistake`, async () => {
    const url = new URL("testing/mutants_worker.ts", import.meta.url);
    const worker = new Worker(url, { type: "module", name: part });
    try {
      const { failure, mutants, missed } = await new Promise<MutantReport>((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = reject;
      });
      assertEquals(failure, null);
      assert(mutants > least, `only ${mutants} checks were found`);
      assertEquals(missed, withoutEffect.toSorted());
    } finally {
      worker.terminate();
    }
  });
}
