import { assert, assertEquals } from "@std/assert";
import type { MutantReport } from "./mutants_worker.ts";

/** Removals that change no result here, with the reason. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  "chain/head.ts form .regex(ORIGIN, ORIGIN_EXPECTED)":
    "isOrigin() matches the same pattern; this one is for the description of the API",
  "chain/head.ts failure false":
    "the WebCrypto of Deno accepts every x of 32 bytes as a key; that of others throws",
  "chain/ed25519.ts left operand y < P &&":
    "Deno itself rejects a y that is not reduced; Chromium, Node and OpenSSL do not",
};

Deno.test("the kit notices each check that is missing in the product's verifier", async () => {
  const worker = new Worker(new URL("mutants_worker.ts", import.meta.url), { type: "module" });
  try {
    const { failure, mutants, missed } = await new Promise<MutantReport>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = reject;
    });
    assertEquals(failure, null);
    assert(mutants > 90, `only ${mutants} checks were found`);
    assertEquals(missed, Object.keys(WITHOUT_EFFECT).sort());
  } finally {
    worker.terminate();
  }
});
