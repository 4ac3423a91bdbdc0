import { importSigningKey, type PrivateJwk } from "../../packages/proof/mod.ts";
import type { Config } from "./config.ts";

/**
 * Returns a line for each signing key that cannot be used: its `x` does not match its `d`, or, in
 * production, another variable has the same key.
 */
export async function signingKeyProblems({ env, chain, log, witness }: Config): Promise<string[]> {
  const keys: [variable: string, keys: readonly PrivateJwk[]][] = [
    ["CHAIN_SIGNING_KEY", chain.signingKey === undefined ? [] : [chain.signingKey]],
    ["LOG_SIGNING_KEY", log.signingKeys],
    ["WITNESS_SIGNING_KEY", witness.signingKey === undefined ? [] : [witness.signingKey]],
  ];
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const [variable, jwks] of keys) {
    for (const jwk of jwks) {
      const other = seen.get(jwk.x);
      seen.set(jwk.x, variable);
      if (!await importSigningKey(jwk).then(() => true, () => false)) {
        problems.push(`${variable}: should be a key whose x matches its d`);
      } else if (env === "production" && other !== undefined) {
        problems.push(`${variable}: should differ from the key in ${other}`);
      }
    }
  }
  return problems;
}
