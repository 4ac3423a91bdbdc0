import {
  NOT_OPEN,
  type RefreshResult,
  SIGNED_OUT,
  UNREACHABLE,
} from "../../lib/console/finance.ts";
import { reasonText } from "../../lib/console/words.ts";
import { Icon } from "./icons.tsx";

/** Has the bank asked again. Progress and result are told where the button is. */
export function RefreshForm(
  { result, onRefresh }: { result: RefreshResult; onRefresh: (event: Event) => void },
) {
  const busy = result.state === "busy";
  return (
    <div class="refresh">
      <form method="post" action="/api/bank/refresh" onSubmit={onRefresh}>
        <button type="submit" class="button small" aria-busy={busy} aria-disabled={busy}>
          <Icon name="refresh" />
          Refresh
        </button>
      </form>
      <p role="status" class={result.state === "done" ? "refreshed" : "visually-hidden"}>
        {busy ? "The bank is being asked." : result.state === "done" ? "Refreshed." : ""}
      </p>
      {result.state === "failed" && (
        <p role="alert" class="problem">
          The figures could not be refreshed. <Failure code={result.code} />
        </p>
      )}
    </div>
  );
}

function Failure({ code }: { code: string }) {
  switch (code) {
    case UNREACHABLE:
      return <>This console did not answer. Try again.</>;
    case SIGNED_OUT:
      return (
        <>
          You are signed out: <a href="/auth?next=/console/finance">sign in again</a>.
        </>
      );
    case NOT_OPEN:
      return (
        <>
          This page is no longer open to you: <a href="/console/finance">see why</a>.
        </>
      );
    default:
      return <>{reasonText(code)}</>;
  }
}
