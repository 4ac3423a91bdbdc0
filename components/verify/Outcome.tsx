import { Progress } from "./Progress.tsx";
import { saveChain } from "./save.ts";
import type { Verification } from "./useVerification.ts";
import { Verdict, verdictOf } from "./Verdict.tsx";

/** How a verification stands, and what to do next. What it says first is also said aloud. */
export function Outcome(
  { state, onAgain }: {
    state: Verification;
    /** Verifies the publisher's chain anew; undefined where the page is about none. */
    onAgain?: () => void;
  },
) {
  return (
    <>
      <p role="status" class="visually-hidden">{announcementOf(state)}</p>
      {state.phase === "idle" && onAgain && <Progress />}
      {state.phase === "reading" && <Progress progress={state} />}
      {state.phase === "failed" && (
        <div class="state error">
          <strong>Nothing was verified</strong>
          <p>{state.message}</p>
          {onAgain && <button type="button" class="button" onClick={onAgain}>Try again</button>}
        </div>
      )}
      {state.phase === "done" && (
        <Verdict examination={state.examination}>
          <Actions examination={state.examination} onAgain={onAgain} />
        </Verdict>
      )}
    </>
  );
}

function Actions(
  { examination: { of, chain }, onAgain }: {
    examination: (Verification & { phase: "done" })["examination"];
    onAgain?: () => void;
  },
) {
  const kept = of === "file" ? null : chain;
  if (kept === null && onAgain === undefined) return null;
  return (
    <p class="actions">
      {kept && (
        <button type="button" class="button primary" onClick={() => saveChain(kept)}>
          Save the chain as JSON
        </button>
      )}
      {onAgain && (
        <button type="button" class="button" onClick={onAgain}>
          {of === "file" ? "Verify the publisher's chain" : "Verify again"}
        </button>
      )}
    </p>
  );
}

function announcementOf(state: Verification): string {
  switch (state.phase) {
    case "idle":
      return "";
    case "reading":
      return "Verifying…";
    case "failed":
      return `Nothing was verified. ${state.message}`;
    case "done":
      return verdictOf(state.examination);
  }
}
