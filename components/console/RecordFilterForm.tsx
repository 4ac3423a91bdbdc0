import {
  CONFIRMED_CHOICES,
  MAX_SEARCH,
  type RecordsFilters,
  SORT_CHOICES,
} from "../../lib/features/console/record_filters.ts";
import { ENQUIRY_TYPES } from "../../lib/features/contact/fields.ts";
import { Field } from "../Field.tsx";
import { ChoiceFilter, DateFilter, filterStates } from "./filters.tsx";
import { FilterToggle } from "../FilterBar.tsx";

const LEVELS = ["1", "2", "3", "4"].map((level) => [level, `Level ${level}`] as const);

/**
 * The search and the filters of the records. It is a POST, because URLs must not contain names and
 * addresses; without words to search for, the response redirects to the list's URL.
 */
export function RecordFilterForm({ filters }: { filters: RecordsFilters }) {
  const { typed } = filters;
  const issues: Partial<typeof typed> = "issues" in filters ? filters.issues : {};
  const filter = filterStates(filters);
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
        {...filter("sort")}
        label="Order"
        choices={Object.entries(SORT_CHOICES)}
      />
      <ChoiceFilter
        {...filter("type")}
        label="Type"
        any="All"
        choices={ENQUIRY_TYPES.map((type) => [type, type])}
      />
      <ChoiceFilter
        {...filter("level")}
        label="Level"
        any="All"
        choices={LEVELS}
      />
      <ChoiceFilter
        {...filter("confirmed")}
        label="Email"
        any="All"
        choices={Object.entries(CONFIRMED_CHOICES)}
      />
      <DateFilter {...filter("from")} label="From" />
      <DateFilter {...filter("to")} label="To" />
      <div class="ledger-actions">
        <button type="submit" class="button primary">Apply</button>
        {isFiltered && <a class="button quiet" href="/console/records">Clear</a>}
      </div>
    </form>
  );
}
