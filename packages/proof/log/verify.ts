/**
 * Verifies checkpoints and proofs by a reader's policy.
 *
 * @module
 */
import { fail, type Failure } from "../../../lib/base/result.ts";
import { parseCheckpoint, type SignedCheckpoint } from "./checkpoint.ts";
import { entryBytes, type LogEntry, SALT_BYTES } from "./entries.ts";
import { isIncluded, leafHash } from "./merkle.ts";
import { isChecked, LOG_KEY, type NoteSignature, verifyNote } from "./note.ts";
import { type Policy, type PolicyWitness, quorumProblem, satisfiesQuorum } from "./policy.ts";
import { type LogProof, parseProof } from "./proof.ts";

/** A countersignature by a witness of the reader's policy. */
export interface Cosignature {
  witness: PolicyWitness;
  /** Seconds since 1970, as the witness states it. */
  time: number;
}

/** A checkpoint that satisfies a policy. */
export interface VerifiedCheckpoint extends SignedCheckpoint {
  /** The earliest first. A witness that signed more than once is in it once, with its earliest time. */
  cosignatures: Cosignature[];
}

type CheckpointFault = "log_malformed" | "log_unknown" | "log_signature" | "log_quorum";

type CheckpointResult =
  | { ok: true; checkpoint: VerifiedCheckpoint }
  | Failure<CheckpointFault>;

/**
 * Verifies a checkpoint by the reader's policy: its origin is the name of a key of the policy's logs, that
 * key has signed it, no signature of a known key is wrong, and the witnesses satisfy the quorum.
 *
 * @param origin the log that the reader expects
 */
export async function verifyCheckpoint(
  text: string,
  policy: Policy,
  origin: string,
): Promise<CheckpointResult> {
  const checkpoint = parseCheckpoint(text);
  if (checkpoint === null) {
    return fail("log_malformed", { message: "The checkpoint is malformed." });
  }
  const logKeys = policy.logs.map(({ key }) => key)
    .filter(({ name, type }) => name === origin && type === LOG_KEY);
  if (checkpoint.origin !== origin) {
    return fail("log_unknown", {
      message: `${checkpoint.origin} is not the log that is expected.`,
    });
  }
  const isByLog = ({ name, id }: NoteSignature) =>
    logKeys.some((key) => key.name === name && key.id === id);
  if (!checkpoint.note.signatures.some(isByLog)) {
    return fail("log_unknown", { message: "None of the log's known keys has signed." });
  }
  const witnessKeys = policy.witnesses.map(({ key }) => key).filter(isChecked);
  const verified = await verifyNote(checkpoint.note, [...logKeys, ...witnessKeys]);
  if (verified === null) {
    return fail("log_signature", { message: "A signature of a known key is not valid." });
  }
  const cosignatures = policy.witnesses.flatMap((witness): Cosignature[] => {
    const times = verified.filter(({ key }) => key === witness.key).map(({ time }) => time ?? 0);
    return times.length === 0 || times.includes(0) ? [] : [{ witness, time: Math.min(...times) }];
  }).sort((a, b) => a.time - b.time);
  const names = new Set(cosignatures.map(({ witness }) => witness.name));
  if (!satisfiesQuorum(policy, names)) {
    return fail("log_quorum", { message: quorumProblem(policy) });
  }
  return { ok: true, checkpoint: { ...checkpoint, cosignatures } };
}

type ProofResult =
  | { ok: true; checkpoint: VerifiedCheckpoint; proof: LogProof }
  | Failure<CheckpointFault | "log_inclusion">;

/**
 * Verifies that an entry is in a log.
 *
 * @param text a proof as `formatProof` returns it
 * @param entryOf returns the entry that must be in the log, from the proof's `extra`, which is a `log_salt`
 * of 32 bytes or null; returns null if it needs the other
 * @param origin the log that the reader expects
 */
export async function verifyProof(
  text: string,
  entryOf: (extra: LogProof["extra"]) => LogEntry | null,
  policy: Policy,
  origin: string,
): Promise<ProofResult> {
  const proof = parseProof(text);
  const isSalt = proof !== null && (proof.extra === null || proof.extra.length === SALT_BYTES);
  const entry = isSalt ? entryOf(proof.extra) : null;
  if (proof === null || entry === null) {
    return fail("log_malformed", { message: "The proof is malformed." });
  }
  const verified = await verifyCheckpoint(proof.checkpoint, policy, origin);
  if (!verified.ok) return verified;
  const { checkpoint } = verified;
  const { size, root } = checkpoint;
  const { index, hashes } = proof;
  const leaf = leafHash(entryBytes(entry));
  return isIncluded({ index, size, leaf, proof: hashes, root })
    ? { ok: true, checkpoint, proof }
    : fail("log_inclusion", { message: "The entry is not in the log at this index." });
}
