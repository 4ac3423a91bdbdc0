/**
 * The faults that a monitor finds.
 *
 * @module
 */
import type { ChainVerification } from "../chain/mod.ts";
import type { LogFault } from "../verify/mod.ts";

/**
 * The faults that a monitor reports:
 *
 * - those of checkpoints: malformed, of another log or key, wrong signature, too few countersignatures
 * - `log_unreachable`: a file cannot be read
 * - `log_inconsistent`: two signed trees of which neither extends the other, which proves misconduct
 * - `log_shrank`: an older checkpoint than one that was seen before
 * - `log_bundles`: the entries, or the tiles, are not those of the signed tree
 * - `log_fork`: two commitments for one slot, or another one than that of a saved chain
 * - `log_keys`: a set of keys that is not what was logged
 * - `log_stale`: no new checkpoint for three hours
 * - `log_withheld`: somebody has a larger tree than the log shows here
 * - `log_missing`, `log_late`: a size of a chain is not in the log, or was added too late
 * - `log_inclusion`: the proof of a saved chain does not open any of its sizes
 * - those of chains: a saved chain does not verify
 */
export type MonitorFault =
  | LogFault
  | (ChainVerification & { ok: false })["code"]
  | "log_unreachable"
  | "log_shrank"
  | "log_bundles"
  | "log_fork"
  | "log_keys"
  | "log_stale"
  | "log_withheld"
  | "log_late";

/** A fault of the log that a monitor has found. */
export interface Finding {
  fault: MonitorFault;
  message: string;
  evidence?: Evidence;
}

/** The proof of a fault: the content of files, by their names. */
export type Evidence = Readonly<Record<string, string>>;

/** The file with two signed checkpoints of which neither extends the other. */
export const CONTRADICTION = "contradiction.json";

/** A fault that ends the check of a checkpoint. */
export class MonitorError extends Error {
  readonly finding: Finding;

  constructor(fault: MonitorFault, message: string, evidence?: Evidence) {
    super(message);
    this.finding = { fault, message, ...evidence && { evidence } };
  }
}
