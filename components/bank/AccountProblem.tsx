import { NO_ACCESS, SIGNED_OUT, UNREACHABLE } from "../../lib/features/bank/console/finance.ts";
import { errorMessage } from "../../lib/features/bank/console/labels.ts";
import { StateNote } from "../StateNote.tsx";

/** Explains why the transactions cannot be shown. The filters above it stay as typed. */
export function AccountProblem({ code, href, outdated, onRetry }: {
  code: string;
  href: string;
  /** True if the transactions of earlier filters are still shown below. */
  outdated: boolean;
  onRetry: (event: MouseEvent) => void;
}) {
  return (
    <StateNote kind="error" title="The transactions could not be read">
      <p>{MESSAGES[code] ?? errorMessage(code)}</p>
      {outdated && <p>The transactions below match the previous filters.</p>}
      {code === SIGNED_OUT
        ? <a class="button small" href={href}>Sign in again</a>
        : <a class="button small" href={href} aria-current="false" onClick={onRetry}>Try again</a>}
    </StateNote>
  );
}

const MESSAGES: Record<string, string | undefined> = {
  [UNREACHABLE]: "The console did not respond. Check your connection.",
  [SIGNED_OUT]: "You are signed out. Your filters are kept.",
  [NO_ACCESS]: "You no longer have access to this page.",
};
