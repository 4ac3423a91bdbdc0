/**
 * The command `verify`: verifies a chain from a server or a file, and prints what follows from it.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { unmarked } from "../../../base/pasted.ts";
import { cleanText } from "../../../base/sanitise.ts";
import { plural } from "../../../base/time.ts";
import {
  canonicalHash,
  ChainReadError,
  chainStatements,
  type ChainVerification,
  changeSavedChain,
  formatSavedChain,
  hashSchema,
  keysUrl,
  type LinkedEvent,
  openingFault,
  verifyChain,
  verifyEvents,
} from "../../../../packages/proof/mod.ts";
import {
  BrokenFileError,
  type Evidence,
  gatherEvidence,
  type Readers,
  type VerifyOptions,
} from "./evidence.ts";
import { MemoryError } from "./remembered_logs.ts";
import { LOG_OPTIONS, LOG_USAGE, type LogIo, reportLog } from "./report_log.ts";

interface CommandIo extends Readers, LogIo {
  /** Returns false if the file cannot be written. */
  writeFile: (path: string, text: string) => Promise<boolean>;
  print: (line: string) => void;
}

/** Verified; not verified; could not be read, or incorrect usage. */
type ExitCode = 0 | 1 | 2;

const USAGE = `Usage: deno task verify <url or file> [options]

  <url>                 a chain (…/api/chain/<hash>) or its page (…/verify?hash=<hash>)
  <file>                a chain saved as JSON

  --hash <hash>         the expected record hash, from a QR code, a printout or a saved link
  --publisher <host>    the expected publisher
  --keys <file>         a copy of the publisher's key set, used instead of requesting it
  --offline             make no requests, and use the keys in the file
  --save <file>         save the whole chain as JSON, with a newer proof of the log if only that
                        satisfies your policy; so a saved chain is renewed, too

${LOG_USAGE}

Exits with 0 if the chain is verified, 1 if it is not or if the log contradicts it, 2 if it could
not be read.`;

/**
 * Runs `deno task verify <url or file>`: verifies a chain by the standard's procedure and prints what
 * the result shows and does not show.
 */
export async function verifyCommand(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  // Text from a server or a file may contain terminal escape sequences.
  const print = (line: string) => io.print(cleanText(line).replaceAll("\n", " "));
  const options = parseOptions(args);
  if (typeof options === "string") {
    print(options);
    io.print(USAGE);
    return 2;
  }
  try {
    return await verify(options, await gatherEvidence(options, io), { ...io, print });
  } catch (error) {
    if (error instanceof BrokenFileError) return printFault(error, print);
    if (error instanceof MemoryError) {
      print(`Nothing was compared with the log: ${error.message}`);
      return 2;
    }
    if (!(error instanceof ChainReadError)) throw error;
    const reason = error.code === "unreachable" ? ` ${innermost(error).message}` : "";
    print(`The chain could not be read: ${error.message}${reason}`);
    return 2;
  }
}

/** `fetch` gives the reason of a failure as the cause of its error. */
function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

/** Returns the options of a command line, or the message for an incorrect one. */
function parseOptions(args: readonly string[]): VerifyOptions | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        hash: { type: "string" },
        publisher: { type: "string" },
        keys: { type: "string" },
        save: { type: "string" },
        offline: { type: "boolean", default: false },
        ...LOG_OPTIONS,
      },
    });
    if (positionals.length !== 1) return "Give one URL or file.";
    const hash = values.hash && canonicalHash(values.hash);
    const publisher = values.publisher && unmarked(values.publisher).toLowerCase();
    if (hash !== undefined && !hashSchema.safeParse(hash).success) {
      return "--hash should be 64 hexadecimal digits.";
    }
    if (publisher !== undefined && keysUrl(publisher) === null) {
      return "--publisher should be a host, such as trust.example or trust.example:8443.";
    }
    return { ...values, target: positionals[0], hash, publisher };
  } catch (error) {
    return (error as Error).message;
  }
}

/** An exit code, and the proof to save. */
interface Outcome {
  code: ExitCode;
  /** Null for the one that was received. */
  renewed: string | null;
}

const outcomeOf = (code: ExitCode): Outcome => ({ code, renewed: null });

/** Verifies the chain, and saves it whatever the result is. */
async function verify(
  options: VerifyOptions,
  evidence: Evidence,
  io: CommandIo,
): Promise<ExitCode> {
  let outcome: Outcome;
  try {
    outcome = await examine(options, evidence, io);
  } catch (error) {
    await save(options, evidence, null, io);
    throw error;
  }
  return await save(options, evidence, outcome.renewed, io) ? outcome.code : 2;
}

/** Returns false if the chain should be saved and cannot be. */
async function save(
  { save }: VerifyOptions,
  { file, hash, publisher, head, events, keys = [], log_proof }: Evidence,
  renewed: string | null,
  { print, writeFile }: CommandIo,
): Promise<boolean> {
  if (save === undefined) return true;
  const proof = renewed ?? log_proof;
  const text = file === null
    ? formatSavedChain({ hash, publisher, head, keys, log_proof: proof, events })
    : changeSavedChain(file, { log_proof: proof });
  if (!await writeFile(save, text)) {
    print(`Not saved: ${save} cannot be written.`);
    return false;
  }
  if (renewed !== null) {
    print(`Note: ${save} has a newer proof of the log, which satisfies your policy.`);
  }
  return true;
}

async function examine(
  options: VerifyOptions,
  evidence: Evidence,
  io: CommandIo,
): Promise<Outcome> {
  const { print } = io;
  const { hash, publisher, head, events, keys, keysFrom, log_proof } = evidence;
  if (keys === undefined) {
    const result = await verifyEvents(hash, events);
    if (!result.ok) return outcomeOf(printFault(result, print));
    print(`Not verified: there are no keys to verify the head with. ${keysFrom}`);
    print(
      result.size === 0
        ? "There are no events either, so nothing was verified."
        : `The hashes of ${plural(result.size, "event")} are correct, but without a signed head ` +
          "events may be missing at the end.",
    );
    return outcomeOf(2);
  }
  const result = await verifyChain({ recordHash: hash, events, head, publisher, keys });
  if (!result.ok) return outcomeOf(printFault(result, print));
  const commitment = hasRecord(evidence) ? await openingFault(evidence) : null;
  if (commitment !== null) return outcomeOf(printFault(commitment, print));
  const log = await reportLog(
    {
      publisher,
      subject: "record",
      statements: chainStatements(hash, events as LinkedEvent[]),
      proof: log_proof,
      asOf: evidence.file !== null ? Date.parse(result.head.at) : io.clock(),
      offline: options.offline,
    },
    options,
    io,
  );
  const notes = log.renewed !== null && options.save === undefined
    ? [
      "Note: The proof alone does not satisfy your policy, but a newer checkpoint of the log does. " +
      "Pass --save to get a file with a proof that does.",
    ]
    : [];
  [...reportLines(evidence, result), ...log.facts, ...noteLines(evidence), ...log.notes, ...notes]
    .forEach(print);
  return { code: log.fails ? 1 : 0, renewed: log.renewed };
}

const hasRecord = ({ record, salt }: Evidence) => record !== undefined || salt !== undefined;

function printFault(
  { seq, code, message }: { seq?: number; code: string; message: string },
  print: CommandIo["print"],
): ExitCode {
  print(`Not verified: ${seq === undefined ? "" : `event ${seq}: `}${code}: ${message}.`);
  return 1;
}

function reportLines(
  evidence: Evidence,
  { size, signedSize, tip, head }: ChainVerification & { ok: true },
): string[] {
  const { hash, hashFrom, publisher, publisherFrom, keysFrom } = evidence;
  const covered = signedSize === size ? "all of them" : `the first ${signedSize}`;
  // A file that is verified with its own keys is only compared with itself.
  const verdict = keysFrom === "the file" ? "Internally consistent" : "Verified";
  return [
    `${verdict}: ${plural(size, "event")}, ${covered} covered by the signed head.`,
    `  record hash  ${hash}  (from ${hashFrom})`,
    ...hasRecord(evidence) ? ["  record       its content and salt have this hash"] : [],
    `  publisher    ${publisher}  (from ${publisherFrom})`,
    `  tip          ${tip}`,
    `  signed at    ${head.at}`,
    `  key          ${head.kid}  (from ${keysFrom})`,
  ];
}

/** Notes on what the result does not show, because values came from the chain that was verified. */
function noteLines({ hashFrom, publisherFrom, keysFrom }: Evidence): string[] {
  const lines: string[] = [];
  if (hashFrom === "the file") {
    lines.push(
      "The record hash comes from the file itself. The events are consistent with each other, but " +
        "this does not show which record they belong to. Pass --hash, from a QR code or a printout.",
    );
  }
  if (hashFrom === "the URL") {
    lines.push(
      "The record hash comes from the URL, so it is only as trustworthy as the source of the URL.",
    );
  }
  if (publisherFrom === "the file" || publisherFrom === "the chain itself") {
    lines.push(
      `The publisher's name comes from ${publisherFrom}. This does not show that it is the ` +
        "publisher you expect. Pass --publisher.",
    );
  }
  if (keysFrom === "the file") {
    lines.push(
      "The keys come from the file itself, so its author could have generated them. " +
        "Omit --offline, or pass --keys.",
    );
  }
  return lines.map((line) => `Note: ${line}`);
}
