import { CONFIG } from "../../lib/contact/config.ts";
import type { Draft, Issues } from "./draft.ts";
import { Field, idOf, Problem } from "./Field.tsx";

const { COPY } = CONFIG;

export interface FieldsProps {
  draft: Draft;
  onDraft: (change: Partial<Draft>) => void;
  issues: Issues;
  busy: boolean;
}

/**
 * The fields in their canonical order (spec 2.8). None has a `maxlength`, which cuts off what is
 * pasted without a word; what is too long is told instead.
 */
export function Fields(props: FieldsProps) {
  const { draft, onDraft, issues, busy } = props;
  const text = (name: "name" | "organisation" | "email" | "message") => ({
    name,
    value: draft[name],
    readOnly: busy,
    onInput: (event: Event) => onDraft({ [name]: (event.currentTarget as HTMLInputElement).value }),
  });
  return (
    <>
      <div class="pair">
        <Field name="name" required problem={issues.name}>
          {(control) => <input {...control} {...text("name")} type="text" autocomplete="name" />}
        </Field>
        <Field name="organisation" problem={issues.organisation}>
          {(control) => (
            <input
              {...control}
              {...text("organisation")}
              type="text"
              autocomplete="organization"
            />
          )}
        </Field>
      </div>
      <div class="pair">
        <Field name="email" required problem={issues.email}>
          {(control) => (
            <input
              {...control}
              {...text("email")}
              type="email"
              inputmode="email"
              autocomplete="email"
              autocapitalize="off"
              spellcheck={false}
            />
          )}
        </Field>
        <MobileField {...props} />
      </div>
      <EnquiryTypeField {...props} />
      <Field name="message" problem={issues.message}>
        {(control) => <textarea {...control} {...text("message")} rows={4} autocomplete="off" />}
      </Field>
      <Honeypot {...props} />
    </>
  );
}

function MobileField({ draft, onDraft, issues, busy }: FieldsProps) {
  return (
    <Field name="mobile" problem={issues.mobile}>
      {(control) => (
        <div class="mobile">
          <div class="dial">
            <select
              name="mobile_country"
              aria-label={COPY.LABELS.country}
              autocomplete="tel-country-code"
              value={draft.mobile_country}
              onChange={({ currentTarget }) => onDraft({ mobile_country: currentTarget.value })}
            >
              {CONFIG.DIAL_CODES.map(({ country, name, code }) => (
                <option key={country} value={country}>{`${name} (${code})`}</option>
              ))}
            </select>
            <span aria-hidden="true">{dialOf(draft.mobile_country)}</span>
          </div>
          <input
            {...control}
            name="mobile_number"
            type="tel"
            inputmode="tel"
            autocomplete="tel-national"
            readOnly={busy}
            value={draft.mobile_number}
            onInput={({ currentTarget }) => onDraft({ mobile_number: currentTarget.value })}
          />
        </div>
      )}
    </Field>
  );
}

/** Short enough to stand before the number; the list itself has the names. */
function dialOf(country: string): string {
  const dial = CONFIG.DIAL_CODES.find((dial) => dial.country === country);
  return dial ? `${dial.country} ${dial.code}` : "";
}

function EnquiryTypeField({ draft, onDraft, issues }: FieldsProps) {
  const id = idOf("enquiry_type");
  const problem = issues.enquiry_type;
  return (
    <fieldset
      class="field"
      aria-describedby={problem && `${id}-problem`}
      aria-invalid={problem ? "true" : undefined}
      role="radiogroup"
      aria-required="true"
    >
      <legend>{COPY.LABELS.enquiry_type}</legend>
      <div class="chips">
        {CONFIG.ENQUIRY_TYPES.map((type, i) => (
          <label key={type} class="chip">
            <input
              id={i === 0 ? id : undefined}
              type="radio"
              name="enquiry_type"
              autocomplete="off"
              value={type}
              checked={draft.enquiry_type === type}
              onChange={() => onDraft({ enquiry_type: type })}
            />
            <span>{type}</span>
          </label>
        ))}
      </div>
      <Problem name="enquiry_type" text={problem} />
    </fieldset>
  );
}

/** Off the screen, for people; programs that fill in everything find it. */
function Honeypot({ draft, onDraft }: FieldsProps) {
  return (
    <div class="away" aria-hidden="true">
      <label for={CONFIG.HONEYPOT}>{COPY.LABELS.honeypot}</label>
      <input
        id={CONFIG.HONEYPOT}
        name={CONFIG.HONEYPOT}
        type="text"
        tabindex={-1}
        autocomplete="off"
        value={draft.trap}
        onInput={({ currentTarget }) => onDraft({ trap: currentTarget.value })}
      />
    </div>
  );
}
