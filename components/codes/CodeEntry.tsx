/** The second step of signing in by phone: the field for the code that was sent. */
import { useEffect, useRef } from "preact/hooks";
import type { Channel } from "../../lib/features/codes/mod.ts";
import { Field } from "../Field.tsx";
import { useCountdown } from "../useCountdown.ts";
import type { CodeStart } from "./client.ts";
import { CHANNEL_LABELS } from "./NumberEntry.tsx";

interface CodeEntryProps {
  state: CodeStart;
  /** How often a code was sent on this page. The countdown restarts each time. */
  rounds: number;
  busy: boolean;
  onVerify: (code: string) => void;
  onSend: (channel: Channel) => void;
  onChange: () => void;
}

/** Asks for the code in a single field, and offers another code after a minute. */
export function CodeEntry(
  { state, rounds, busy, onVerify, onSend, onChange }: CodeEntryProps,
) {
  const { purpose, channel, channels, problem, request } = state;
  const form = useRef<HTMLFormElement>(null);
  const left = useCountdown(state.resendAfter, rounds);
  const stopReading = useWebOtp(channel === "sms", rounds, (code) => {
    const field = form.current?.elements.namedItem("code") as HTMLInputElement | null;
    if (field !== null) field.value = code;
    form.current?.requestSubmit();
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    stopReading();
    onVerify(String(new FormData(event.currentTarget as HTMLFormElement).get("code")));
  };
  const resend = (event: SubmitEvent) => {
    event.preventDefault();
    onSend(((event.submitter as HTMLButtonElement | null)?.value ?? channel) as Channel);
  };
  return (
    <>
      <form ref={form} method="post" action="/api/auth/otp/verify" noValidate onSubmit={submit}>
        <input type="hidden" name="purpose" value={purpose} />
        {request !== undefined && <input type="hidden" name="request" value={request} />}
        <p role="status">
          <SentNote {...state} /> It is valid for 10 minutes.
        </p>
        <div role="alert">
          {problem !== undefined && problem.field !== "code" && (
            <p class="code-note bad pad-3-4 rounded">{problem.text}</p>
          )}
        </div>
        <Field
          name="code"
          label="Code"
          hint="Six digits. Nobody from this site will ask you for it."
          problem={problem?.field === "code" ? problem.text : undefined}
          required
        >
          {(control) => (
            <input
              {...control}
              class="code-input"
              type="text"
              inputmode="numeric"
              autocomplete="one-time-code"
              maxLength={40}
              spellcheck={false}
            />
          )}
        </Field>
        <button type="submit" class="button primary" aria-busy={busy ? "true" : "false"}>
          {purpose === "sign_in" ? "Sign in" : "Confirm number"}
        </button>
      </form>
      <form
        class={left === null ? "above-5 code-resend later" : "above-5 code-resend"}
        method="post"
        action="/api/auth/otp/send"
        onSubmit={resend}
      >
        <input type="hidden" name="purpose" value={purpose} />
        {request !== undefined && <input type="hidden" name="request" value={request} />}
        {left !== null && left > 0
          ? <p class="muted">Nothing arrived? You can get another code in {left} s.</p>
          : (
            <>
              <p class="muted">Nothing arrived? Get another code. It replaces this one.</p>
              <div class="actions">
                {channels.map((each) => (
                  <button key={each} type="submit" name="method" value={each} class="button small">
                    {each === channel && each === "sms" ? "Text me again" : CHANNEL_LABELS[each]}
                  </button>
                ))}
              </div>
            </>
          )}
      </form>
      {purpose === "sign_in" && (
        <p class="muted">
          <a
            href={`/my-record/code?change=1${request === undefined ? "" : `&request=${request}`}`}
            onClick={(event) => {
              if (busy) return; // A pending response would change the form; loading the page discards it.
              event.preventDefault();
              onChange();
            }}
          >
            Use another number
          </a>
        </p>
      )}
    </>
  );
}

function SentNote({ purpose, channel, to }: CodeStart) {
  const number = <strong class="nowrap">{to}</strong>;
  if (purpose === "sign_in") {
    return channel === "sms"
      ? <>If {number} can sign in, a code is on its way.</>
      : <>If {number} can sign in, we are calling it. Press any key to hear the code.</>;
  }
  return channel === "sms"
    ? <>We sent a code to {number}.</>
    : <>We are calling {number}. Press any key to hear the code.</>;
}

interface OtpCredential extends Credential {
  code: string;
}

/**
 * Reads the code from the SMS in browsers that can (WebOTP), until the form is submitted.
 *
 * @returns stops reading
 */
function useWebOtp(active: boolean, round: number, onCode: (code: string) => void): () => void {
  const controller = useRef<AbortController>();
  useEffect(() => {
    if (!active || !("OTPCredential" in globalThis)) return;
    const { signal } = controller.current = new AbortController();
    const options = { otp: { transport: ["sms"] }, signal } as CredentialRequestOptions;
    navigator.credentials.get(options).then((credential) => {
      if (credential !== null) onCode((credential as OtpCredential).code);
    }, () => {}); // The person declined, or the form was submitted.
    return () => controller.current?.abort();
  }, [active, round]);
  return () => controller.current?.abort();
}
