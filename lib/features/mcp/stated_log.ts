import type { ChainServices } from "../chain/feature.ts";
import type { LogServices } from "../log/feature.ts";
import {
  chainStatements,
  checkLog,
  createMemory,
  logSentence,
  parsePolicy,
} from "../../../packages/proof/mod.ts";
import type { StatedLog, StoredChain } from "./tool.ts";

type Below = ChainServices & LogServices & { clock: () => number };

/** Says what the log has of a chain, by the policy that this server suggests. Only the proof can be checked. */
export async function statedLog(
  { chains: { publisher }, logProofs, logFiles, clock }: Below,
  { hash, events }: StoredChain,
): Promise<StatedLog> {
  const [proof, policy] = await Promise.all([
    logProofs.ofChain(hash, events.length).then((found) => found?.read() ?? null),
    logFiles.policy(),
  ]);
  const now = clock();
  const finding = await checkLog({
    origin: `${publisher}/log`,
    statements: chainStatements(hash, events),
    proof,
    trust: { policy: parsePolicy(policy), memory: createMemory() },
    asOf: now,
    now,
  });
  return {
    log_proof: proof,
    log:
      `${
        logSentence(finding).text
      } This line is the server's own statement; log_proof can be checked ` +
      "without trusting it.",
  };
}
