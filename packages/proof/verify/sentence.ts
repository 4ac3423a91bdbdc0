/**
 * Says in one sentence what a check of the log found.
 *
 * @module
 */
import { formatDateTime, plural } from "../../../lib/base/time.ts";
import type { LogFinding } from "./check_log.ts";

/**
 * How a sentence about the log is shown: `good` for what an independent witness has countersigned; `fair` for
 * what is in the publisher's log; `warning` for what should be in the log and is not; `bad` for proof of
 * misconduct.
 */
export type LogTone = "good" | "fair" | "warning" | "bad";

/** A sentence, and how it is shown. */
export interface LogSentence {
  tone: LogTone;
  text: string;
}

/**
 * Says in one sentence whether a record or a document is in the public log, and who has countersigned that
 * (standard, "Transparency log"). All pages and commands use it.
 *
 * @param subject what should be in the log
 * @example
 * logSentence(finding).text;
 * // "Logged by 23 Nov 2026, 14:02 UTC, countersigned by Example Witness."
 */
export function logSentence(
  finding: LogFinding,
  subject: "record" | "document" = "record",
): LogSentence {
  const { tone, text } = mainSentence(finding, subject);
  if (tone === "bad") return { tone, text };
  const { fault, logged, outdated, size, staleSince } = finding;
  const more = [
    // Otherwise a file with a rewritten end would look new for ever.
    ...fault === null && outdated && logged < size
      ? ["This was so when the file was saved: it does not show that the rest is in the log now."]
      : [],
    ...staleSince === null
      ? []
      : [`The log has not been countersigned since ${formatDateTime(staleSince)}.`],
  ];
  return more.length === 0 ? { tone, text } : { tone: "warning", text: [text, ...more].join(" ") };
}

const NOT_VALID = "Not in the log: the proof is not valid.";

function mainSentence(
  { fault, size, logged, countersigned, contradiction, origin }: LogFinding,
  subject: "record" | "document",
): LogSentence {
  switch (fault?.code) {
    case "log_inconsistent":
      return contradiction?.nodes === null
        ? {
          tone: "warning",
          text: `Cannot be compared with the log that was seen before: ${origin}.`,
        }
        : {
          tone: "bad",
          text: "The publisher has signed two public logs that contradict each other.",
        };
    case "log_unknown":
      return {
        tone: "warning",
        text: `Not checked: no key that is known here has signed the log ${origin}.`,
      };
    case "log_quorum":
      return {
        tone: "warning",
        text: logged === 0
          ? NOT_VALID
          : countersigned === null
          ? "In the publisher's log; nobody independent has countersigned it."
          : "In the publisher's log; too few of your witnesses have countersigned it.",
      };
    case "log_missing":
      return {
        tone: "warning",
        text: logged === 0
          ? "Not in the log."
          : `${plural(size - logged, "event")} ${
            size - logged === 1 ? "is" : "are"
          } missing in the log.`,
      };
    case undefined:
      break;
    default:
      return { tone: "warning", text: NOT_VALID };
  }
  if (logged === 0) {
    return {
      tone: "fair",
      text: "Not in the public log yet. This is normal only for a " +
        `${subject} that was registered in the last 10 minutes.`,
    };
  }
  const first = logged === size ? null : `The first ${logged} of ${size} events`;
  const end = first === null ? "." : "; newer ones follow within 10 minutes.";
  if (countersigned === null) {
    return {
      tone: "fair",
      text:
        `${first === null ? "In" : `${first} are in`} the publisher's log; nobody independent ` +
        `has countersigned it${end}`,
    };
  }
  const { name, at, own } = countersigned;
  return {
    tone: own ? "fair" : "good",
    text: `${first === null ? "Logged" : `${first} were logged`} by ${formatDateTime(at)}, ` +
      `countersigned by ${name}${own ? OWN : ""}${end}`,
  };
}

const OWN = ", which the same operator runs, so it proves nothing against that operator";
