import type { ComponentChildren } from "preact";
import { isDay } from "../../lib/base/time.ts";
import { Field } from "../Field.tsx";
import { FilterToggle } from "../FilterBar.tsx";

interface FilterState {
  name: string;
  /** As typed. */
  value: string;
  problem?: string;
}
export type FilterProps = FilterState & { label: string };

/** The filters as typed, with the issues of those that are invalid. */
interface Filters<Name extends string> {
  typed: Record<Name, string>;
  issues?: Partial<Record<Name, string>>;
}

/** Returns a function that returns the state of a filter. */
export const filterStates =
  <Name extends string>({ typed, issues }: Filters<Name>) => (name: Name): FilterState => ({
    name,
    value: typed[name],
    problem: issues?.[name],
  });

/**
 * The filters of a page of the console. Invalid values stay as typed, with the issue next to them.
 *
 * @param props.page the filter that contains the list's page, whose issue is shown below the form
 * @param props.children returns the fields
 */
export function FilterForm<Name extends string>({ path, kind, filters, page, children }: {
  path: string;
  /** The class of the form. */
  kind: string;
  filters: Filters<Name>;
  page: NoInfer<Name>;
  children: (filter: (name: Name) => FilterState) => ComponentChildren;
}) {
  const filter = filterStates(filters);
  const { problem } = filter(page);
  const filtered = Object.values(filters.typed).some((value) => value !== "");
  return (
    <form
      class={`ledger-filters ${kind}`}
      method="get"
      action={path}
      aria-label="Filters"
      autocomplete="off"
    >
      <FilterToggle open={filtered} />
      {children(filter)}
      <div class="ledger-actions">
        <button type="submit" class="button">Apply</button>
        {filtered && <a class="button quiet" href={path}>Clear</a>}
      </div>
      {problem !== undefined && <p class="problem" role="alert">Page: {problem}</p>}
    </form>
  );
}

/** A day in a filter form. An invalid value stays as typed; a date field would drop it. */
export const DateFilter = ({ name, label, value, problem }: FilterProps) => (
  <Field name={name} label={label} problem={problem}>
    {(control) => (
      <input {...control} type={value === "" || isDay(value) ? "date" : "text"} value={value} />
    )}
  </Field>
);

/**
 * A choice in a filter form.
 *
 * @param props.any the text of the choice that filters nothing, if there is one
 * @param props.choices each value with its text
 */
export const ChoiceFilter = ({ name, label, value, problem, any, choices }: FilterProps & {
  any?: string;
  choices: Iterable<readonly [value: string, text: string]>;
}) => (
  <Field name={name} label={label} problem={problem}>
    {(control) => (
      <select {...control}>
        {any !== undefined && <option value="">{any}</option>}
        {[...choices].map(([choice, text]) => (
          <option key={choice} value={choice} selected={choice === value}>{text}</option>
        ))}
      </select>
    )}
  </Field>
);
