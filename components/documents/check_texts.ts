/** The words for each result of checking a file against the registered documents. */
import type { CheckReport, MatchReport } from "../../lib/features/documents/checks/report.ts";
import { formatDocumentId } from "../../lib/features/documents/ids.ts";
import { domainText } from "../../lib/features/documents/issued_by.ts";
import { formatDay } from "../../lib/base/time.ts";
import type { SealKind } from "../chain/Seal.tsx";

/** The object of a check: a file in the browser, or a pasted hash. */
export type Subject = "file" | "hash";

/** A report, or why there is none. */
export type CheckResult = { report: CheckReport } | { failure: string };

/** The outcomes, each with its own words, icon and colour. */
type Outcome = "match" | "past" | "withdrawn" | "test" | "unknown" | "unchecked";

export const outcomeOf = (result: CheckResult): Outcome =>
  "failure" in result ? "unchecked" : OUTCOMES[result.report.state];

const OUTCOMES: Record<CheckReport["state"], Outcome> = {
  current: "match",
  expired: "past",
  replaced: "past",
  withdrawn: "withdrawn",
  test: "test",
  not_registered: "unknown",
};

/** Returns the outcome in a word or two. Of several organisations, the first one's state is not the file's. */
export const eyebrowOf = (result: CheckResult): string =>
  "report" in result && isShared(result.report) ? "Match" : EYEBROWS[outcomeOf(result)];

const EYEBROWS: Record<Outcome, string> = {
  match: "Match",
  past: "Match, but no longer in force",
  withdrawn: "Match, but no longer in force",
  test: "TEST",
  unknown: "Not confirmed",
  unchecked: "No result",
};

const ENDINGS: Record<MatchReport["state"], string> = {
  current: "matches a current document",
  expired: "matches an expired document",
  replaced: "matches an older version",
  withdrawn: "matches a withdrawn document",
  test: "matches a TEST, which is not registered",
};

const SUBJECTS: Record<Subject, string> = { file: "Your file", hash: "This hash" };

/** Returns the outcome in a few words. */
export function headingOf(result: CheckResult, of: Subject): string {
  if ("failure" in result) return `${SUBJECTS[of]} could not be checked`;
  const { report } = result;
  const [match] = report.matches;
  if (match === undefined) return "No published match";
  return isShared(report)
    ? `${inWords(organisationsIn(report))} organisations have registered this file`
    : verdictOf(match, of);
}

/** Returns what was found about one document. */
const verdictOf = ({ state }: MatchReport, of: Subject): string =>
  `${SUBJECTS[of]} ${ENDINGS[state]}`;

/** Returns the verdict on the first of several organisations; null if there are no others. */
export function leadOf(
  report: CheckReport,
): { first: string; verdict: string } | null {
  if (!isShared(report)) return null;
  const [match] = report.matches;
  return {
    first: `First, on ${formatDay(match.first_registered_at)}: ${match.issuer}`,
    verdict: registrationOf(match),
  };
}

/** Returns what the registration of one of several organisations says, in its name. */
function registrationOf(match: MatchReport): string {
  const { issuer, state, since, withdrawn_by: by = issuer } = match;
  const who = `${issuer} (${domainIn(match)})`;
  switch (state) {
    case "current":
      return `${who} has registered it, and its registration is current.`;
    case "expired":
      return `The document of ${who} expired on ${formatDay(since)}.`;
    case "replaced":
      return `${who} has replaced this version.`;
    case "withdrawn":
      return by === issuer
        ? `${who} has withdrawn its registration.`
        : `${by} has withdrawn the registration of ${who}.`;
    case "test":
      return `${who} has made a TEST with it.`;
  }
}

/** Returns the domain of a match's issuer, and whether it is verified. */
export const domainIn = (
  { issuer_domain: name, issuer_domain_verified_at: verifiedOn = null }: MatchReport,
): string => name === undefined ? "no verified domain" : domainText({ name, verifiedOn });

/** Returns the heading of what other organisations have registered. */
export function othersHeading(report: CheckReport): string {
  const others = organisationsIn(report) - 1;
  const have = others === 1
    ? "Another organisation has"
    : `${inWords(others)} other organisations have`;
  return isShared(report) ? `${have} registered it too` : `${have} made a TEST with it too`;
}

/** Returns whether several organisations have registered a file. Tests are not registered. */
const isShared = (report: CheckReport): boolean =>
  report.state !== "test" && organisationsIn(report) > 1;

const organisationsIn = ({ matches, more_issuers }: CheckReport): number =>
  matches.length + more_issuers;

const NUMBERS = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

const inWords = (count: number): string => NUMBERS[count - 2] ?? String(count);

/** Returns how a file without a match relates to the document whose number it prints. */
export function printedHeading({ number, differs }: { number: string; differs: boolean }): string {
  const name = formatDocumentId(number);
  return differs
    ? `This file differs from document ${name}`
    : `The number ${name} is printed on it`;
}

export const sealOf = (result: CheckResult): SealKind =>
  "failure" in result ? "failed" : SEALS[result.report.state];

const SEALS: Record<CheckReport["state"], SealKind> = {
  current: "good",
  expired: "past",
  replaced: "past",
  withdrawn: "closed",
  test: "unknown",
  not_registered: "unknown",
};

const FILES: Record<MatchReport["form"], string> = {
  original: "the original file",
  issued: "the issued copy",
  text: "the text",
};

/** Returns which version matches, its state, and whether there is a newer one. */
export function explain(match: MatchReport): string[] {
  const { issuer, registrar = issuer, form, version, state, since } = match;
  const registered = formatDay(match.registered_at);
  const verb = form === "text" ? "published" : "registered";
  const what = `${FILES[form]} of version ${version}, which ${registrar} ${verb} on ${registered}`;
  switch (state) {
    case "current":
      return [`It is, byte for byte, ${what}. That is the current version.`];
    case "expired":
      return [`It is, byte for byte, ${what}. The document expired on ${formatDay(since)}.`];
    case "replaced":
      return [
        `It is, byte for byte, ${what} and replaced on ${formatDay(since)}.`,
        ...newestOf(match),
      ];
    case "test":
      return [
        `It is, byte for byte, ${
          FILES[form]
        } of a TEST, with which ${issuer} tries the service. It is not ` +
        "registered and proves nothing.",
      ];
    case "withdrawn":
      return [
        `It is, byte for byte, ${what}. ${
          match.withdrawn_by === undefined
            ? "It was withdrawn"
            : `${match.withdrawn_by} withdrew it`
        } on ${formatDay(since)}.`,
        ...match.reason ? [`The reason: ${match.reason}`] : [],
        ...match.newest ? newestOf(match) : ["No version of the document is in force."],
      ];
  }
}

function newestOf({ newest }: MatchReport): string[] {
  if (newest === undefined) return [];
  const { version, state } = newest;
  const which = `Version ${version} of ${formatDay(newest.registered_at)}`;
  switch (state) {
    case "current":
      return [`${which} is the current one. Do not rely on this file: ask for that version.`];
    case "expired":
      return [`${which} is the newest one. The document has expired.`];
    default:
      return [`${which} is the newest one, and it was withdrawn. No version is in force.`];
  }
}

const STATE_NAMES: Record<MatchReport["state"], string> = {
  current: "Current",
  expired: "Expired",
  replaced: "Replaced",
  withdrawn: "Withdrawn",
  test: "TEST",
};

/** @param within true within a sentence, so without a capital letter */
export function stateOf({ state, since, withdrawn_by }: MatchReport, within = false): string {
  const name = within && state !== "test" ? state : STATE_NAMES[state];
  const by = withdrawn_by === undefined ? "" : ` by ${withdrawn_by}`;
  return state === "current" || state === "test" ? name : `${name} on ${formatDay(since)}${by}`;
}

/** Returns a size in decimal units, as file managers show it. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const [size, unit] = bytes < 1_000_000
    ? [bytes / 1000, "kB"]
    : bytes < 1_000_000_000
    ? [bytes / 1_000_000, "MB"]
    : [bytes / 1_000_000_000, "GB"];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
