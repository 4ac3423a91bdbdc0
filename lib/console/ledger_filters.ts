import { type TransactionQuery, transactionQuery } from "../bank/mod.ts";
import { dayOf } from "../chart/mod.ts";
import { DAY_MS } from "../time.ts";
import { accountPath } from "./finance.ts";

type FilterName = "start" | "end" | "limit" | "offset";
type DateRange = Pick<TransactionQuery, "start" | "end">;

/** The filters of an account's page as typed, with the parsed query or the issues by field. */
export type LedgerFilters =
  & {
    typed: Record<FilterName, string>;
    /** The chart's range: the typed one, or the default if the typed one is invalid. */
    range: DateRange;
  }
  & ({ query: TransactionQuery } | { issues: Partial<Record<FilterName, string>> });

export const PAGE_SIZES = [25, 50, 100, 500];
/** The default range of the chart (spec 8) and the table. */
const DEFAULT_DAYS = 30;

/**
 * Reads the filters of an account's page from its URL. An empty date means no limit; without either
 * date the range is the last 30 days. Other empty fields are ignored.
 *
 * @param now milliseconds since 1970
 */
export function readLedgerFilters(
  { searchParams }: URL,
  account_id: string,
  now: number,
): LedgerFilters {
  const value = (name: string) => searchParams.get(name)?.trim().slice(0, 40) ?? "";
  const fallback = lastDays(DEFAULT_DAYS, now);
  const given = searchParams.has("start") || searchParams.has("end");
  const dates = given ? { start: value("start"), end: value("end") } : fallback;
  const typed = { ...dates, limit: value("limit"), offset: value("offset") };

  // Validated separately, because an invalid page size would hide that the range is inverted.
  const parsedRange = transactionQuery.safeParse({ account_id, ...withoutEmpty(dates) });
  const range = parsedRange.success ? withoutEmpty(dates) : fallback;
  const parsed = transactionQuery.safeParse({ account_id, ...withoutEmpty(typed) });
  if (parsed.success) return { typed, range, query: parsed.data };
  const issues: Record<string, string> = {};
  for (const error of [parsed.error, parsedRange.error]) {
    for (const { path, message } of error?.issues ?? []) issues[String(path[0])] ??= message;
  }
  return { typed, range, issues };
}

const lastDays = (days: number, now: number) => ({
  start: dayOf(now - (days - 1) * DAY_MS),
  end: dayOf(now),
});

const withoutEmpty = <Values extends Record<string, string>>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, text]) => text !== "")) as Partial<Values>;

/** A link to a frequently used range. */
export interface RangePreset {
  text: string;
  href: string;
  current: boolean;
}

/** Returns links to the ranges of the chart (spec 2.5), with the typed page size. */
export function rangePresets(
  account_id: string,
  { typed }: LedgerFilters,
  now: number,
): RangePreset[] {
  const ranges: [text: string, range: { start: string; end: string }][] = [
    ["7 days", lastDays(7, now)],
    ["30 days", lastDays(30, now)],
    ["90 days", lastDays(90, now)],
    ["This year", { start: `${dayOf(now).slice(0, 4)}-01-01`, end: dayOf(now) }],
    ["All", { start: "", end: "" }],
  ];
  return ranges.map(([text, { start, end }]) => {
    const params = new URLSearchParams({ start, end });
    if (typed.limit !== "") params.set("limit", typed.limit);
    return {
      text,
      href: `${accountPath(account_id)}?${params}`,
      current: typed.start === start && typed.end === end,
    };
  });
}

/** Returns the URL of an account's page with filters, such as that of the next page. */
export function ledgerPath(
  { account_id, ...query }: TransactionQuery,
  change: { offset?: number; format?: "csv" } = {},
): string {
  const { start, end, limit, offset, format } = { format: undefined, ...query, ...change };
  const params = new URLSearchParams();
  // Without a date, the page would show its default range.
  if (start === undefined && end === undefined) params.set("start", "");
  for (const [name, value] of Object.entries({ start, end, limit, offset, format })) {
    if (value !== undefined && value !== 0) params.set(name, String(value));
  }
  return `${accountPath(account_id)}?${params}`;
}
