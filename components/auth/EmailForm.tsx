/** The first step of signing in by email: the form for the address. */
import { Field } from "../Field.tsx";
import type { SignInProblem } from "./request_link.ts";

export interface EmailFormProps {
  headline: string;
  /** An explanation of who may sign in, and how. */
  lead: string;
  email: string;
  next: string | null;
  /** Why a link that was just opened did not sign in. */
  note?: string;
  /** True if passkeys are among the suggestions of the field. */
  passkeys: boolean;
  busy: boolean;
  problem?: SignInProblem;
  onSend: (email: string) => void;
}

/** Asks for an email address. The server validates it, with or without scripts. */
export function EmailForm(
  { headline, lead, email, next, note, passkeys, busy, problem, onSend }: EmailFormProps,
) {
  // Uncontrolled, so that rerendering keeps what was typed. Spread, because precompiled JSX would
  // render `defaultValue` as an unknown attribute.
  const initial = { defaultValue: email };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSend(String(new FormData(event.currentTarget as HTMLFormElement).get("email")));
  };
  return (
    <form method="post" action="/api/auth/request" noValidate onSubmit={submit}>
      {note !== undefined && <p class="auth-note warn">{note}</p>}
      <h1 class="below-3">{headline}</h1>
      <p class="muted">{lead}</p>
      <div role="alert">
        {problem && problem.field === undefined && <p class="auth-note bad">{problem.text}</p>}
      </div>
      <Field
        name="email"
        label="Email address"
        problem={problem?.field === "email" ? problem.text : undefined}
        required
      >
        {(control) => (
          <input
            {...control}
            {...initial}
            class="large"
            type="email"
            autocomplete={passkeys ? "username webauthn" : "email"}
            placeholder="you@example.org"
          />
        )}
      </Field>
      {next !== null && <input type="hidden" name="next" value={next} />}
      <button type="submit" class="button primary wide large" aria-busy={busy ? "true" : "false"}>
        Send link →
      </button>
    </form>
  );
}
