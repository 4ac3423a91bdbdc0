import type { SignInProblem } from "../../lib/sign_in/words.ts";
import { useCountdown } from "./useCountdown.ts";

/** Spec section 8. */
const RESEND_AFTER_S = 60;

export interface InboxNoteProps {
  email: string;
  next: string | null;
  /** Whether only some addresses may sign in here. */
  restricted: boolean;
  busy: boolean;
  /** How often it was sent again: each time the wait begins anew. */
  resends: number;
  problem?: SignInProblem;
  onResend: () => void;
  onBack: () => void;
}

/**
 * Says where the link went, and after a minute offers another. Without scripts there is nothing
 * that counts; the style sheet lets the offer appear after the same time.
 */
export function InboxNote(
  { email, next, restricted, busy, resends, problem, onResend, onBack }: InboxNoteProps,
) {
  const left = useCountdown(RESEND_AFTER_S, resends);
  const resend = (event: SubmitEvent) => {
    event.preventDefault();
    onResend();
  };
  return (
    <>
      <h1 tabindex={-1}>Check your inbox</h1>
      <p>
        We sent a link to <strong class="address">{email}</strong>
        {restricted && ", if this address may sign in here"}. It signs you in once, within 15
        minutes.
      </p>
      <div role="status">
        {problem
          ? <p class="auth-note bad">{problem.text}</p>
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
          ? <p class="muted">You can ask for another link in {left} s.</p>
          : (
            <button type="submit" class="button wide" aria-busy={busy ? "true" : "false"}>
              Send the link again
            </button>
          )}
      </form>
      <p class="muted">
        Nothing there? Look in the spam folder, or{" "}
        <a
          href={next === null ? "/auth" : `/auth?next=${encodeURIComponent(next)}`}
          onClick={(event) => {
            if (busy) return; // the answer would lead back here: a new page forgets it
            event.preventDefault();
            onBack();
          }}
        >
          use another address
        </a>. One address gets at most three links per hour.
      </p>
    </>
  );
}
