import { type TransactionQuery, transactionQuery } from "../bank/mod.ts";
import { accountPath } from "./finance.ts";

type FilterName = "start" | "end" | "limit" | "offset";

/** The filters of an account's page as typed, with the parsed query or the issue of each field. */
export type LedgerFilters =
  & { typed: Record<FilterName, string> }
  & ({ query: TransactionQuery } | { issues: Partial<Record<FilterName, string>> });

export const PAGE_SIZES = [25, 50, 100, 500];

/** Reads the filters of an account's page from its address. Empty fields are ignored. */
export function readLedgerFilters({ searchParams }: URL, account_id: string): LedgerFilters {
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

/** Returns the address of an account's page with filters, such as that of the next page. */
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
