/** The form that filters the transactions of a bank account: text, dates, amounts and so on. */
import { transactionList } from "../../lib/features/bank/filters.ts";
import { labelOf, statusChoice } from "../../lib/features/bank/console/labels.ts";
import {
  isFiltered,
  type LedgerField,
  ledgerPath,
  PAGE_SIZES,
  withoutFilters,
} from "../../lib/features/bank/console/ledger_path.ts";
import { FilterField } from "../FilterBar.tsx";
import type { AccountState } from "./use_account.ts";

/** The filters above the ranges. The others are below them, on phones behind a button. */
const MAIN: readonly LedgerField[] = ["search", "start", "end"];
const MORE = Object.entries(transactionList.filters)
  .filter(([name, { kind }]) => kind !== "position" && !MAIN.includes(name as LedgerField))
  .map(([name]) => name as LedgerField);

/**
 * The filters of an account's page. With scripts, they apply while they are changed, and the page keeps
 * its scroll position and focus. Invalid values stay as typed, with the issue next to them.
 */
export function LedgerForm({ page }: { page: AccountState }) {
  const { data: { path, issues, presets, ledger }, typed, hydrated } = page;
  const isSet = (name: LedgerField) => typed[name] !== "" || issues[name] !== undefined;
  /** The names that occur in the dates, and the chosen one even if it does not occur. */
  const names = (all: string[] = [], chosen: string, words: (name: string) => string) =>
    withChosen(all, chosen).map((name) => [name, words(name)] as const);
  const choices: { [name in LedgerField]?: (readonly [string, string])[] } = {
    kind: names(ledger?.kinds, typed.kind, labelOf),
    status: names(ledger?.statuses, typed.status, statusChoice),
    limit: withChosen(PAGE_SIZES.map(String), typed.limit).map((size) => [size, size] as const),
  };
  const field = (name: LedgerField) => (
    <FilterField
      key={name}
      name={name}
      filter={transactionList.filters[name]}
      value={typed[name]}
      problem={issues[name]}
      choices={choices[name]}
      onInput={({ currentTarget }) => page.onFilter(name, currentTarget)}
    />
  );
  return (
    // Without `autocomplete`, because a reload would restore the previously typed values.
    <form
      class="wrap filter-bar ledger-form gap-3"
      method="get"
      action={path}
      aria-label="Filters"
      autocomplete="off"
      onSubmit={page.onSubmit}
    >
      <div class="wrap ledger-fields top gap-3 full-width">{MAIN.map(field)}</div>
      <ul class="wrap ledger-presets full-width text-small" aria-label="Ranges">
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
      <details
        class="filter-toggle ledger-more"
        open={MORE.some((name) => name !== "limit" && isSet(name))}
      >
        <summary>More filters</summary>
      </details>
      <div class="wrap ledger-fields top gap-3 full-width">
        {MORE.map(field)}
        <div class="filter-actions">
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

const withChosen = (all: readonly string[], chosen: string): readonly string[] =>
  chosen === "" || all.includes(chosen) ? all : [...all, chosen];
