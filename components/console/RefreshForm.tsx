import { type RefreshResult, SIGNED_OUT, UNREACHABLE } from "../../lib/console/finance.ts";
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
        {busy ? "The bank is being asked." : result.state === "done" ? "Up to date." : ""}
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
  if (code === UNREACHABLE) return <>This console did not answer. Try again.</>;
  if (code !== SIGNED_OUT) return <>{reasonText(code)}</>;
  return (
    <>
      You are signed out: <a href="/auth?next=/console/finance">sign in again</a>.
    </>
  );
}
