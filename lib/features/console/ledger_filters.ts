import { type TransactionQuery, transactionQuery } from "../bank/mod.ts";
import { DAY_MS, dayOf } from "../../base/time.ts";
import { LEDGER_FIELDS, type LedgerField, type TypedFilters } from "./ledger_path.ts";

type DateRange = Pick<TransactionQuery, "start" | "end">;

/** The fields whose value can be invalid. */
type Issues = Partial<Record<LedgerField | "offset", string>>;

/** The filters in the URL of an account's page, with the parsed query or the issues. */
export type LedgerFilters =
  & {
    typed: TypedFilters;
    /** The chart's range: the typed one, or the default if the typed one is invalid. */
    range: DateRange;
    /** The id of the transaction whose details are open, or an empty text. */
    transaction: string;
  }
  & ({ query: TransactionQuery } | { issues: Issues });

/** The default range of the chart (spec 8) and the table. */
const DEFAULT_DAYS = 30;
/** Longer than any valid value, so that the query rejects longer ones. */
const MAX_LENGTH = 110;

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
  const value = (name: string) => searchParams.get(name)?.trim().slice(0, MAX_LENGTH) ?? "";
  const fallback = lastDays(DEFAULT_DAYS, now);
  const given = searchParams.has("start") || searchParams.has("end");
  const dates = given ? { start: value("start"), end: value("end") } : fallback;
  const fields = Object.fromEntries(LEDGER_FIELDS.map((name) => [name, value(name)]));
  const typed = { ...fields as TypedFilters, ...dates };
  const transaction = value("transaction");

  // Validated separately, because another invalid filter would hide that the range is inverted.
  const parsedRange = transactionQuery.safeParse({ account_id, ...withoutEmpty(dates) });
  const range = parsedRange.success ? withoutEmpty(dates) : fallback;
  const all = { account_id, ...withoutEmpty({ ...typed, offset: value("offset") }) };
  const parsed = transactionQuery.safeParse(all);
  if (parsed.success) return { typed, range, transaction, query: parsed.data };
  const issues: Record<string, string> = {};
  for (const error of [parsed.error, parsedRange.error]) {
    for (const { path, message } of error?.issues ?? []) issues[String(path[0])] ??= message;
  }
  return { typed, range, transaction, issues };
}

const lastDays = (days: number, now: number) => ({
  start: dayOf(now - (days - 1) * DAY_MS),
  end: dayOf(now),
});

const withoutEmpty = <Values extends Record<string, string>>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, text]) => text !== "")) as Partial<Values>;

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
