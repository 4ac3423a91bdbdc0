/** The finding about the public log that is shown beside a verdict on a record or document. */
import type { LogFinding, LogTone } from "../../packages/proof/mod.ts";
import { logSentence } from "../../packages/proof/verify/sentence.ts";
import { formatCount } from "../../lib/base/time.ts";
import { saveFile } from "./save_file.ts";

export const toneOf = (finding: LogFinding): LogTone => logSentence(finding).tone;

/** Returns the sentence about the log, for screen readers too; empty if nothing was checked. */
export const logText = (finding: LogFinding | null): string =>
  finding === null ? "" : logSentence(finding).text;

/** The words beside the colour. */
const WORDS: Readonly<Record<LogTone, { pill: string; text: string }>> = {
  good: { pill: "good", text: "Public log" },
  fair: { pill: "", text: "Public log" },
  warning: { pill: "warn", text: "Warning" },
  bad: { pill: "bad", text: "Misconduct" },
};

interface LogResultProps {
  finding: LogFinding;
  /** The address of the log's pages. */
  logUrl: string;
  /** The thing that should be in the log. */
  subject?: "record" | "document";
  /** Shows only in print where the entry is, because the page is long and the verify page shows it. */
  brief?: boolean;
  /** Accepts another key of the log than the one that this browser remembers. */
  onAcceptKey?: () => void;
}

/** Shows the sentence about the public log, where the entry is, and the actions that a reader has. */
export function LogResult({ finding, logUrl, subject, brief, onAcceptKey }: LogResultProps) {
  const { tone, text } = logSentence(finding, subject);
  const { origin, place, fault, contradiction, unread, keys, isNewKey, renewed } = finding;
  const isOtherKey = fault?.code === "log_unknown" && keys.length > 0;
  return (
    <div class={`log-result ${tone}`}>
      <p>
        <strong class={`pill ${WORDS[tone].pill}`}>{WORDS[tone].text}</strong>{" "}
        <span class="log-sentence">{text}</span>
      </p>
      {place !== null && (
        <p class={`muted text-small anywhere ${brief ? "paper-only" : ""}`}>
          <a href={`${logUrl}?find=${place.index}#find`}>Entry {formatCount(place.index)}</a> of
          {" "}
          {formatCount(place.size)} in {origin}, signed by key{" "}
          <code>{place.keyId}</code>.{isNewKey &&
            " Your browser has seen this key for the first time and remembers it."}
        </p>
      )}
      {typeof renewed === "string" && (
        <p class="muted text-small">
          The proof alone does not satisfy the policy. The newest state of the log does, and
          contains everything that the proof has.
        </p>
      )}
      {fault !== null && fault.code !== "log_missing" && (
        <p class="muted text-small">
          Code <code class="fault-code">{fault.code}</code>: {fault.message}
        </p>
      )}
      {unread !== null && (
        <p class="muted text-small">It was not compared with the newest state: {unread}</p>
      )}
      {contradiction !== null && (
        <p class="actions">
          <button
            type="button"
            class="button"
            onClick={() =>
              saveFile("log-evidence.json", `${JSON.stringify(contradiction, null, 2)}\n`)}
          >
            Save the evidence
          </button>
        </p>
      )}
      {isOtherKey && onAcceptKey !== undefined && (
        <>
          <p class="muted text-small">
            Your browser remembers {keys.map((key) => <code key={key}>{idOf(key)}</code>)}{" "}
            as the log's key. Accept another one only if you know from another source that the
            publisher has replaced it. What your browser remembers of the log is then forgotten.
          </p>
          <p class="actions">
            <button type="button" class="button" onClick={onAcceptKey}>Accept the new key</button>
          </p>
        </>
      )}
    </div>
  );
}

/** Returns the id in a key as text. */
const idOf = (key: string) => key.split("+")[1];
