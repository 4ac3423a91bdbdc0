/**
 * The public log of a publisher: what every commit of an event, a document and a key set adds, and the job
 * that publishes it (standard, "Transparency log"). For servers; `packages/proof` has the formats.
 *
 * @module
 */
import { SECOND_MS } from "../../base/time.ts";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { ifWritable } from "../../platform/kv/mod.ts";
import type { Surfaces } from "../../platform/surfaces/mod.ts";
import { formatVerifierKey, type LogEntry, type NoteSigner } from "../../../packages/proof/mod.ts";
import type { Witness } from "./store/ask_witness.ts";
import { openLogKeys } from "./store/keys.ts";
import { moveLog } from "./store/move.ts";
import { LogOriginError } from "./store/origin.ts";
import { addPending, indexesOf } from "./store/pending.ts";
import { logOrigin } from "./store/tables.ts";
import type { LogConfig } from "./variables.ts";

export { ChainBehindLogError } from "./store/pending.ts";
export { createAddKeys } from "./store/key_sets.ts";
export { anchorProblem, configuredAnchor, configuredWitnesses, originOf } from "./open.ts";
export { chainLogPage, chainLogQuerySchema, chainLogSchema } from "./store/chain_log.ts";
export { openLogKeys } from "./store/keys.ts";
export { beginAgain, moveLog } from "./store/move.ts";
export { indexOfSlot, type Neighbours, readNeighbours } from "./store/neighbours.ts";
export { LogOriginError } from "./store/origin.ts";
export { publishedAt } from "./store/publish.ts";
export { recoverLog } from "./store/recover.ts";
export { findLost, type Lost } from "./store/lost.ts";
export { restoreChains } from "./store/restore_chain.ts";
export {
  firstPublished,
  type LogStatus,
  readDays,
  readLogState,
  readStatus,
  type WitnessStatus,
} from "./store/status.ts";
export type { LogProofs } from "./store/proofs.ts";
export { LANES, putPending } from "./store/pending.ts";
export type { Witness } from "./store/ask_witness.ts";

/** How long another site of development may take to answer. */
const OTHER_SITE_MS = 2 * SECOND_MS;

/**
 * Compares the log's stored name with the trust host, before the site serves. Development moves the log, for
 * example if it is started with another port, unless a site that has it is still running with this store.
 *
 * @returns the name of the log of that site; null if the log is this one's
 * @throws {LogOriginError} (rejects) in production if the store has a log of another host
 */
export async function checkOrigin(
  { config, kv, clock, fetch, publicLog, surfaces }: {
    config: { env: "development" | "production"; log: LogConfig };
    kv: Deno.Kv;
    clock: () => number;
    fetch: typeof globalThis.fetch;
    publicLog: Log;
    surfaces: Surfaces;
  },
): Promise<string | null> {
  const { value: stored } = await logOrigin.get(kv);
  const { origin } = publicLog;
  if (surfaces.get("trust") === undefined || stored === null || stored.origin === origin) {
    return null;
  }
  if (config.env === "production") throw new LogOriginError(stored.origin);
  const signers = (from: string) => openLogKeys(kv, config.log.signingKeys, from);
  const keys = await ifWritable(() => signers(stored.origin)) ?? [];
  if (await isServed(stored.origin, keys, fetch)) return stored.origin;
  await ifWritable(() => moveLog({ kv, clock, origin, signers }));
  return null;
}

/** Returns whether a site on this machine serves the log with these keys. */
async function isServed(
  origin: string,
  keys: readonly NoteSigner[],
  fetch: typeof globalThis.fetch,
): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(OTHER_SITE_MS);
    const response = await createLocalFetch(fetch)(`http://${origin}/policy`, { signal });
    const policy = await response.text();
    return response.ok && keys.some(({ key }) => policy.includes(formatVerifierKey(key)));
  } catch {
    return false; // nothing listens there
  }
}

/** The log of a publisher, for those who write to it. */
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
  /** Returns the indexes of entries in the log; null for those that it does not have yet. */
  indexesOf(entries: readonly LogEntry[]): Promise<(number | null)[]>;
  /** Runs the job soon, after a commit with entries. */
  nudge(): void;
}

interface LogOptions extends Omit<Log, "add" | "indexesOf"> {
  kv: Deno.Kv;
  clock: () => number;
}

/** Creates the log that commits add entries to. */
export const createLog = ({ kv, clock, ...log }: LogOptions): Log => ({
  ...log,
  indexesOf: (entries) => indexesOf(kv, entries),
  async add(commit, entries) {
    await addPending(kv, commit, entries, clock());
    log.nudge();
  },
});
