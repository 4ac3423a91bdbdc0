import {
  CONFIRMED_CHOICES,
  MAX_SEARCH,
  type RecordsFilters,
  SORT_CHOICES,
} from "../../lib/console/record_filters.ts";
import { ENQUIRY_TYPES } from "../../lib/contact/fields.ts";
import { Field } from "../Field.tsx";
import { ChoiceFilter, DateFilter } from "./filters.tsx";
import { FilterToggle } from "./parts.tsx";

const LEVELS = ["1", "2", "3", "4"].map((level) => [level, `Level ${level}`] as const);

/**
 * The search and the filters of the records. It is a POST, because URLs must not contain names and
 * addresses; without words to search for, the response redirects to the list's URL.
 */
export function RecordFilterForm({ filters }: { filters: RecordsFilters }) {
  const { typed } = filters;
  const issues: Partial<typeof typed> = "issues" in filters ? filters.issues : {};
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
      <ChoiceFilter
        name="sort"
        label="Order"
        value={typed.sort}
        problem={issues.sort}
        choices={Object.entries(SORT_CHOICES)}
      />
      <ChoiceFilter
        name="type"
        label="Type"
        value={typed.type}
        problem={issues.type}
        any="All"
        choices={ENQUIRY_TYPES.map((type) => [type, type])}
      />
      <ChoiceFilter
        name="level"
        label="Level"
        value={typed.level}
        problem={issues.level}
        any="All"
        choices={LEVELS}
      />
      <ChoiceFilter
        name="confirmed"
        label="Email"
        value={typed.confirmed}
        problem={issues.confirmed}
        any="All"
        choices={Object.entries(CONFIRMED_CHOICES)}
      />
      <DateFilter name="from" label="From" value={typed.from} problem={issues.from} />
      <DateFilter name="to" label="To" value={typed.to} problem={issues.to} />
      <div class="ledger-actions">
        <button type="submit" class="button primary">Apply</button>
        {isFiltered && <a class="button quiet" href="/console/records">Clear</a>}
      </div>
    </form>
  );
}
