import type { transactionList } from "../filters.ts";

export type LedgerField = Exclude<keyof typeof transactionList.filters, "offset">;

export type TypedFilters = Record<LedgerField, string>;

/**
 * Returns the URL of an account's page with filters, such as that of the next page. Empty filters are
 * left out, except that the whole history has an empty start: without either date, the page shows its
 * default range.
 */
export function ledgerPath(
  path: string,
  typed: TypedFilters,
  { offset = 0, transaction = "", format = "" } = {},
): string {
  const params = new URLSearchParams();
  if (typed.start === "" && typed.end === "") params.set("start", "");
  const values = { ...typed, offset: offset === 0 ? "" : String(offset), transaction, format };
  for (const [name, value] of Object.entries(values)) if (value !== "") params.set(name, value);
  return `${path}?${params}`;
}

/** The fields that stay when the filters are cleared. */
const KEPT: readonly string[] = ["start", "end", "limit"];

const withoutKept = (typed: TypedFilters) =>
  Object.entries(typed).filter(([name]) => !KEPT.includes(name));

/** Returns the typed filters without those that select transactions within the dates. */
export const withoutFilters = (typed: TypedFilters): TypedFilters => ({
  ...typed,
  ...Object.fromEntries(withoutKept(typed).map(([name]) => [name, ""])),
});

/** Returns whether any filter selects transactions within the dates. */
export const isFiltered = (typed: TypedFilters): boolean =>
  withoutKept(typed).some(([, text]) => text !== "");

export const PAGE_SIZES = [25, 50, 100, 500];
