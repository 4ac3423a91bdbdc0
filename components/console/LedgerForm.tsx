import { labelOf } from "../../lib/features/console/labels.ts";
import {
  isFiltered,
  type LedgerField,
  ledgerPath,
  PAGE_SIZES,
  withoutFilters,
} from "../../lib/features/console/ledger_path.ts";
import { isDay } from "../../lib/base/time.ts";
import { type ControlProps, Field } from "../Field.tsx";
import type { AccountState } from "./use_account.ts";

/**
 * The filters of an account's page. With scripts, they apply while they are changed, and the page keeps
 * its scroll position and focus. Invalid values stay as typed, with the issue next to them.
 */
export function LedgerForm({ page }: { page: AccountState }) {
  const { data: { path, issues, presets, ledger }, typed, hydrated } = page;
  const more = (["kind", "status", "direction", "min", "max"] as const).some((name) =>
    typed[name] !== "" || issues[name] !== undefined
  );
  const set = (name: LedgerField) => ({ currentTarget }: { currentTarget: EventTarget }) =>
    page.onFilter(name, currentTarget as HTMLInputElement);
  // A date field would drop any invalid value, including 30 February.
  const date = (name: "start" | "end") => (control: ControlProps) => (
    <input
      {...control}
      type={typed[name] === "" || isDay(typed[name]) ? "date" : "text"}
      value={typed[name]}
      onInput={set(name)}
    />
  );
  const amount = (name: "min" | "max") => (control: ControlProps) => (
    <input
      {...control}
      type="text"
      inputmode="decimal"
      autocomplete="off"
      maxLength={40}
      value={typed[name]}
      onInput={set(name)}
    />
  );
  const choice =
    (name: LedgerField, options: [value: string, text: string][], chosen = typed[name]) =>
    (control: ControlProps) => (
      <select {...control} onChange={set(name)} value={chosen}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>{text}</option>
        ))}
      </select>
    );
  /** The names that occur in the dates, and the chosen one even if it does not occur. */
  const names = (all: string[], chosen: string): [string, string][] => [
    ["", "All"],
    ...[...all, ...chosen === "" || all.includes(chosen) ? [] : [chosen]].map((
      name,
    ): [string, string] => [name, labelOf(name)]),
  ];
  const sizes = PAGE_SIZES.map(String);
  const size = typed.limit || "50";
  if (!sizes.includes(size)) sizes.push(size);
  return (
    // Without `autocomplete`, because a reload would restore the previously typed values.
    <form
      class="wrap ledger-filters ledger-form"
      method="get"
      action={path}
      aria-label="Filters"
      autocomplete="off"
      onSubmit={page.onSubmit}
    >
      <div class="wrap ledger-fields">
        <Field name="search" label="Search" problem={issues.search}>
          {(control) => (
            <input
              {...control}
              type="search"
              maxLength={100}
              placeholder="Counterparty or note"
              autocomplete="off"
              value={typed.search}
              onInput={set("search")}
            />
          )}
        </Field>
        <Field name="start" label="From" problem={issues.start}>{date("start")}</Field>
        <Field name="end" label="To" problem={issues.end}>{date("end")}</Field>
      </div>
      <ul class="wrap ledger-presets" aria-label="Ranges">
        {presets.map(({ text, start, end }) => (
          <li key={text}>
            <a
              href={ledgerPath(path, { ...typed, start, end })}
              aria-current={typed.start === start && typed.end === end ? "true" : "false"}
              onClick={page.onRange}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
      {/* On phones, it shows and hides what follows it, without scripts. */}
      <details class="ledger-more" open={more}>
        <summary>More filters</summary>
      </details>
      <div class="wrap ledger-fields">
        <Field name="kind" label="Kind" problem={issues.kind}>
          {choice("kind", names(ledger?.kinds ?? [], typed.kind))}
        </Field>
        <Field name="status" label="Status" problem={issues.status}>
          {choice("status", names(ledger?.statuses ?? [], typed.status))}
        </Field>
        <Field name="direction" label="Direction" problem={issues.direction}>
          {choice("direction", [["", "In and out"], ["in", "In"], ["out", "Out"]])}
        </Field>
        <Field name="min" label="Minimum" problem={issues.min}>{amount("min")}</Field>
        <Field name="max" label="Maximum" problem={issues.max}>{amount("max")}</Field>
        <Field name="limit" label="Page size" problem={issues.limit}>
          {choice("limit", sizes.map((value): [string, string] => [value, value]), size)}
        </Field>
        <div class="ledger-actions">
          {/* Hidden once filters apply by themselves; Enter still submits the form. */}
          <button type="submit" class="button small" hidden={hydrated}>Apply</button>
          {isFiltered(typed) && (
            <a
              class="button small quiet"
              href={ledgerPath(path, withoutFilters(typed))}
              aria-current="false"
              onClick={page.onRange}
            >
              Clear filters
            </a>
          )}
        </div>
      </div>
      {page.outdated && Object.keys(issues).length > 0 && (
        <p class="problem" role="alert">
          Some filters are invalid. The list below still matches the previous filters.
        </p>
      )}
      {issues.offset !== undefined && <p class="problem" role="alert">Page: {issues.offset}</p>}
    </form>
  );
}
