/** A witness with a local HTTP server and a store in memory, for tests. */
import { serve } from "../../../platform/http/serve.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import {
  createSigner,
  formatVerifierKey,
  generatePrivateJwk,
  type PolicyLog,
  type VerifierKey,
  WITNESS_KEY,
} from "../../../../packages/proof/mod.ts";
import { policyLine } from "../responses.ts";
import { createWitnessHandler } from "../server.ts";
import { createWitness, type Witness, type WitnessLimits } from "../witness.ts";

/** A witness on a port of loopback, with its store in memory. */
interface TestWitness extends AsyncDisposable {
  witness: Witness;
  /** The start of its addresses, with a slash at the end. */
  url: string;
  /** Its key as text. */
  vkey: string;
  /** Its line for a policy. */
  policyLine: string;
  /** Its store. */
  kv: Deno.Kv;
  /** The logs that it countersigns, which a test may change. */
  logs: PolicyLog[];
}

interface TestWitnessOptions {
  name?: string;
  /** The keys of the logs that it countersigns. */
  logs?: readonly VerifierKey[];
  /** A store that the test closes itself. */
  kv?: Deno.Kv;
  clock?: () => number;
  /** Default: none. */
  limits?: WitnessLimits;
}

/**
 * Starts a witness for tests, on any free port.
 *
 * @example
 * ```ts
 * await using witness = await startTestWitness({ logs: [logKey] });
 * const response = await fetch(`${witness.url}add-checkpoint`, { method: "POST", body });
 * ```
 */
export async function startTestWitness(
  {
    name = "witness.example",
    logs: keys = [],
    kv: given,
    clock,
    limits = { growth: 0, requests: 0 },
  }: TestWitnessOptions = {},
): Promise<TestWitness> {
  const kv = given ?? await openKv(":memory:");
  const logs: PolicyLog[] = keys.map((key) => ({ key, url: null }));
  const signer = await createSigner(name, WITNESS_KEY, await generatePrivateJwk());
  const witness = createWitness({ kv, signer, clock, limits, logs: () => Promise.resolve(logs) });
  const log = (entry: Record<string, unknown>) => console.error(JSON.stringify(entry));
  const handler = createWitnessHandler(witness, { url: () => url, trustProxy: 0, log });
  const server = serve({ hostname: "127.0.0.1", port: 0, log }, handler);
  const url = `http://127.0.0.1:${server.addr.port}/`;
  return {
    witness,
    kv,
    url,
    vkey: formatVerifierKey(signer.key),
    policyLine: policyLine(witness, url),
    logs,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      if (given === undefined) kv.close();
    },
  };
}
