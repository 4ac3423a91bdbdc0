/** The button on the finance page that reads the figures from the bank again, and its error messages. */
import {
  NO_ACCESS,
  type RefreshState,
  SIGNED_OUT,
  UNREACHABLE,
} from "../../lib/features/bank/console/finance.ts";
import { errorMessage } from "../../lib/features/bank/console/labels.ts";
import { Icon } from "../Icon.tsx";

/** The refresh button, with its progress and result next to it. */
export function RefreshForm(
  { refresh, onRefresh }: { refresh: RefreshState; onRefresh: (event: Event) => void },
) {
  const { state } = refresh;
  const busy = state === "busy";
  return (
    <div class="refresh">
      <form method="post" action="/api/bank/refresh" onSubmit={onRefresh}>
        <button type="submit" class="button small" aria-busy={busy} aria-disabled={busy}>
          <Icon name="refresh" />
          Refresh
        </button>
      </form>
      <p role="status" class={state === "done" ? "refreshed" : "visually-hidden"}>
        {busy ? "Fetching from the bank." : state === "done" ? "Refreshed." : ""}
      </p>
      {refresh.state === "failed" && (
        <p role="alert" class="problem">
          The figures could not be refreshed. <Failure code={refresh.code} />
        </p>
      )}
    </div>
  );
}

function Failure({ code }: { code: string }) {
  switch (code) {
    case UNREACHABLE:
      return <>The console did not respond. Try again.</>;
    case SIGNED_OUT:
      return (
        <>
          You are signed out: <a href="/auth?next=/console/finance">sign in again</a>.
        </>
      );
    case NO_ACCESS:
      return (
        <>
          You no longer have access to this page: <a href="/console/finance">see why</a>.
        </>
      );
    default:
      return <>{errorMessage(code)}</>;
  }
}
