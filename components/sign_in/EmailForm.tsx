import type { SignInProblem } from "../../lib/sign_in/words.ts";
import { Field } from "../Field.tsx";

export interface EmailFormProps {
  email: string;
  next: string | null;
  /** Whether a link has just been refused. */
  expired: boolean;
  busy: boolean;
  problem?: SignInProblem;
  onSend: (email: string) => void;
}

/** Asks for an address. The server says what is wrong with it, with scripts and without. */
export function EmailForm({ email, next, expired, busy, problem, onSend }: EmailFormProps) {
  // A beginning, so that later renderings leave alone what somebody types. It is spread because the
  // precompiled markup would not know it.
  const beginning = { defaultValue: email };
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
      <h1>Sign in or create your account</h1>
      <p class="muted">We email you a link that signs you in. No password needed.</p>
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
            {...beginning}
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
