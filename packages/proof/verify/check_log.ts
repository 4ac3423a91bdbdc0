/**
 * Checks whether statements are in a public log, by the reader's own policy and memory.
 *
 * @module
 */
import type { Bytes } from "../../../lib/base/bytes.ts";
import { MINUTE_MS } from "../../../lib/base/time.ts";
import { ChainReadError } from "../chain/mod.ts";
import {
  type Cosignature,
  entryBytes,
  formatProof,
  formatVerifierKey,
  inclusionSteps,
  isIncluded,
  leafHash,
  type LogEntry,
  type LogProof,
  parseCheckpoint,
  parsePolicy,
  parseProof,
  parseVerifierKey,
  type Policy,
  quorumProblem,
  readProof as readHashes,
  SALT_BYTES,
  satisfiesQuorum,
  type VerifiedCheckpoint,
  type VerifierKey,
  verifyCheckpoint,
} from "../log/mod.ts";
import { type Contradiction, findContradiction } from "./compare.ts";
import type { LogReader } from "./log_reader.ts";
import type { LogMemory } from "./memory.ts";

/** The parties that a reader trusts. */
export interface ReaderTrust {
  /**
   * The reader's own policy: whose countersignatures count, and the keys of logs that the reader knows. A policy
   * that a publisher serves is only a suggestion.
   */
  policy: Policy;
  /** The keys that were seen first, and the newest checkpoints. */
  memory: LogMemory;
  /**
   * Returns the keys of the log, as somebody else states them. They are used and remembered if the reader knows
   * none. Default: reads the policy that the log serves.
   */
  suggest?(): Promise<readonly VerifierKey[]>;
  /** True to accept other keys than the remembered ones. The remembered checkpoint is forgotten with them. */
  acceptKey?: boolean;
}

/** One statement that should be in the log, such as a chain at one of its sizes. */
export interface Statement {
  /** When it was made, in ISO 8601. */
  at: string;
  /** @param salt the `log_salt` of the proof */
  entryOf(salt: Uint8Array): LogEntry;
}

/** The statements to check, and where their log is. */
export interface LogQuestion {
  /** The name of the log: the publisher, followed by `/log`. */
  origin: string;
  /** Every statement so far, the oldest first. They must have been verified. */
  statements: readonly Statement[];
  /** The proof as it was received: a text, or anything else if there is none. */
  proof: unknown;
  trust: ReaderTrust;
  /** Reads the log's newest files. Undefined if nothing may be requested. */
  log?: LogReader;
  /** The time to compare with, in milliseconds since 1970: now, or when a file was saved. */
  asOf: number;
  /** The reader's clock, in milliseconds since 1970. */
  now: number;
}

export type LogFault =
  | "log_malformed"
  | "log_unknown"
  | "log_signature"
  | "log_quorum"
  | "log_inclusion"
  | "log_inconsistent"
  | "log_missing";

/** A reader's findings about statements in a log. {@link logSentence} says it in one sentence. */
export interface LogFinding {
  origin: string;
  /** The number of statements. */
  size: number;
  /** The largest number of statements whose proof is valid; 0 for none. */
  logged: number;
  /** True if all later ones are so new that they need not be in the log yet. */
  fresh: boolean;
  /** True if that was so when a file was saved, which is longer ago, so that it shows nothing about them now. */
  outdated: boolean;
  /** Where the last logged statement is, and the key that has signed that; null without a valid proof. */
  place: { index: number; size: number; keyId: string } | null;
  /**
   * The earliest countersignature by a witness of the reader's policy, in the proof or, if only that satisfies the
   * policy, in the newest checkpoint that does; null if there is none.
   */
  countersigned: Countersignature | null;
  /**
   * A proof against the newest checkpoint that satisfies the reader's policy better than the proof that was
   * received; null if there is none. In a saved file, it takes the place of that one.
   */
  renewed: string | null;
  /**
   * When the log was countersigned last, in ISO 8601, if that is longer ago than it should be; otherwise null.
   * Always null if the log was not read.
   */
  staleSince: string | null;
  /** `log`: compared with the newest checkpoint of the log; `proof`: only the proof itself was checked. */
  checked: "log" | "proof";
  /** Why the log could not be read, although it was tried. */
  unread: string | null;
  fault: { code: LogFault; message: string } | null;
  /** Two checkpoints that contradict each other. */
  contradiction: Contradiction | null;
  /** The keys by which the log is known here, as text. */
  keys: string[];
  /** True if this check has remembered them: the first that were seen, or accepted ones. */
  isNewKey: boolean;
}

/** The signature of a witness on a checkpoint. */
export interface Countersignature {
  /** The witness's name in the reader's policy. */
  name: string;
  /** In ISO 8601. */
  at: string;
  /** True if the log's operator runs the witness too, so that it proves nothing against it. */
  own: boolean;
}

/** The time in which everything must be in the log (standard, "Transparency log"). */
export const LOG_DELAY_MS = 10 * MINUTE_MS;

/** The most checkpoints besides the newest one that are verified. */
const MOST_OTHERS = 8;

/** A log publishes a checkpoint at least every hour. */
const STALE_MS = 180 * MINUTE_MS;

/** A checkpoint with the text that it was read from. */
type ReadCheckpoint = VerifiedCheckpoint & { full: string };

/** Stops a check with a fault. */
class FaultError extends Error {
  constructor(
    readonly code: LogFault,
    message: string,
    readonly contradiction: Contradiction | null = null,
  ) {
    super(message);
  }
}

/**
 * Checks whether statements are in a public log, by the reader's own policy and memory. If the log can be read,
 * the proof is also compared with its newest checkpoint. Malformed input yields a fault, never an exception.
 *
 * The newest checkpoint is remembered, unless it contradicts the remembered one.
 */
export async function checkLog(question: LogQuestion): Promise<LogFinding> {
  const { origin, statements, now, log } = question;
  const finding: LogFinding = {
    origin,
    size: statements.length,
    logged: 0,
    fresh: isFresh(question, 0),
    outdated: now - question.asOf >= LOG_DELAY_MS,
    place: null,
    countersigned: null,
    renewed: null,
    staleSince: null,
    checked: "proof",
    unread: null,
    fault: null,
    contradiction: null,
    keys: [],
    isNewKey: false,
  };
  try {
    const { checkpoint: remembered } = await question.trust.memory.read(origin) ??
      { checkpoint: null };
    // Without a proof, and with nothing to compare it with, the log says nothing about these statements.
    const isNeeded = (question.proof ?? null) !== null || remembered !== null;
    const keys = isNeeded ? await keysOf(question, finding) : [];
    finding.keys = keys.map(formatVerifierKey);
    const policy = { ...question.trust.policy, logs: keys.map((key) => ({ key, url: null })) };
    const read = async (text: string) => await readCheckpoint(text, policy, origin);

    let newest: ReadCheckpoint | null = null;
    if (log !== undefined && keys.length > 0) {
      try {
        newest = await read(await log.checkpoint());
        finding.checked = "log";
      } catch (error) {
        if (!(error instanceof ChainReadError)) throw error;
        finding.unread = error.message;
      }
    }
    const proof = await readProof(question, finding, keys, read);
    if (proof !== null && finding.logged > 0) {
      accept(question, finding, keys, proof.checkpoint, proof.index);
    }
    // It may be signed by a key that was withdrawn since, but it was verified when it was kept.
    const kept = remembered === null || finding.isNewKey ? null : parseCheckpoint(remembered);
    const known = kept === null ? null : { ...kept, full: remembered! };
    const checkpoints = [known, proof?.checkpoint ?? null, newest];
    try {
      await compare(checkpoints, newest === null ? undefined : log);
      await remember(question, keys, [known, newest, known === null ? proof?.checkpoint : null]);
    } catch (error) {
      if (!(error instanceof ChainReadError)) throw error;
      Object.assign(finding, { checked: "proof", unread: error.message });
    }

    if (newest !== null) finding.staleSince = staleSince(newest, proof?.checkpoint ?? null, now);
    let isAccepted = proof === null || isQuorate(proof.checkpoint, policy);
    const isCompared = finding.checked === "log" && finding.logged > 0;
    const better = isCompared
      ? await findBetter({ newest: newest!, proof: proof!.checkpoint, policy, log: log!, read })
      : null;
    if (better !== null) {
      isAccepted = true;
      accept(question, finding, keys, better, proof!.index);
      finding.renewed = await renew(question, proof!, better);
    }
    if (!isAccepted) {
      throw new FaultError("log_quorum", quorumProblem(policy));
    }
    if (proof !== null && finding.logged === 0) {
      throw new FaultError("log_inclusion", "The proof is not of one of these statements.");
    }
    if (finding.logged < finding.size && !finding.fresh) {
      const missing = finding.size - finding.logged;
      throw new FaultError("log_missing", `${missing} of ${finding.size} are not in the log.`);
    }
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    finding.fault = { code: error.code, message: error.message };
    finding.contradiction = error.contradiction;
  }
  return finding;
}

/** Returns whether all statements after the first ones are less than 10 minutes old. */
const isFresh = ({ statements, asOf }: LogQuestion, logged: number): boolean =>
  statements.slice(logged).every(({ at }) => Math.abs(asOf - Date.parse(at)) < LOG_DELAY_MS);

/**
 * Returns the keys by which the log is known: those of the policy, else the remembered ones, else those that are
 * suggested, which are then remembered. Empty if none is known and none can be read.
 */
async function keysOf(
  { origin, trust, log }: LogQuestion,
  finding: LogFinding,
): Promise<readonly VerifierKey[]> {
  const own = trust.policy.logs.map(({ key }) => key).filter(({ name }) => name === origin);
  if (own.length > 0) return own;
  const remembered = await trust.memory.read(origin);
  if (remembered !== null && remembered.keys.length > 0 && !trust.acceptKey) {
    return remembered.keys.flatMap((text) => parseVerifierKey(text) ?? []);
  }
  let suggested: readonly VerifierKey[] = [];
  try {
    suggested = await trust.suggest?.() ?? (log ? suggestedKeys(await log.policy()) : []);
  } catch (error) {
    if (!(error instanceof ChainReadError)) throw error;
    finding.unread = error.message;
  }
  const keys = suggested.filter(({ name }) => name === origin);
  const texts = keys.map(formatVerifierKey);
  const isSame = texts.length === remembered?.keys.length &&
    texts.every((text) => remembered.keys.includes(text));
  if (keys.length > 0 && !isSame) {
    finding.isNewKey = true;
    await trust.memory.write(origin, { checkpoint: null, keys: texts });
  }
  return keys;
}

/** Returns the keys of the logs in a policy that somebody suggests; empty if it is malformed. */
export function suggestedKeys(policy: string): VerifierKey[] {
  try {
    return parsePolicy(policy).logs.map(({ key }) => key);
  } catch {
    return [];
  }
}

/** @throws {FaultError} (rejects) if it is malformed or not signed by a key of the log */
async function readCheckpoint(
  text: string,
  policy: Policy,
  origin: string,
): Promise<ReadCheckpoint> {
  // The quorum decides about the proof only, at the end.
  const result = await verifyCheckpoint(text, { ...policy, quorum: null }, origin);
  if (result.ok) return { ...result.checkpoint, full: text };
  throw new FaultError(result.error, result.message!);
}

/**
 * Verifies the proof and finds the statement that it is of: the last one whose entry is in the log.
 *
 * @returns null if there is no proof, or none that can be verified without a key of the log
 * @throws {FaultError} (rejects) if it is not valid
 */
async function readProof(
  question: LogQuestion,
  finding: LogFinding,
  keys: readonly VerifierKey[],
  read: (text: string) => Promise<ReadCheckpoint>,
): Promise<VerifiedProof | null> {
  const { proof: text, statements } = question;
  if (text === undefined || text === null) return null;
  const proof = typeof text === "string" ? parseProof(text) : null;
  if (proof === null || proof.extra?.length !== SALT_BYTES) {
    throw new FaultError("log_malformed", "The proof is malformed.");
  }
  if (keys.length === 0) {
    throw new FaultError("log_unknown", "No key of this log is known here.");
  }
  const checkpoint = await read(proof.checkpoint);
  for (let count = statements.length; count > 0; count--) {
    const leaf = leafHash(entryBytes(statements[count - 1].entryOf(proof.extra)));
    if (!isIncluded({ ...proof, ...checkpoint, leaf, proof: proof.hashes })) continue;
    finding.logged = count;
    finding.fresh = isFresh(question, count);
    return { ...proof, checkpoint, leaf };
  }
  return { ...proof, checkpoint, leaf: null };
}

type VerifiedProof = Omit<LogProof, "checkpoint"> & {
  checkpoint: ReadCheckpoint;
  /** The hash of the entry that it is of; null if it is of no statement. */
  leaf: Bytes | null;
};

/** Notes the checkpoint that shows where the last logged statement is. */
function accept(
  { origin }: LogQuestion,
  finding: LogFinding,
  keys: readonly VerifierKey[],
  checkpoint: ReadCheckpoint,
  index: number,
): void {
  const key = keys.find(({ id }) =>
    checkpoint.note.signatures.some((each) => each.name === origin && each.id === id)
  );
  finding.place = { index, size: checkpoint.size, keyId: key?.id ?? "" };
  finding.countersigned = earliest(checkpoint);
}

/** Returns whether a newer checkpoint satisfies the policy, and shows more than the proof's does. */
function isBetter(newest: ReadCheckpoint, proof: ReadCheckpoint, policy: Policy): boolean {
  if (newest.size < proof.size || !isQuorate(newest, policy)) return false;
  const gradeOf = (checkpoint: ReadCheckpoint): number => {
    const witness = earliest(checkpoint);
    if (!isQuorate(checkpoint, policy)) return 0;
    return witness === null ? 1 : witness.own ? 2 : 3;
  };
  return gradeOf(newest) > gradeOf(proof);
}

/**
 * Returns the newest checkpoint that satisfies the policy, and shows more than the proof's does; null if there is none.
 * It contains everything that the proof's tree has, because each of the two is compared with the newest one. Others
 * than the newest one are only read if neither of the two satisfies the policy.
 *
 * @throws {FaultError} (rejects) if it contradicts the newest one
 */
async function findBetter({ newest, proof, policy, log, read }: {
  newest: ReadCheckpoint;
  proof: ReadCheckpoint;
  policy: Policy;
  log: LogReader;
  read(text: string): Promise<ReadCheckpoint>;
}): Promise<ReadCheckpoint | null> {
  if (isBetter(newest, proof, policy)) return newest;
  if (isQuorate(proof, policy)) return null;
  try {
    for (const text of (await log.checkpoints?.() ?? []).slice(0, MOST_OTHERS)) {
      const other = await read(text).catch(unlessFault);
      if (other === null || other.size > newest.size || !isBetter(other, proof, policy)) continue;
      await compare([other, newest], log);
      return other;
    }
  } catch (error) {
    if (!(error instanceof ChainReadError)) throw error;
  }
  return null;
}

/** Returns null for a checkpoint that cannot be verified, which says nothing about others. */
function unlessFault(error: unknown): null {
  if (error instanceof FaultError) return null;
  throw error;
}

/** Returns the proof against a newer checkpoint; null if the log does not serve what it needs. */
async function renew(
  { log }: LogQuestion,
  { extra, index, leaf }: VerifiedProof,
  { size, root, full: checkpoint }: ReadCheckpoint,
): Promise<string | null> {
  try {
    const hashes = await readHashes(inclusionSteps(index, size), size, log!.tiles);
    return isIncluded({ index, size, leaf: leaf!, proof: hashes, root })
      ? formatProof({ extra, index, hashes, checkpoint })
      : null;
  } catch (error) {
    if (error instanceof ChainReadError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the first countersignature, preferably of a witness that somebody else runs. */
function earliest({ cosignatures }: VerifiedCheckpoint): Countersignature | null {
  const { witness, time } = cosignatures.find(({ witness }) => !witness.own) ??
    cosignatures.at(0) ??
    {};
  return witness === undefined
    ? null
    : { name: witness.name, at: instantOf(time!), own: witness.own };
}

const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Returns whether the policy's quorum is met. */
const isQuorate = ({ cosignatures }: VerifiedCheckpoint, policy: Policy): boolean =>
  satisfiesQuorum(policy, new Set(cosignatures.map(({ witness }) => witness.name)));

/** @throws {FaultError} (rejects) if two checkpoints contradict each other */
async function compare(
  checkpoints: readonly (Parameters<typeof findContradiction>[0] | null)[],
  log: LogReader | undefined,
): Promise<void> {
  const present = checkpoints.filter((each) => each !== null);
  const found: Contradiction[] = [];
  for (const [i, first] of present.entries()) {
    for (const second of present.slice(i + 1)) {
      const contradiction = await findContradiction(first, second, log?.tiles);
      if (contradiction !== null) found.push(contradiction);
    }
  }
  const proven = found.find(({ nodes }) => nodes !== null);
  if (proven !== undefined) {
    const message = "The log's key has signed two trees of which neither extends the other.";
    throw new FaultError("log_inconsistent", message, proven);
  }
  if (found.length > 0) {
    const message = "The log does not serve a tree that it has signed, so it cannot be compared.";
    throw new FaultError("log_inconsistent", message, found[0]);
  }
}

/** Keeps the largest of the checkpoints, which do not contradict each other. */
async function remember(
  { origin, trust }: LogQuestion,
  keys: readonly VerifierKey[],
  checkpoints: readonly ({ size: number; full: string } | null | undefined)[],
): Promise<void> {
  const [largest] = checkpoints.filter((each) => each !== null && each !== undefined)
    .sort((a, b) => b.size - a.size);
  if (largest === undefined) return;
  const remembered = await trust.memory.read(origin);
  if (remembered?.checkpoint === largest.full) return;
  const kept = remembered?.keys ?? keys.map(formatVerifierKey);
  await trust.memory.write(origin, { checkpoint: largest.full, keys: kept });
}

/** Returns when a log was countersigned last, if that is more than three hours ago. */
function staleSince(
  newest: VerifiedCheckpoint,
  proof: VerifiedCheckpoint | null,
  now: number,
): string | null {
  const times = [...newest.cosignatures, ...proof?.cosignatures ?? []]
    .map(({ time }: Cosignature) => time);
  if (times.length === 0) return null;
  const last = Math.max(...times);
  return now - last * 1000 > STALE_MS ? instantOf(last) : null;
}
