/** The first step of signing in by phone: the number, and SMS or call as the way to get a code. */
import type { Channel } from "../../lib/features/codes/mod.ts";
import { DIAL_CODES } from "../../lib/features/contact/fields.ts";
import { Field } from "../Field.tsx";
import type { CodeStart } from "./client.ts";

export const CHANNEL_LABELS: Record<Channel, string> = {
  sms: "Text me a code",
  voice: "Call me instead",
};

interface NumberEntryProps {
  state: CodeStart;
  busy: boolean;
  onSend: (channel: Channel, typed?: { country: string; number: string }) => void;
}

/** Asks for the number to sign in with, or shows the record's own number, and how to get the code. */
export function NumberEntry({ state, busy, onSend }: NumberEntryProps) {
  const { purpose, channel, channels, to, problem, request } = state;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const method = (event.submitter as HTMLButtonElement | null)?.value ?? channel;
    const typed = {
      country: String(form.get("mobile_country")),
      number: String(form.get("mobile_number")),
    };
    onSend(method as Channel, purpose === "sign_in" ? typed : undefined);
  };
  // The chosen way comes first, because Enter presses the first button.
  const ordered = [...channels].sort((a, b) => Number(b === channel) - Number(a === channel));
  return (
    <form method="post" action="/api/auth/otp/send" noValidate onSubmit={submit}>
      <input type="hidden" name="purpose" value={purpose} />
      {request !== undefined && <input type="hidden" name="request" value={request} />}
      <div role="alert">
        {problem !== undefined && problem.field !== "mobile" && (
          <p class="code-note bad pad-3-4 rounded">{problem.text}</p>
        )}
      </div>
      {purpose === "sign_in" ? <NumberField {...state} /> : (
        <p>
          We will send a code to{" "}
          <strong class="nowrap">{to}</strong>, the number that you registered.
        </p>
      )}
      <div class="actions">
        {ordered.map((each, i) => (
          <button
            key={each}
            type="submit"
            name="method"
            value={each}
            class={i === 0 ? "button primary" : "button"}
            aria-busy={busy && each === channel ? "true" : "false"}
          >
            {ordered.length === 1 && each === "voice" ? "Call me" : CHANNEL_LABELS[each]}
          </button>
        ))}
      </div>
    </form>
  );
}

function NumberField({ country = DIAL_CODES[0].country, number = "", problem }: CodeStart) {
  // Uncontrolled, so that rerendering keeps what was typed. Spread, because precompiled JSX would
  // render `defaultValue` as an unknown attribute.
  const initial = { defaultValue: number };
  return (
    <Field
      name="mobile_number"
      label="Mobile number"
      hint="You can sign in only with a number that was confirmed for the record."
      problem={problem?.field === "mobile" ? problem.text : undefined}
      required
    >
      {(control) => (
        <div class="code-number stack gap-2">
          <select name="mobile_country" aria-label="Dial code" autocomplete="tel-country-code">
            {DIAL_CODES.map(({ country: each, name, code }) => (
              <option key={each} value={each} selected={each === country}>
                {`${name} (${code})`}
              </option>
            ))}
          </select>
          <input
            {...control}
            {...initial}
            type="text"
            inputmode="tel"
            autocomplete="tel-national"
            maxLength={40}
          />
        </div>
      )}
    </Field>
  );
}
