/** The fields of the filters, as in the URL of an account's page. */
export const LEDGER_FIELDS = [
  "search",
  "start",
  "end",
  "kind",
  "status",
  "direction",
  "min",
  "max",
  "limit",
] as const;

export type LedgerField = typeof LEDGER_FIELDS[number];

/** The filters as typed. */
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

/** Returns the filters in the URL of a page's own link. */
export const filtersIn = ({ searchParams }: URL): TypedFilters =>
  Object.fromEntries(
    LEDGER_FIELDS.map((name) => [name, searchParams.get(name) ?? ""]),
  ) as TypedFilters;

/** Returns the typed filters without those that select transactions within the dates. */
export const withoutFilters = ({ start, end, limit }: TypedFilters): TypedFilters => ({
  search: "",
  start,
  end,
  kind: "",
  status: "",
  direction: "",
  min: "",
  max: "",
  limit,
});

/** Returns whether any filter selects transactions within the dates. */
export const isFiltered = ({ start: _, end: __, limit: ___, ...filters }: TypedFilters): boolean =>
  Object.values(filters).some((value) => value !== "");

export const PAGE_SIZES = [25, 50, 100, 500];
