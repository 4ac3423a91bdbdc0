/** The second step of signing in by email: the note to check the inbox, with a button to send the link again. */
import { LINKS_PER_HOUR, TOKEN_LIFETIME } from "../../lib/features/auth/link_terms.ts";
import { MINUTE_MS, plural, SECOND_MS } from "../../lib/base/time.ts";
import { inWords, USED_UP, useLinkWait } from "./link_wait.ts";
import type { SignInProblem } from "./request_link.ts";

/** The delay before a link can be resent (spec 8). */
const RESEND_AFTER_S = MINUTE_MS / SECOND_MS;

export interface InboxNoteProps {
  email: string;
  next: string | null;
  /** True if only some addresses may sign in here. */
  restricted: boolean;
  busy: boolean;
  /** How often the link has been resent. The countdown restarts each time. */
  resends: number;
  problem?: SignInProblem;
  onResend: () => void;
  onBack: () => void;
}

/**
 * Shows where the link was sent, and offers to send another one after a minute. Without scripts,
 * the style sheet reveals the button after the same time.
 */
export function InboxNote(
  { email, next, restricted, busy, resends, problem, onResend, onBack }: InboxNoteProps,
) {
  const { left, usedUp } = useLinkWait(email, {
    round: resends,
    minimum: RESEND_AFTER_S,
    counts: problem === undefined,
  });
  const resend = (event: SubmitEvent) => {
    event.preventDefault();
    onResend();
  };
  return (
    <>
      <h1 class="below-3" tabindex={-1}>Check your inbox</h1>
      <p>
        Open the latest link that we emailed to <strong class="address anywhere">{email}</strong>
        {restricted && ", if this address may sign in here"}. It signs you in once, within{" "}
        {TOKEN_LIFETIME}.
      </p>
      <div role="status">
        {problem
          ? <p class="auth-note bad">{problem.text}</p>
          : usedUp
          ? <p class="auth-note warn">{USED_UP}</p>
          : resends > 0 && <p class="auth-note">Sent again.</p>}
      </div>
      <form
        class={left === null ? "resend later" : "resend"}
        method="post"
        action="/api/auth/request"
        onSubmit={resend}
      >
        <input type="hidden" name="email" value={email} />
        {next !== null && <input type="hidden" name="next" value={next} />}
        {left !== null && left > 0
          ? <p class="muted">You can request another link {inWords(left)}.</p>
          : (
            <button type="submit" class="button wide below-4" aria-busy={busy ? "true" : "false"}>
              Send the link again
            </button>
          )}
      </form>
      <p class="muted">
        Nothing there? Look in the spam folder, or{" "}
        <a
          href={next === null ? "/auth" : `/auth?next=${encodeURIComponent(next)}`}
          onClick={(event) => {
            if (busy) return; // A pending response would change the form; loading the page discards it.
            event.preventDefault();
            onBack();
          }}
        >
          use another address
        </a>.{!usedUp &&
          ` For this sign-in, a mailbox gets at most ${plural(LINKS_PER_HOUR, "link")} per hour.`}
      </p>
    </>
  );
}
