/** The fields of the contact form, from their definitions in its configuration. */
import { CONFIG } from "../../lib/features/contact/config.ts";
import {
  type ContactField,
  controlsOf,
  type FormValues,
  mainControlOf,
} from "../../lib/features/contact/fields.ts";
import { type ControlProps, Field } from "../Field.tsx";

const { COPY, DIAL_CODES, FIELDS, HONEYPOT } = CONFIG;

interface FieldsProps {
  values: FormValues;
  issues: Partial<Record<string, string>>;
  /**
   * Receives each change in the browser. Undefined in the form for pages without scripts, where
   * choices are lists and dial codes show the country's full name.
   */
  onChange?: (change: FormValues) => void;
  busy?: boolean;
}

/**
 * The fields of the contact form in their canonical order (spec 2.8). They have no `maxlength`,
 * which would silently truncate pasted text.
 */
export function Fields(props: FieldsProps) {
  return (
    <div class="fields">
      {FIELDS.map((field: ContactField) => (
        <div
          key={field.name}
          class={field.half ? "half" : field.kind === "choice" ? "wide choice" : "wide"}
        >
          {field.kind === "choice" && props.onChange !== undefined
            ? <Chips {...props} field={field} />
            : (
              <Field
                name={mainControlOf(field)}
                label={<Label {...field} />}
                required={field.missing !== undefined}
                problem={props.issues[field.name]}
              >
                {(control) => <Control {...props} field={field} control={control} />}
              </Field>
            )}
        </div>
      ))}
      <Honeypot {...props} />
    </div>
  );
}

export const idOf = (field: ContactField): string => `field-${mainControlOf(field)}`;

function Label({ label, missing }: ContactField) {
  if (missing !== undefined) return <>{label}</>;
  return (
    <>
      {label} <span class="optional">{COPY.OPTIONAL}</span>
    </>
  );
}

interface ControlOptions extends FieldsProps {
  field: ContactField;
  control: ControlProps;
}

function Control({ field, control, values, onChange, busy }: ControlOptions) {
  const { autocomplete } = field;
  const typed = bind(mainControlOf(field), { values, onChange, busy });
  switch (field.kind) {
    case "line":
      return <input {...control} {...typed} type="text" autocomplete={autocomplete} />;
    case "text":
      return <textarea {...control} {...typed} rows={4} autocomplete={autocomplete} />;
    case "email":
      return (
        <input
          {...control}
          {...typed}
          type="email"
          inputmode="email"
          autocomplete={autocomplete}
          autocapitalize="off"
          spellcheck={false}
        />
      );
    case "choice":
      return (
        <select {...control} autocomplete={autocomplete}>
          {field.missing === undefined && <option value="">{COPY.NOT_CHOSEN}</option>}
          {options(
            field.choices.map((choice) => [choice, choice]),
            values[mainControlOf(field)] ?? "",
          )}
        </select>
      );
    case "mobile": {
      const [country] = controlsOf(field);
      const dial = DIAL_CODES.find((dial) => dial.country === values[country]);
      return (
        <div class="mobile">
          <div class="dial">
            <select
              name={country}
              aria-label={COPY.DIAL_CODE}
              autocomplete="tel-country-code"
              onChange={onChange &&
                (({ currentTarget }) => onChange({ [country]: currentTarget.value }))}
            >
              {options(
                DIAL_CODES.map(({ country, name, code }) => [country, `${name} (${code})`]),
                values[country],
              )}
            </select>
            {onChange && <span aria-hidden="true">{dial && `${dial.country} ${dial.code}`}</span>}
          </div>
          <input
            {...control}
            {...typed}
            // Not `tel`: by HTML's rules, such a field has the whole number, with the country's code.
            type="text"
            inputmode="tel"
            autocomplete={autocomplete}
          />
        </div>
      );
    }
  }
}

/**
 * Returns the props for the value of a control: controlled in the browser, otherwise an initial
 * value that rerendering keeps. Always spread them, because precompiled JSX ignores `defaultValue`.
 */
function bind(name: keyof FormValues, { values, onChange, busy }: Omit<FieldsProps, "issues">) {
  const value = values[name] ?? "";
  if (onChange === undefined) return { defaultValue: value };
  return {
    value,
    readOnly: busy,
    onInput: (event: Event) =>
      onChange({ [name]: (event.currentTarget as HTMLInputElement).value }),
  };
}

/** Returns the options of a list; the first one is selected by default. */
const options = (choices: (readonly [value: string, text: string])[], selected?: string) =>
  choices.map(([value, text], i) => (
    <option
      key={value}
      value={value}
      selected={selected === undefined ? i === 0 : value === selected}
    >
      {text}
    </option>
  ));

function Chips({ field, values, onChange, issues }: FieldsProps & {
  field: ContactField & { kind: "choice" };
}) {
  const id = idOf(field);
  const name = mainControlOf(field);
  const problem = issues[field.name];
  /** Returns whether pressing a choice clears an optional field. */
  const clears = (choice: string) => field.missing === undefined && values[name] === choice;
  return (
    <fieldset
      class="field"
      aria-describedby={problem && `${id}-problem`}
      aria-invalid={problem ? "true" : undefined}
      role="radiogroup"
      aria-required={field.missing !== undefined ? "true" : undefined}
    >
      <legend>
        <Label {...field} />
      </legend>
      <div class="chips">
        {field.choices.map((choice, i) => (
          <label key={choice} class="chip">
            <input
              id={i === 0 ? id : undefined}
              type="radio"
              name={name}
              autocomplete="off"
              value={choice}
              checked={values[name] === choice}
              onChange={() => onChange!({ [name]: choice })}
              // Radio buttons cannot be cleared by themselves. `values` is from before the click.
              onClick={() => clears(choice) && onChange!({ [name]: "" })}
              onKeyDown={(event) => {
                if (event.key !== " " || !clears(choice)) return;
                event.preventDefault();
                onChange!({ [name]: "" });
              }}
            />
            <span>{choice}</span>
          </label>
        ))}
      </div>
      {problem && <span class="problem" id={`${id}-problem`}>{problem}</span>}
    </fieldset>
  );
}

/** Invisible to people, but filled in by programs that fill in every field. */
function Honeypot(props: FieldsProps) {
  const id = `field-${HONEYPOT}`;
  return (
    <div class="away enquiry-extension" aria-hidden="true">
      <label for={id}>{COPY.HONEYPOT}</label>
      <input
        id={id}
        name={HONEYPOT}
        {...bind(HONEYPOT, props)}
        type="text"
        tabindex={-1}
        autocomplete="off"
      />
    </div>
  );
}
