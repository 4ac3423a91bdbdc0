import { Field } from "../Field.tsx";
import type { SignInProblem } from "./request_link.ts";

export interface EmailFormProps {
  headline: string;
  /** Who may sign in, and how. */
  lead: string;
  email: string;
  next: string | null;
  /** Whether a link was just refused. */
  expired: boolean;
  busy: boolean;
  problem?: SignInProblem;
  onSend: (email: string) => void;
}

/** Asks for an address. The server validates it, with scripts and without. */
export function EmailForm(
  { headline, lead, email, next, expired, busy, problem, onSend }: EmailFormProps,
) {
  // Uncontrolled, so that rendering again keeps what was typed. Spread, because precompiled JSX would
  // write it as an unknown attribute.
  const initial = { defaultValue: email };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSend(String(new FormData(event.currentTarget as HTMLFormElement).get("email")));
  };
  return (
    <form method="post" action="/api/auth/request" noValidate onSubmit={submit}>
      {expired && (
        <p class="auth-note warn">
          That link has expired, or was used before. Enter your email for a new one.
        </p>
      )}
      <h1>{headline}</h1>
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
            autocomplete="email"
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
