import { ChainReadError, type ChainVerification, type LinkedEvent } from "../../chain/mod.ts";
import { EMPTY_POLICY, parsePolicy, type Policy, PolicyError } from "../../log/core.ts";
import { checkLog, type LogFault, type LogFinding } from "../check_log.ts";
import { logUrl, readLogAt } from "../log_reader.ts";
import type { LogMemory } from "../memory.ts";
import { logSentence } from "../sentence.ts";
import { chainStatements } from "../statements.ts";
import type { Evidence, Readers, VerifyOptions } from "./evidence.ts";

/** What a command needs to check a chain against the log. */
export interface LogIo extends Pick<Readers, "fetch" | "readFile"> {
  /** Returns the time in milliseconds since 1970. */
  clock: () => number;
  /** What earlier runs have remembered. */
  memory: LogMemory;
  /** The file with the policy that is used by default, which need not exist. */
  policyFile: string;
  /** Returns false if the file cannot be written. */
  writeFile: (path: string, text: string) => Promise<boolean>;
}

interface CheckedLog {
  /** Lines for the report. */
  facts: string[];
  /** Lines that follow it. */
  notes: string[];
  /** True if the command must fail, although the chain is verified. */
  fails: boolean;
}

/** Faults that show more than that something is not in the log. */
const CONTRADICTIONS: ReadonlySet<LogFault> = new Set<LogFault>([
  "log_malformed",
  "log_signature",
  "log_inclusion",
  "log_inconsistent",
]);

/**
 * Checks whether a verified chain is in the publisher's log, by the reader's policy.
 *
 * @throws {ChainReadError} (rejects) if the policy cannot be read
 */
export async function checkRecordLog(
  options: VerifyOptions,
  evidence: Evidence,
  { head }: ChainVerification & { ok: true },
  io: LogIo,
): Promise<CheckedLog> {
  const { hash, publisher, events, isSaved, log_proof: proof } = evidence;
  const origin = `${publisher}/log`;
  const policy = await readPolicy(options["log-policy"], io);
  const url = logUrl(publisher);
  const now = io.clock();
  const finding = await checkLog({
    origin,
    statements: chainStatements(hash, events as LinkedEvent[]),
    proof,
    trust: { policy, memory: io.memory, acceptKey: options["accept-log-key"] },
    ...options.offline || url === null ? {} : { log: readLogAt(url, io) },
    asOf: isSaved ? Date.parse(head.at) : now,
    now,
  });
  const { tone, text } = logSentence(finding);
  const notes = await evidenceNotes(finding, options, io);
  const isOtherKey = finding.fault?.code === "log_unknown" && finding.keys.length > 0;
  if (isOtherKey) {
    notes.push(
      `${origin} is not signed by a key that is known here. If its publisher has announced a new one, ` +
        "change your policy, or run the command again with --accept-log-key.",
    );
  }
  if (finding.isNewKey) {
    notes.push(
      ...finding.keys.map((key) => `The key of the log is remembered from now on: ${key}`),
    );
  }
  if (finding.logged > 0 && policy.witnesses.length === 0) {
    notes.push(
      `No witness counts, because there is no policy: pass --log-policy, or write ${io.policyFile}.`,
    );
  }
  if (finding.unread !== null) notes.push(`The log could not be read: ${finding.unread}`);
  return {
    facts: [
      `  public log   ${tone === "warning" || tone === "bad" ? `WARNING: ${text}` : text}`,
      ...finding.place === null ? [] : [
        `  log entry    ${finding.place.index} of ${finding.place.size} in ${origin}, ` +
        `signed by ${finding.place.keyId}`,
      ],
    ],
    notes: notes.map((note) => `Note: ${note}`),
    fails: isOtherKey || CONTRADICTIONS.has(finding.fault?.code ?? "log_missing") ||
      options["require-log"] && finding.fault !== null,
  };
}

/** Says what contradicts what, and saves it if the reader wants that. */
async function evidenceNotes(
  { contradiction, fault }: LogFinding,
  { evidence }: VerifyOptions,
  { writeFile }: LogIo,
): Promise<string[]> {
  if (fault === null) return [];
  const notes = [`${fault.code}: ${fault.message}`];
  if (contradiction === null) return notes;
  if (evidence === undefined) return [...notes, "Pass --evidence to save both checkpoints."];
  const saved = await writeFile(evidence, `${JSON.stringify(contradiction, null, 2)}\n`);
  return [...notes, saved ? `Saved: ${evidence}` : `Not saved: ${evidence} cannot be written.`];
}

async function readPolicy(file: string | undefined, io: LogIo): Promise<Policy> {
  let text: string;
  try {
    text = await io.readFile(file ?? io.policyFile);
  } catch (error) {
    if (!(error instanceof ChainReadError)) throw error;
    if (file === undefined && error.code === "not_found") return EMPTY_POLICY;
    throw error;
  }
  try {
    return parsePolicy(text);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new ChainReadError("bad_response", `${file ?? io.policyFile}: ${error.message}`);
  }
}
