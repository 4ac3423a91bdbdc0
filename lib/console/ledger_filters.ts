import { type TransactionQuery, transactionQuery } from "../bank/mod.ts";
import { DAY, dayOf } from "../chart/mod.ts";
import { accountPath } from "./account_path.ts";

/** The filters of an account's page, as the address has them: whatever was typed. */
export interface TypedFilters {
  start: string;
  end: string;
  limit: string;
  offset: string;
}

/** What the filters mean, or what is wrong with which. */
export type LedgerFilters =
  & { typed: TypedFilters }
  & ({ query: TransactionQuery } | { issues: Partial<Record<keyof TypedFilters, string>> });

/** How many transactions a page may have. */
export const PAGE_SIZES = [25, 50, 100, 500];
/** Days of the daily flow where no start is asked for. */
const FLOW_DAYS = 365;

/** Reads the filters of an account's page; an empty field is none. */
export function readLedgerFilters(
  { searchParams }: URL,
  account_id: string,
): LedgerFilters {
  const value = (name: string) => searchParams.get(name)?.trim().slice(0, 40) ?? "";
  const typed = {
    start: value("start"),
    end: value("end"),
    limit: value("limit"),
    offset: value("offset"),
  };
  const given = Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== ""));
  const parsed = transactionQuery.safeParse({ account_id, ...given });
  if (parsed.success) return { typed, query: parsed.data };
  const issues: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) issues[String(path[0])] ??= message;
  return { typed, issues };
}

/**
 * The address of a page with these filters.
 *
 * @example
 * ```ts
 * ledgerPath(query, { offset: query.offset + query.limit }); // the next page
 * ```
 */
export function ledgerPath(
  { account_id, ...query }: TransactionQuery,
  change: { offset?: number; format?: "csv" } = {},
): string {
  const { start, end, limit, offset, format } = { format: undefined, ...query, ...change };
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ start, end, limit, offset, format })) {
    if (value !== undefined && value !== 0) params.set(name, String(value));
  }
  return `${accountPath(account_id)}?${params}`;
}

/**
 * The days whose flow belongs to a query: those of the filters, up to today; without a start, the
 * last 365 of them.
 *
 * @param now milliseconds since 1970
 */
export function flowSpan(
  { start, end }: Pick<TransactionQuery, "start" | "end">,
  now: number,
): { first: string; last: string } {
  const last = end === undefined ? now : Math.min(Date.parse(end), now);
  const first = start === undefined ? last - (FLOW_DAYS - 1) * DAY : Date.parse(start);
  return { first: dayOf(first), last: dayOf(last) };
}
