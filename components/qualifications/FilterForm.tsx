/** The search form for qualifications: its text field, filters and counts. */
import type { JSX } from "preact";
import { type Filters, MAX_QUERY_LENGTH } from "../../lib/features/qualifications/filters.ts";
import type {
  FilterOption,
  FilterOptions,
} from "../../lib/features/qualifications/filter_options.ts";
import type { Counts } from "../../lib/features/qualifications/schemas.ts";

/** The form's id, by which the island of the results finds it. */
export const FILTER_FORM = "finder";

export interface FilterFormProps {
  /** The URL that the form requests without JavaScript. */
  action: string;
  /** The initial values; afterwards the controls keep their own state. */
  initial: Filters;
  options: FilterOptions;
  counts: Counts;
}

type InputProps = JSX.InputHTMLAttributes<HTMLInputElement>;

const STATUSES: FilterOption[] = [
  { value: "", text: "All" },
  { value: "current", text: "Current" },
  { value: "superseded", text: "Superseded" },
];

/** The form of the search. It is rendered on the server only; `finder.ts` reads it. */
export function FilterForm({ action, initial, options, counts }: FilterFormProps) {
  // They are spread because the precompiled JSX doesn't support them as attributes.
  const query: InputProps = {
    type: "search",
    name: "q",
    defaultValue: initial.q,
    maxLength: MAX_QUERY_LENGTH,
    "aria-label": "Code, title or training package",
    placeholder: "Code, title or package",
    spellcheck: false,
    enterkeyhint: "search",
  };
  return (
    <form
      id={FILTER_FORM}
      class="finder"
      role="search"
      aria-label="Qualifications"
      action={action}
      method="get"
      autocomplete="off"
    >
      <div class="finder-query cluster round raised">
        <svg class="muted" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <circle cx="8.5" cy="8.5" r="5.5" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="m12.7 12.7 4.3 4.3" stroke="currentColor" stroke-width="1.6" />
        </svg>
        <input {...query} />
        <button type="submit" class="button primary">Search</button>
      </div>
      <div class="finder-filters stack above-4">
        <Select
          name="level"
          label="AQF level"
          all="All levels"
          initial={initial.level === undefined ? "" : String(initial.level)}
          options={options.level}
          counts={counts.level}
        />
        <Select
          name="package"
          label="Training package"
          all="All packages"
          initial={initial.package ?? ""}
          options={options.package}
          counts={counts.package}
        />
        <fieldset class="segments shrinks flush">
          <legend class="muted text-small below-1">Status</legend>
          <div class="flex rounded raised">
            {STATUSES.map(({ value, text }) => (
              <label class="relative" key={value}>
                <input {...statusInput(value, initial)} />
                <span class="stack muted text-medium">{text}</span>
              </label>
            ))}
          </div>
        </fieldset>
      </div>
    </form>
  );
}

function statusInput(value: string, initial: Filters): InputProps {
  return { type: "radio", name: "status", value, defaultChecked: value === (initial.status ?? "") };
}

function Select({ name, label, all, initial, options, counts }: {
  name: string;
  label: string;
  all: string;
  initial: string;
  options: FilterOption[];
  counts: Record<string, number>;
}) {
  return (
    <div class="field flush relative">
      <label class="muted text-small" for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name}>
        <option value="" selected={initial === ""}>{all}</option>
        {options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === initial}>
            {`${text} (${counts[value] ?? 0})`}
          </option>
        ))}
      </select>
    </div>
  );
}
