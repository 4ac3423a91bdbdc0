/** The area of the verify page that shows progress, failure or verdict of a verification, with its buttons. */
import type { Examination } from "./examine.ts";
import { saveFile } from "./save_file.ts";
import { Seal } from "./Seal.tsx";
import type { Verification } from "./useVerification.ts";
import { logText } from "./LogResult.tsx";
import { Verdict, verdictText } from "./Verdict.tsx";

interface OutcomeProps {
  verification: Verification;
  /** Verifies the publisher's chain again. Undefined if the page's URL names no chain. */
  onVerify?: () => void;
  /** Repeats the last verification and accepts another key of the log. */
  onAcceptKey: () => void;
}

/** The state of a verification with its next actions, announced to screen readers. */
export function Outcome({ verification, onVerify, onAcceptKey }: OutcomeProps) {
  return (
    <>
      <p role="status" class="visually-hidden">{announcement(verification)}</p>
      {verification.phase === "idle" && onVerify && <Progress />}
      {verification.phase === "reading" && <Progress progress={verification} />}
      {verification.phase === "failed" && (
        <div class="state error">
          <strong>Nothing was verified</strong>
          <p>{verification.message}</p>
          {onVerify && <button type="button" class="button" onClick={onVerify}>Try again</button>}
        </div>
      )}
      {verification.phase === "done" && (
        <Verdict examination={verification.examination} onAcceptKey={onAcceptKey}>
          <Actions examination={verification.examination} onVerify={onVerify} />
        </Verdict>
      )}
    </>
  );
}

/** @param progress undefined before the verification starts and without JavaScript */
function Progress({ progress }: { progress?: { read: number; total: number } }) {
  return (
    <section class="verdict open" aria-label="Verdict">
      <Seal kind="open" />
      <div class="verdict-text">
        <p class="eyebrow">The publisher's chain</p>
        <h2>{progress ? "Verifying…" : "Not verified"}</h2>
        <p class="with-scripts">
          Your browser verifies the chain: it reads all events back to event 0, recomputes every
          hash, and checks the publisher's signature.
        </p>
        {progress && (
          <progress
            aria-label="Events read"
            max={progress.total || undefined}
            value={progress.total ? progress.read : undefined}
          />
        )}
      </div>
    </section>
  );
}

function Actions(
  { examination: { of, chain, savable }, onVerify }: {
    examination: Examination;
    onVerify?: () => void;
  },
) {
  if (savable === null && onVerify === undefined) return null;
  return (
    <p class="actions">
      {savable && (
        <button
          type="button"
          class="button primary"
          onClick={() => saveFile(`chain-${chain!.hash.slice(0, 8)}.json`, savable)}
        >
          {of === "file" ? "Save it with the newer proof" : "Save the chain as JSON"}
        </button>
      )}
      {onVerify && (
        <button type="button" class="button" onClick={onVerify}>
          {of === "file" ? "Verify the publisher's chain" : "Verify again"}
        </button>
      )}
    </p>
  );
}

function announcement(verification: Verification): string {
  switch (verification.phase) {
    case "idle":
      return "";
    case "reading":
      return "Verifying…";
    case "failed":
      return `Nothing was verified. ${verification.message}`;
    case "done":
      return [verdictText(verification.examination), logText(verification.examination.log)]
        .filter((text) => text !== "").join(". ");
  }
}
