/**
 * The forms with the filters or the search of a list.
 *
 * @module
 */
import { isDay } from "../lib/base/time.ts";
import type { Filter } from "../lib/platform/listing/filters.ts";
import type { FilterTable } from "../lib/platform/listing/list.ts";
import { type ControlProps, Field } from "./Field.tsx";

type Choices = Iterable<readonly [value: string, text: string]>;

interface FilterFieldProps {
  name: string;
  filter: Pick<
    Filter<unknown, never>,
    "kind" | "label" | "default" | "choices" | "any" | "placeholder" | "maxLength"
  >;
  /** The text as it was typed. */
  value: string;
  problem?: string;
  /** The choices that only the page knows. */
  choices?: Choices;
  onInput?: (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) => void;
}

/** A filter in a form. An invalid value stays as typed, with the issue next to it. */
export const FilterField = (props: FilterFieldProps) => (
  <Field name={props.name} label={props.filter.label} problem={props.problem}>
    {(control) => <Control {...props} control={control} />}
  </Field>
);

function Control(
  { filter, value, choices, onInput, control }: FilterFieldProps & { control: ControlProps },
) {
  const { kind, any, placeholder } = filter;
  if (kind === "choice") {
    const chosen = value || String(filter.default ?? "");
    const all = [
      ...any === undefined ? [] : [["", any] as const],
      ...choices ?? Object.entries(filter.choices ?? {}),
    ];
    return (
      <select {...control} value={chosen} onChange={onInput}>
        {all.map(([choice, text]) => (
          <option key={choice} value={choice} selected={choice === chosen}>{text}</option>
        ))}
      </select>
    );
  }
  if (kind === "day") {
    // A date field would drop an invalid value, such as 30 February.
    const type = value === "" || isDay(value) ? "date" : "text";
    return <input {...control} type={type} value={value} onInput={onInput} />;
  }
  return (
    <input
      {...control}
      type={kind === "search" ? "search" : "text"}
      inputmode={kind === "amount" ? "decimal" : undefined}
      maxLength={filter.maxLength}
      placeholder={placeholder}
      autocomplete="off"
      spellcheck={false}
      value={value}
      onInput={onInput}
    />
  );
}

/**
 * The form with the filters of a list. A search comes first. On phones, a button shows and hides the
 * other filters.
 *
 * @param props.filters the result of reading them
 * @param props.class the class of the form
 * @param props.choices the choices that only the page knows; a filter for which
 * this list is empty is left out
 * @param props.compact true for a form that is so small that it needs neither the button nor a link
 * that clears the filters
 * @param props.tabs the filters that the tabs of the page set, which show their values, too
 */
export function FilterBar<Name extends string>(
  { list, filters: { typed, issues }, class: kind, choices = {}, compact = false, tabs = [] }: {
    list: { path: string; filters: FilterTable };
    filters: { typed: Record<Name, string>; issues: Partial<Record<Name, string>> };
    class?: string;
    choices?: { [key in Name]?: Choices };
    compact?: boolean;
    tabs?: readonly Name[];
  },
) {
  const rows = Object.entries(list.filters) as [Name, FilterTable[string]][];
  const isPosted = rows.some(([, { posted }]) => posted);
  const field = ([name, filter]: typeof rows[number]) => {
    const own = choices[name] && [...choices[name]];
    if (own?.length === 0) return null;
    return (
      <FilterField
        key={name}
        {...{ name, filter }}
        value={typed[name]}
        problem={issues[name]}
        choices={own}
      />
    );
  };
  const isSearch = ([, { kind }]: typeof rows[number]) => kind === "search";
  const isTyped = ([name]: typeof rows[number]) => typed[name] !== "";
  const unfolds = (row: typeof rows[number]) =>
    !isSearch(row) && isTyped(row) && (!tabs.includes(row[0]) || issues[row[0]] !== undefined);
  return (
    <form
      class={["wrap filter-bar", kind].filter(Boolean).join(" ")}
      method={isPosted ? "post" : "get"}
      action={list.path}
      aria-label={isPosted ? "Search and filters" : "Filters"}
      autocomplete="off"
    >
      {rows.filter(isSearch).map(field)}
      {!compact && <FilterToggle open={rows.some(unfolds)} />}
      {rows.filter((row) => !isSearch(row) && row[1].kind !== "position").map(field)}
      <div class="filter-actions">
        <button type="submit" class={isPosted ? "button primary" : "button"}>Apply</button>
        {!compact && rows.some(isTyped) && <a class="button quiet" href={list.path}>Clear</a>}
      </div>
      {rows.map(([name, { kind }]) =>
        kind === "position" && issues[name] !== undefined && (
          <p key={name} class="problem" role="alert">Page: {issues[name]}</p>
        )
      )}
    </form>
  );
}

/** The bar with one search, whose text is posted so that no URL and no log contains it. */
export const SearchBar = ({ action, label, submit, problem, ...input }: {
  action: string;
  label: string;
  /** The text of the button. */
  submit: string;
  problem?: string;
  name: string;
  type: "search" | "email";
  /** The text as it was typed. */
  value: string;
  required?: boolean;
  maxLength?: number;
}) => (
  <form class="wrap filter-bar find-form" method="post" action={action} role="search">
    <Field name={input.name} label={label} required={input.required} problem={problem}>
      {(control) => <input {...control} {...input} autocomplete="off" />}
    </Field>
    <div class="filter-actions">
      <button type="submit" class="button">{submit}</button>
    </div>
  </form>
);

/** On phones, shows and hides the fields that follow it. On wider screens, it is hidden. */
function FilterToggle({ open }: { open: boolean }) {
  return (
    <details class="filter-toggle" open={open}>
      <summary>Filters</summary>
    </details>
  );
}
