/**
 * The public log of a publisher: what every commit of an event, a document and a key set adds, and the job
 * that publishes it (standard, "Transparency log"). For servers; `core.ts` has the formats.
 *
 * @module
 */
import type { LogEntry } from "./entries.ts";
import type { NoteSigner } from "./note.ts";
import type { Witness } from "./store/ask_witness.ts";
import { addPending } from "./store/pending.ts";

export { ChainBehindLogError, LogHaltedError } from "./store/pending.ts";
export { createAddKeys } from "./store/key_sets.ts";
export { BACKFILL } from "./store/backfill.ts";
export { LANES, putPending } from "./store/pending.ts";
export type { Witness } from "./store/ask_witness.ts";

export interface Log {
  /** The name of the log and of its keys: the trust host, followed by `/log`. */
  origin: string;
  /** Opens the keys that sign checkpoints. */
  signers(): Promise<readonly NoteSigner[]>;
  /** The witnesses that are asked. */
  witnesses(): Promise<readonly Witness[]>;
  /**
   * Adds entries to the commit of what they state. The job runs soon.
   *
   * @throws {ChainBehindLogError} (rejects) if the log has one of their slots already
   * @throws {LogHaltedError} (rejects) if the log is halted
   */
  add(commit: Deno.AtomicOperation, entries: readonly LogEntry[]): Promise<void>;
  /** Runs the job soon, after a commit with entries. */
  nudge(): void;
}

export interface LogOptions extends Omit<Log, "add"> {
  kv: Deno.Kv;
  clock: () => number;
}

export const createLog = ({ kv, clock, ...log }: LogOptions): Log => ({
  ...log,
  async add(commit, entries) {
    await addPending(kv, commit, entries, clock());
    log.nudge();
  },
});
