import { CONFIG } from "../../lib/contact/config.ts";
import { Field } from "../Field.tsx";

const { COPY, DIAL_CODES, ENQUIRY_TYPES, HONEYPOT } = CONFIG;
const { LABELS } = COPY;
const optional = (label: string) => `${label} (${COPY.OPTIONAL})`;

/** What was typed, by the names that the form posts. */
export interface EnquiryValues {
  name?: string;
  organisation?: string;
  email?: string;
  mobile_country?: string;
  mobile_number?: string;
  enquiry_type?: string;
  message?: string;
}

export interface EnquiryFormProps {
  /** The register endpoint, in full. */
  action: string;
  values?: EnquiryValues;
  /** What is wrong, by field; both parts of the mobile are `mobile`. */
  issues?: Record<string, string>;
  /** When the page was made, ISO 8601: who sends sooner than two seconds later has not read it. */
  renderedAt: string;
  /** One for each opening of the form, so that sending it twice registers once. */
  idempotencyKey: string;
  /** Whether there is a bot challenge, which needs scripts: then this form cannot be sent. */
  challenge?: boolean;
}

/** The contact form as it works without scripts (spec 2.8). The server says what is wrong. */
export function EnquiryForm(
  { action, values = {}, issues = {}, renderedAt, idempotencyKey, challenge = false }:
    EnquiryFormProps,
) {
  return (
    <form class="enquiry" method="post" action={action} noValidate>
      <Field name="name" label={LABELS.name} problem={issues.name} required>
        {(control) => (
          <input
            {...control}
            {...typed(values.name)}
            type="text"
            autocomplete="name"
          />
        )}
      </Field>
      <Field
        name="organisation"
        label={optional(LABELS.organisation)}
        problem={issues.organisation}
      >
        {(control) => (
          <input
            {...control}
            {...typed(values.organisation)}
            type="text"
            autocomplete="organization"
          />
        )}
      </Field>
      <Field name="email" label={LABELS.email} problem={issues.email} required>
        {(control) => (
          <input
            {...control}
            {...typed(values.email)}
            type="email"
            autocomplete="email"
          />
        )}
      </Field>
      <div class="enquiry-mobile">
        <Field name="mobile_country" label={LABELS.country}>
          {(control) => (
            <select {...control} autocomplete="tel-country-code">
              {DIAL_CODES.map(({ country, name, code }) => (
                <option
                  key={country}
                  value={country}
                  selected={country === (values.mobile_country ?? DIAL_CODES[0].country)}
                >
                  {`${name} (${code})`}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="mobile_number" label={optional(LABELS.mobile)} problem={issues.mobile}>
          {(control) => (
            <input
              {...control}
              {...typed(values.mobile_number)}
              type="tel"
              autocomplete="tel-national"
            />
          )}
        </Field>
      </div>
      <Field name="enquiry_type" label={LABELS.enquiry_type} problem={issues.enquiry_type} required>
        {(control) => (
          <select {...control} autocomplete="off">
            {ENQUIRY_TYPES.map((type) => (
              <option
                key={type}
                value={type}
                selected={type === (values.enquiry_type ?? ENQUIRY_TYPES[0])}
              >
                {type}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="message" label={optional(LABELS.message)} problem={issues.message}>
        {(control) => (
          <textarea
            {...control}
            {...typed(values.message)}
            rows={6}
            autocomplete="off"
          />
        )}
      </Field>
      <div class="enquiry-extension" aria-hidden="true">
        <label for={`field-${HONEYPOT}`}>{LABELS.honeypot}</label>
        <input
          id={`field-${HONEYPOT}`}
          name={HONEYPOT}
          type="text"
          tabindex={-1}
          autocomplete="off"
        />
      </div>
      <input type="hidden" name="idempotency_key" value={idempotencyKey} />
      <input type="hidden" name="rendered_at" value={renderedAt} />
      {challenge
        ? (
          <p class="enquiry-note" role="note">
            Sending needs scripts, for it is guarded against robots. Allow them for this page and
            load it again.
          </p>
        )
        : <button type="submit" class="button primary">{COPY.SUBMIT}</button>}
      <p class="muted">{COPY.FOOTER}</p>
    </form>
  );
}

// A beginning, which later renderings leave alone; spread, for the precompiled markup would not
// know it.
const typed = (value: string | undefined) => ({ defaultValue: value ?? "" });
