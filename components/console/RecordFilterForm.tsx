import {
  CONFIRMED_CHOICES,
  MAX_SEARCH,
  type RecordsFilters,
  SORT_CHOICES,
} from "../../lib/console/record_filters.ts";
import { ENQUIRY_TYPES } from "../../lib/contact/fields.ts";
import { isDay } from "../../lib/time.ts";
import { type ControlProps, Field } from "../Field.tsx";
import { FilterToggle } from "./parts.tsx";

const TYPES = Object.fromEntries(ENQUIRY_TYPES.map((type) => [type, type]));
const LEVELS = { 1: "Level 1", 2: "Level 2", 3: "Level 3", 4: "Level 4" };

/**
 * The search and the filters of the records. It is a POST, because URLs must not contain names and
 * addresses; without words to search for, the response redirects to the list's URL.
 */
export function RecordFilterForm({ filters }: { filters: RecordsFilters }) {
  const { typed } = filters;
  const issues: Partial<typeof typed> = "issues" in filters ? filters.issues : {};
  const select = (value: string, choices: Record<string, string>, any?: string) =>
  (
    control: ControlProps,
  ) => (
    <select {...control}>
      {any !== undefined && <option value="">{any}</option>}
      {Object.entries(choices).map(([choice, text]) => (
        <option key={choice} value={choice} selected={choice === value}>{text}</option>
      ))}
    </select>
  );
  // A date field would drop an invalid value.
  const date = (value: string) => (control: ControlProps) => (
    <input {...control} type={value === "" || isDay(value) ? "date" : "text"} value={value} />
  );
  const isFiltered = Object.values(typed).some((value) => value !== "");
  return (
    <form
      class="ledger-filters record-filters"
      method="post"
      action="/console/records"
      aria-label="Search and filters"
      autocomplete="off"
    >
      <Field name="text" label="Name, organisation, email or hash" problem={issues.text}>
        {(control) => (
          <input
            {...control}
            type="search"
            value={typed.text}
            maxlength={MAX_SEARCH}
            spellcheck={false}
          />
        )}
      </Field>
      <FilterToggle
        open={Object.entries(typed).some(([name, value]) => name !== "text" && value !== "") ||
          Object.keys(issues).some((name) => name !== "text")}
      />
      <Field name="sort" label="Order" problem={issues.sort}>
        {select(typed.sort, SORT_CHOICES)}
      </Field>
      <Field name="type" label="Type" problem={issues.type}>
        {select(typed.type, TYPES, "All")}
      </Field>
      <Field name="level" label="Level" problem={issues.level}>
        {select(typed.level, LEVELS, "All")}
      </Field>
      <Field name="confirmed" label="Email" problem={issues.confirmed}>
        {select(typed.confirmed, CONFIRMED_CHOICES, "All")}
      </Field>
      <Field name="from" label="From" problem={issues.from}>{date(typed.from)}</Field>
      <Field name="to" label="To" problem={issues.to}>{date(typed.to)}</Field>
      <div class="ledger-actions">
        <button type="submit" class="button primary">Apply</button>
        {isFiltered && <a class="button quiet" href="/console/records">Clear</a>}
      </div>
    </form>
  );
}
