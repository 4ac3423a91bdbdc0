import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { EmailForm } from "../components/sign_in/EmailForm.tsx";
import { InboxNote } from "../components/sign_in/InboxNote.tsx";
import { askForLink } from "../components/sign_in/ask_for_link.ts";
import type { SignInProblem } from "../lib/sign_in/words.ts";

/** How far somebody is who wants to sign in. */
export interface SignInStart {
  phase: "ask" | "sent";
  email: string;
  /** Where the person was going. */
  next: string | null;
  problem?: SignInProblem;
}

/**
 * The sign-in card's inside: it asks for an address, then says where to look. Without scripts the
 * same form is posted, and the server renders what comes next.
 */
export default function SignInForm(
  { start, expired, restricted }: { start: SignInStart; expired: boolean; restricted: boolean },
) {
  const [state, setState] = useState({ ...start, expired });
  const { phase, email, problem } = state;
  const [busy, setBusy] = useState(false);
  const [resends, setResends] = useState(0);
  const inside = useRef<HTMLDivElement>(null);

  // What is new gets the focus, but not what the page has begun with.
  const first = useRef(true);
  useLayoutEffect(() => {
    if (first.current) first.current = false;
    else if (phase === "sent") inside.current!.querySelector("h1")!.focus();
    else inside.current!.querySelector("input")!.focus();
  }, [phase, problem, resends]);

  const send = async (typed: string) => {
    if (busy) return;
    setBusy(true);
    const refused = await askForLink(typed, start.next);
    setBusy(false);
    setState({ ...state, phase: refused ? phase : "sent", email: typed, problem: refused });
    if (!refused) setResends(phase === "sent" ? resends + 1 : 0);
  };
  return (
    <div ref={inside}>
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
            onBack={() => setState({ ...state, phase: "ask", expired: false, problem: undefined })}
          />
        )
        : (
          <EmailForm
            email={email}
            next={start.next}
            expired={state.expired}
            busy={busy}
            problem={problem}
            onSend={send}
          />
        )}
    </div>
  );
}
