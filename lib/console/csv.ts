import { stringify } from "@std/csv";
import type { AccountView, Transaction } from "../bank/mod.ts";
import { textCell } from "../csv.ts";

const COLUMNS = [
  "created_at",
  "posted_at",
  "amount",
  "counterparty",
  "kind",
  "status",
  "note",
  "id",
] as const;

/**
 * Returns transactions as CSV (RFC 4180), in UTF-8 with a byte order mark, because spreadsheets
 * would otherwise assume another encoding. Times are ISO 8601 in UTC, amounts are in dollars.
 */
export function transactionsCsv(transactions: Transaction[]): string {
  const rows = transactions.map((transaction) => COLUMNS.map((name) => cell(transaction[name])));
  return stringify([COLUMNS, ...rows], { bom: true });
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? value.toFixed(2) : textCell(value);
}

/** Returns a file name of letters, digits and dashes for an account's transactions. */
export function csvName({ nickname, last4 }: Pick<AccountView, "nickname" | "last4">): string {
  const words = ["transactions", ...`${nickname} ${last4}`.toLowerCase().match(/[a-z\d]+/g) ?? []];
  return `${words.join("-").slice(0, 80)}.csv`;
}
