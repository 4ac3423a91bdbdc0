/** Reads the filters of an account's page from its URL, and offers common date ranges. */
import { transactionList, type TransactionQuery } from "../filters.ts";
import { DAY_MS, dayOf } from "../../../base/time.ts";
import type { TypedFilters } from "./ledger_path.ts";

/** The filters in the URL of an account's page. */
export interface LedgerFilters {
  typed: TypedFilters;
  /** The chart's range: the typed one, or the default if the typed one is invalid. */
  range: { start?: string; end?: string };
  /** The id of the transaction whose details are open, or an empty text. */
  transaction: string;
  /** Null if a filter is invalid. */
  query: TransactionQuery | null;
  issues: Partial<Record<keyof typeof transactionList.filters, string>>;
}

/** The default range of the chart (spec 8) and the table. */
const DEFAULT_DAYS = 30;
/** The maximum length of an id. Every id is shorter. */
const MAX_ID = 110;

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
  const params = new URLSearchParams(searchParams);
  const fallback = lastDays(DEFAULT_DAYS, now);
  if (!params.has("start") && !params.has("end")) {
    for (const [name, day] of Object.entries(fallback)) params.set(name, day);
  }
  const { typed: { offset: _, ...typed }, query, issues } = transactionList.read(params);
  const { start, end } = typed;
  const given = { ...start !== "" && { start }, ...end !== "" && { end } };
  return {
    typed,
    range: issues.start === undefined && issues.end === undefined ? given : fallback,
    transaction: params.get("transaction")?.trim().slice(0, MAX_ID) ?? "",
    query: query && { account_id, ...query },
    issues,
  };
}

const lastDays = (days: number, now: number) => ({
  start: dayOf(now - (days - 1) * DAY_MS),
  end: dayOf(now),
});

/** A frequently used range; empty dates mean no limit. */
export interface RangePreset {
  text: string;
  start: string;
  end: string;
}

/** Returns the ranges of the chart (spec 2.5). */
export const rangePresets = (now: number): RangePreset[] => [
  { text: "7 days", ...lastDays(7, now) },
  { text: "30 days", ...lastDays(30, now) },
  { text: "90 days", ...lastDays(90, now) },
  { text: "This year", start: `${dayOf(now).slice(0, 4)}-01-01`, end: dayOf(now) },
  { text: "All", start: "", end: "" },
];
