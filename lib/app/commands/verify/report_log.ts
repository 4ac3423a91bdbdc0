/**
 * The lines about the log that the commands print which check something, and the options that they share.
 *
 * @module
 */
import {
  ChainReadError,
  checkPublisherLog,
  EMPTY_POLICY,
  isContradicted,
  isOtherKey,
  type LogFinding,
  type LogMemory,
  type LogQuestion,
  logSentence,
  parsePolicy,
  type Policy,
  PolicyError,
} from "../../../../packages/proof/mod.ts";

/** The input and options of a command that checks something against the log. */
export interface LogIo {
  fetch: typeof fetch;
  /** @throws {ChainReadError} (rejects) if the file does not exist or is too large */
  readFile: (path: string) => Promise<string>;
  /** Returns the time in milliseconds since 1970. */
  clock: () => number;
  /** The logs that earlier runs have remembered. */
  memory: LogMemory;
  /** The file with the policy that is used by default, which need not exist. */
  policyFile: string;
  /** Returns false if the file cannot be written. */
  writeFile: (path: string, text: string) => Promise<boolean>;
}

export interface CheckedLog {
  /** Lines for the report. */
  facts: string[];
  /** Lines that follow it. */
  notes: string[];
  /** True if the command must fail, although the chain is verified. */
  fails: boolean;
  /** A proof that satisfies the reader's policy better than the one that was received; null if there is none. */
  renewed: string | null;
}

/** The options of commands about the log, for `parseArgs`. */
export const LOG_OPTIONS = {
  "log-policy": { type: "string" },
  "accept-log-key": { type: "boolean", default: false },
  "require-log": { type: "boolean", default: false },
  evidence: { type: "string" },
} as const;

export interface LogOptions {
  /** The file with the reader's policy of logs and witnesses. */
  "log-policy"?: string | undefined;
  "accept-log-key": boolean;
  "require-log": boolean;
  /** Where to save two checkpoints of the log that contradict each other. */
  evidence?: string | undefined;
}

/** The description of {@link LOG_OPTIONS}. */
export const LOG_USAGE =
  `  --log-policy <file>   the logs and witnesses that you trust, instead of the policy in the
                        configuration directory
  --accept-log-key      accept another key of the publisher's log than the one remembered
  --require-log         fail unless everything is in the log, or new
  --evidence <file>     save checkpoints of the log that contradict each other`;

/** The statements to check, and if the log may be read. */
interface Question extends Pick<LogQuestion, "statements" | "proof" | "asOf"> {
  publisher: string;
  subject: "record" | "document";
  offline?: boolean;
}

/**
 * Checks statements against the publisher's log, by the reader's policy and memory.
 *
 * @throws {ChainReadError} (rejects) if the policy cannot be read
 */
export async function reportLog(
  { publisher, subject, offline = false, ...question }: Question,
  options: LogOptions,
  io: LogIo,
): Promise<CheckedLog> {
  const origin = `${publisher}/log`;
  const policy = await readPolicy(options["log-policy"], io);
  const finding = await checkPublisherLog({
    publisher,
    trust: { policy, memory: io.memory, acceptKey: options["accept-log-key"] },
    offline,
    fetch: io.fetch,
    now: io.clock(),
  }, question);
  const { tone, text } = logSentence(finding, subject);
  const notes = await evidenceNotes(finding, options, io);
  if (isOtherKey(finding)) {
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
    fails: isContradicted(finding) || options["require-log"] && tone === "warning",
    renewed: finding.renewed,
  };
}

/** Says what contradicts what, and saves it if the reader wants that. */
async function evidenceNotes(
  { contradiction, fault }: LogFinding,
  { evidence }: LogOptions,
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
