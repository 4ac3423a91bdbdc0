/** The texts below the sample chain that say why it verifies or fails. */
import type { ChainVerification } from "../../packages/proof/mod.ts";
import { Seal } from "../chain/Seal.tsx";
import { FAULT_MEANINGS } from "../chain/fault_meanings.ts";

/** Why the browser could not verify the sample. */
export type SampleProblem = "insecure" | "unreachable";

const PROBLEMS: Record<SampleProblem, string> = {
  insecure: "Browsers verify signatures only over HTTPS, and this page was opened without it.",
  unreachable: "The verifier could not be loaded. Check your connection, and change a byte again.",
};

export interface SampleVerdictProps {
  /** The number of events in the unchanged chain. */
  size: number;
  /** Null until the browser has verified the chain. */
  result: ChainVerification | null;
  /** True if the text of an event differs from the original. */
  changed: boolean;
  /** True if the recorded hashes differ from the original ones. */
  recomputed: boolean;
  problem: SampleProblem | null;
}

/** The outcome of verifying the sample, announced after each change. */
export function SampleVerdict(props: SampleVerdictProps) {
  const { result, problem } = props;
  const kind = problem !== null ? "open" : result === null || result.ok ? "good" : "bad";
  const [heading, text] = verdictOf(props);
  return (
    <div class={`sample-verdict stack ${kind}`} role="status">
      <Seal kind={kind} key={kind} />
      <p class="sample-heading below-2">{heading}</p>
      <p class="flush muted">{text}</p>
    </div>
  );
}

function verdictOf(
  { size, result, changed, recomputed, problem }: SampleVerdictProps,
): [heading: string, text: string] {
  if (problem !== null) return ["Not verified", PROBLEMS[problem]];
  if (result === null) {
    return [
      `Verified: ${size} events`,
      "Every hash follows from the one before it, and the signature covers the last one.",
    ];
  }
  if (result.ok && changed) {
    return [
      `Verified: ${result.size} events`,
      "Your change makes no difference: the JSON is only written differently. Its canonical form, " +
      "which is hashed, is the same.",
    ];
  }
  if (result.ok) {
    return [
      `Verified: ${result.size} events`,
      "Your browser recomputed every hash and checked the signature.",
    ];
  }
  if (result.code === "bad_tip") {
    return [
      "Not verified: the signature",
      "The hashes are consistent again, but the signature covers the last hash of the unchanged " +
      "chain. For a real chain, only the publisher's private key can sign another one.",
    ];
  }
  const where = result.seq === undefined ? "the signed head" : `event ${result.seq}`;
  const next = result.code === "bad_hash" && !recomputed
    ? " Recompute the hashes to see whether that hides the change."
    : "";
  return [`Not verified: ${where}`, FAULT_MEANINGS[result.code] + next];
}
