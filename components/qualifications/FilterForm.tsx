import type { JSX, RefObject } from "preact";
import type { Choice, Choices } from "../../lib/qualifications/choices.ts";
import { type Filters, QUERY_LENGTH } from "../../lib/qualifications/filters.ts";
import type { Counts } from "../../lib/qualifications/listing.ts";

export interface FilterFormProps {
  /** Where the form leads without a script. */
  action: string;
  /** What the controls begin with; afterwards they keep what was chosen themselves. */
  begin: Filters;
  choices: Choices;
  counts: Counts;
  form: RefObject<HTMLFormElement>;
  onInput: (event: Event) => void;
  onSubmit: (event: Event) => void;
}

type InputProps = JSX.InputHTMLAttributes<HTMLInputElement>;

const STATUSES: Choice[] = [
  { value: "", text: "All" },
  { value: "current", text: "Current" },
  { value: "superseded", text: "Superseded" },
];

/** The search field and the filters. */
export function FilterForm(
  { action, begin, choices, counts, form, onInput, onSubmit }: FilterFormProps,
) {
  // Beginnings, so that later renderings leave alone what somebody types. They are spread because
  // the precompiled markup would not know them.
  const query: InputProps = {
    type: "search",
    name: "q",
    defaultValue: begin.q,
    maxLength: QUERY_LENGTH,
    "aria-label": "Code, title or training package",
    placeholder: "Code, title or training package",
    spellcheck: false,
    enterkeyhint: "search",
  };
  return (
    <form
      ref={form}
      class="finder"
      role="search"
      aria-label="Qualifications"
      action={action}
      method="get"
      autocomplete="off"
      onInput={onInput}
      onSubmit={onSubmit}
    >
      <div class="finder-query">
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <circle cx="8.5" cy="8.5" r="5.5" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="m12.7 12.7 4.3 4.3" stroke="currentColor" stroke-width="1.6" />
        </svg>
        <input {...query} />
        <button type="submit" class="button primary">Search</button>
      </div>
      <div class="finder-filters">
        <Select
          name="level"
          label="AQF level"
          all="All levels"
          begin={begin.level === undefined ? "" : String(begin.level)}
          choices={choices.level}
          counts={counts.level}
        />
        <Select
          name="package"
          label="Training package"
          all="All packages"
          begin={begin.package ?? ""}
          choices={choices.package}
          counts={counts.package}
        />
        <fieldset class="segments">
          <legend>Status</legend>
          <div>
            {STATUSES.map(({ value, text }) => (
              <label key={value}>
                <input {...statusControl(value, begin)} />
                <span>{text}</span>
              </label>
            ))}
          </div>
        </fieldset>
      </div>
    </form>
  );
}

function statusControl(value: string, begin: Filters): InputProps {
  return { type: "radio", name: "status", value, defaultChecked: value === (begin.status ?? "") };
}

function Select({ name, label, all, begin, choices, counts }: {
  name: string;
  label: string;
  all: string;
  begin: string;
  choices: Choice[];
  counts: Record<string, number>;
}) {
  return (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name}>
        <option value="" selected={begin === ""}>{all}</option>
        {choices.map(({ value, text }) => (
          <option key={value} value={value} selected={value === begin}>
            {`${text} (${counts[value] ?? 0})`}
          </option>
        ))}
      </select>
    </div>
  );
}
