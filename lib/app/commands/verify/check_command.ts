/**
 * The command `check-document`: asks a publisher about a file by its hash, and compares the response with the log.
 *
 * @module
 */
import { parseJson } from "../../../base/parse_json.ts";
import { parseArgs } from "node:util";
import { z } from "zod";
import { readChunks } from "../../../platform/http/body.ts";
import { cleanText } from "../../../base/sanitise.ts";
import { formatDay, plural } from "../../../base/time.ts";
import { ChainReadError, documentInLog } from "../../../../packages/proof/mod.ts";
import { MemoryError } from "./remembered_logs.ts";
import {
  type CheckedLog,
  LOG_OPTIONS,
  LOG_USAGE,
  type LogIo,
  type LogOptions,
  reportLog,
} from "./report_log.ts";

/** A document in force; another outcome; not checked, or incorrect usage. */
type ExitCode = 0 | 1 | 2;

interface CheckIo extends LogIo {
  /**
   * Returns the SHA-256 hash of a file, and the number of its bytes.
   *
   * @throws (rejects) if it cannot be read
   */
  hashFile: (path: string) => Promise<{ sha256: string; size: number }>;
  print: (line: string) => void;
  /** The trust surface to ask unless the command line names one. */
  trustUrl: string;
}

const USAGE = `Usage: deno task check-document <file> [--at <trust URL>] [--issuer <domain>]

  <file>              the file to check; it is not uploaded
  --at <trust URL>    the publisher's trust surface, such as https://trust.example
  --issuer <domain>   the verified domain of the organisation that must have issued it

${LOG_USAGE}

Exits with 0 if the file matches the current version of a document of that organisation, 1 if it
matches an older, expired or withdrawn one, has no published match or the log contradicts it, 2 if it
could not be checked. Without --issuer, the organisation counts that registered the file first: compare
its name and domain.`;

/** The largest response in bytes: documents of several organisations, each with proofs. */
const MAX_RESPONSE = 512 * 1024;

const instant = z.iso.datetime();
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const matchSchema = z.object({
  state: z.enum(["current", "expired", "replaced", "withdrawn", "test"]),
  since: instant,
  form: z.enum(["original", "issued", "text"]),
  title: z.string().optional(),
  issuer: z.string(),
  issuer_domain: z.string().optional(),
  issuer_domain_verified_at: instant.nullable().optional(),
  issuer_ended_at: instant.optional(),
  registrar: z.string().optional(),
  version: z.int(),
  registered_at: instant,
  first_registered_at: instant,
  reason: z.string().optional(),
  newest: z.object({ version: z.int(), registered_at: instant, state: z.string() }).optional(),
  url: z.string(),
  log: z.object({
    id: z.string().max(64),
    statements: z.array(z.object({
      n: z.int().min(1),
      at: instant,
      state: z.enum(["registered", "withdrawn"]),
      original: sha256Schema,
      issued: sha256Schema.nullable(),
      log_proof: z.string().optional(),
    })),
  }).optional(),
});
const reportSchema = z.object({
  state: z.enum(["current", "expired", "replaced", "withdrawn", "test", "not_registered"]),
  sha256: z.string(),
  matches: z.array(matchSchema),
  more_issuers: z.int().min(0),
});

type Match = z.output<typeof matchSchema>;
type Report = z.output<typeof reportSchema>;

/** Thrown if the file could not be checked. */
class NotChecked extends Error {}

/**
 * Runs `deno task check-document`: asks a trust surface whether a file is a registered document, and
 * prints what the answer proves and what it does not.
 */
export async function checkCommand(args: readonly string[], io: CheckIo): Promise<ExitCode> {
  // Text from a server may contain terminal escape sequences.
  const print = (line: string) => io.print(cleanText(line).replaceAll("\n", " "));
  const options = parseOptions(args, io.trustUrl);
  if (typeof options === "string") {
    print(options);
    io.print(USAGE);
    return 2;
  }
  try {
    const { sha256 } = await hash(options.file, io);
    print(`SHA-256 ${sha256}`);
    const report = await ask(`${options.origin}/check?sha256=${sha256}`, sha256, io.fetch);
    const logs = await Promise.all(
      report.matches.map((match) =>
        match.form === "text" || match.state === "test"
          ? null // the log has neither
          : matchLog(match, sha256, options, io)
      ),
    );
    linesOf(report, logs, options).forEach(print);
    // Documents of other issuers do not count.
    const decisive = report.matches.findIndex((match) => isOf(match, options.issuer));
    return report.matches[decisive]?.state === "current" && !logs[decisive]?.fails ? 0 : 1;
  } catch (error) {
    if (
      !(error instanceof NotChecked || error instanceof ChainReadError ||
        error instanceof MemoryError)
    ) throw error;
    print(`Not checked: ${error.message}`);
    print("This says nothing about the file.");
    return 2;
  }
}

interface CheckOptions extends LogOptions {
  file: string;
  origin: string;
  /** The domain of the organisation that must have issued it. Default: any. */
  issuer?: string;
}

/** Returns whether a match is a document of the organisation with a verified domain. */
const isOf = (match: Match, domain: string | undefined): boolean =>
  domain === undefined ||
  match.issuer_domain === domain && typeof match.issuer_domain_verified_at === "string";

/** Compares the last statement about a version with the log. */
function matchLog(
  match: Match,
  sha256: string,
  { origin, ...options }: CheckOptions,
  io: CheckIo,
): Promise<CheckedLog> {
  const { host } = new URL(origin);
  const question = { ...documentInLog(match, sha256), publisher: host, asOf: io.clock() };
  return reportLog({ ...question, subject: "document" }, options, io);
}

/** Returns the options of a command line, or the message for an incorrect one. */
function parseOptions(args: readonly string[], trustUrl: string): CheckOptions | string {
  try {
    const { values: { at = trustUrl, issuer: domain, ...others }, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { at: { type: "string" }, issuer: { type: "string" }, ...LOG_OPTIONS },
    });
    if (positionals.length !== 1) return "Give one file.";
    // The publisher's domains are in ASCII, so that names that only look alike differ.
    const issuer = domain === undefined
      ? undefined
      : URL.parse(`https://${domain}`)?.hostname.replace(/\.$/, "");
    if (domain !== undefined && !issuer?.includes(".")) {
      return "--issuer must be a domain, such as harbour.example.";
    }
    const url = URL.parse(at);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      return "--at must be a URL, such as https://trust.example.";
    }
    return { ...others, file: positionals[0], origin: url.origin, issuer };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function hash(path: string, { hashFile }: CheckIo) {
  try {
    const hashed = await hashFile(path);
    if (hashed.size > 0) return hashed;
  } catch {
    throw new NotChecked(`${path} cannot be read.`);
  }
  throw new NotChecked(`${path} is empty, so there is nothing to compare.`);
}

async function ask(url: string, sha256: string, get: typeof fetch): Promise<Report> {
  let response: Response;
  let text: string | undefined;
  try {
    response = await get(url, { headers: { accept: "application/json" }, cache: "no-cache" });
    text = await readChunks(response.body, MAX_RESPONSE);
  } catch {
    throw new NotChecked(`${url} could not be reached.`);
  }
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after")) || 60;
    throw new NotChecked(`too many files were checked. Try again in ${plural(seconds, "second")}.`);
  }
  if (response.status !== 200) throw new NotChecked(`${url} returned status ${response.status}.`);
  const report = reportSchema.safeParse(parseJson(text ?? ""));
  if (!report.success || report.data.sha256 !== sha256) {
    throw new NotChecked(`${url} did not return the result of a check.`);
  }
  return report.data;
}

function linesOf(
  { state, matches, more_issuers: more }: Report,
  logs: readonly (CheckedLog | null)[],
  { origin, issuer }: CheckOptions,
): string[] {
  if (state === "not_registered") {
    return [
      `No published match at ${origin}.`,
      "Either no document with these bytes is registered there, or its hash may not be confirmed " +
      "to everyone. The response is the same for both.",
      "This says nothing about forgery: a file that was opened and saved, signed or converted has " +
      "different bytes. Ask for the file exactly as it was issued.",
    ];
  }
  const [first] = matches;
  const shared = state !== "test" && matches.length + more > 1;
  return [
    ...shared ? [`${matches.length + more} organisations have registered this file.`] : [],
    ...matches.flatMap((match, i) => [...describe(match, shared), ...logs[i]?.facts ?? []]),
    ...more === 0 ? [] : [`And ${plural(more, "more organisation")}.`],
    ...new Set(logs.flatMap((log) => log?.notes ?? [])),
    ...shared
      ? [
        "Anybody who has a file can register it, and only the organisation that issued a document can " +
        "withdraw it. Compare the domain with that of the organisation which the document names.",
      ]
      : [],
    issuer === undefined
      ? `The result is that of ${first.issuer}${domainOf(first)}` +
        (shared ? ", which registered the file first." : ".")
      : matches.some((match) => isOf(match, issuer))
      ? `The result is that of ${issuer}.`
      : `No organisation with the verified domain ${issuer} is among those that registered this file` +
        (more === 0 ? "." : " first."),
    `This proves that ${origin} states that these exact bytes are registered there. It does not ` +
    "prove that what the document says is true, or who gave you the file.",
  ];
}

const HEADINGS: Record<Match["state"], string> = {
  current: "Matches a current document.",
  expired: "Matches an expired document.",
  replaced: "Matches an older version.",
  withdrawn: "Matches a withdrawn document.",
  test: "TEST: matches a document that its issuer tries the service with. It is not registered.",
};

const FORMS: Record<Match["form"], string> = {
  original: "the original file",
  issued: "the issued copy",
  text: "the text of a page",
};

function domainOf({ issuer_domain: name, issuer_domain_verified_at: at }: Match): string {
  if (name === undefined) return "";
  return at ? ` (${name}, verified ${formatDay(at)})` : ` (${name}, domain no longer verified)`;
}

function describe(match: Match, shared: boolean): string[] {
  const {
    state,
    since,
    form,
    title,
    issuer,
    registrar,
    version,
    registered_at,
    reason,
    newest,
    url,
  } = match;
  return [
    HEADINGS[state],
    `  issuer    ${issuer}${domainOf(match) || (shared ? " (no verified domain)" : "")}`,
    ...shared ? [`  first     registered it on ${formatDay(match.first_registered_at)}`] : [],
    ...match.issuer_ended_at === undefined
      ? []
      : [`            no longer issues documents, since ${formatDay(match.issuer_ended_at)}`],
    ...registrar === undefined || registrar === issuer ? [] : [`  registrar ${registrar}`],
    ...title === undefined ? [] : [`  title     ${title}`],
    `  version   ${version}, registered ${formatDay(registered_at)}` +
    ` (${FORMS[form]})`,
    ...state === "current" || state === "test" ? [] : [`  ${state.padEnd(9)} ${formatDay(since)}`],
    ...reason === undefined ? [] : [`  reason    ${reason}`],
    ...newest === undefined ? [] : [
      `  newest    version ${newest.version}, registered ${
        formatDay(newest.registered_at)
      }, ${newest.state}`,
    ],
    `  page      ${url}`,
  ];
}
