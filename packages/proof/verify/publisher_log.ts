/**
 * Checks statements against the log of a publisher.
 *
 * @module
 */
import {
  checkLog,
  type LogFault,
  type LogFinding,
  type LogQuestion,
  type ReaderTrust,
} from "./check_log.ts";
import { logUrl, readLogAt } from "./log_reader.ts";

/** The publisher whose log is checked, the reader's trust, and the permitted requests. */
export interface LogAccess {
  /** The host that the reader expects, with its port if it has one. The log's name follows from it. */
  publisher: string;
  /** The parties that the reader trusts. */
  trust: ReaderTrust;
  /** True to request nothing from the publisher's log. Default: false. */
  offline?: boolean;
  /** Default: the global function. */
  fetch?: typeof fetch;
  signal?: AbortSignal;
  /** The reader's clock, in milliseconds since 1970. Default: the computer's clock. */
  now?: number;
}

/**
 * Does the same as {@link checkLog}, with the log of a publisher, which is read unless the access is offline.
 *
 * @param asOf when the statements were read or saved, in milliseconds since 1970. Default: now
 */
export function checkPublisherLog(
  { publisher, trust, offline = false, now = Date.now(), ...options }: LogAccess,
  { asOf = now, ...question }: Pick<LogQuestion, "statements" | "proof"> & { asOf?: number },
): Promise<LogFinding> {
  const url = offline ? null : logUrl(publisher);
  const log = url === null ? undefined : readLogAt(url, options);
  return checkLog({ ...question, origin: `${publisher}/log`, trust, log, asOf, now });
}

/** Faults that show more than that something is not in the log. */
const CONTRADICTIONS: ReadonlySet<LogFault> = new Set<LogFault>([
  "log_malformed",
  "log_signature",
  "log_inclusion",
  "log_inconsistent",
]);

/** Returns whether another key than those that the reader knows has signed the log. */
export const isOtherKey = ({ fault, keys }: LogFinding): boolean =>
  fault?.code === "log_unknown" && keys.length > 0;

/** Returns whether the log contradicts what was checked, and does not only lack it. */
export const isContradicted = (finding: LogFinding): boolean =>
  isOtherKey(finding) || finding.fault !== null && CONTRADICTIONS.has(finding.fault.code);
