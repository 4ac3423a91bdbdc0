/** The island on the sign-in page that sends the link without leaving the page. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { EmailForm } from "./EmailForm.tsx";
import { InboxNote } from "./InboxNote.tsx";
import { requestLink, type SignInProblem } from "./request_link.ts";

export interface SignInStart {
  phase: "ask" | "sent";
  email: string;
  /** The page that the person was going to. */
  next: string | null;
  problem?: SignInProblem;
}

/**
 * The content of the sign-in card: the email form, then the note to check the inbox. Without
 * scripts, the browser posts the same form and the server renders the next state.
 */
export function SignInForm(
  { start, headline, lead, note, restricted }: {
    start: SignInStart;
    headline: string;
    lead: string;
    /** Why a link that was just opened did not sign in. */
    note?: string;
    restricted: boolean;
  },
) {
  const [state, setState] = useState({ ...start, note });
  const { phase, email, problem } = state;
  const [busy, setBusy] = useState(false);
  const [resends, setResends] = useState(0);
  const content = useRef<HTMLDivElement>(null);

  // New content gets the focus, except on the first render.
  const first = useRef(true);
  useLayoutEffect(() => {
    if (first.current) first.current = false;
    else if (phase === "sent") content.current!.querySelector("h1")!.focus();
    else content.current!.querySelector("input")!.focus();
  }, [phase, problem, resends]);

  const send = async (typed: string) => {
    if (busy) return;
    setBusy(true);
    const refused = await requestLink(typed, start.next);
    setBusy(false);
    setState({ ...state, phase: refused ? phase : "sent", email: typed, problem: refused });
    if (!refused) setResends(phase === "sent" ? resends + 1 : 0);
  };
  return (
    <div ref={content}>
      {phase === "sent"
        ? (
          <InboxNote
            email={email}
            next={start.next}
            restricted={restricted}
            busy={busy}
            resends={resends}
            problem={problem}
            onResend={() => send(email)}
            onBack={() => setState({ ...state, phase: "ask", note: undefined, problem: undefined })}
          />
        )
        : (
          <EmailForm
            headline={headline}
            lead={lead}
            email={email}
            next={start.next}
            note={state.note}
            passkeys={restricted}
            busy={busy}
            problem={problem}
            onSend={send}
          />
        )}
    </div>
  );
}
