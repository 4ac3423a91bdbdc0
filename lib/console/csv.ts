import type { Transaction } from "../bank/mod.ts";

type Cell = string | number | null;

/** What makes a spreadsheet take text for a formula, at its start (OWASP ASVS 5, 1.2.10). */
const FORMULA_STARTS = new Set("=+-@＝＋－＠\t\r\n\0");

/**
 * Rows as CSV (RFC 4180), in UTF-8 with its mark, without which spreadsheets take it for another
 * encoding. Text that a spreadsheet would take for a formula gets an apostrophe before it, which
 * shows it as text; numbers stay numbers.
 */
export function toCsv(rows: Cell[][]): string {
  return "\uFEFF" + rows.map((row) => row.map(cell).join(",") + "\r\n").join("");
}

function cell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return value.toFixed(2);
  const text = FORMULA_STARTS.has(value[0]) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Transactions as CSV, one a line; times are ISO 8601 in UTC, amounts dollars. */
export function transactionsCsv(transactions: Transaction[]): string {
  return toCsv([
    ["created_at", "posted_at", "amount", "counterparty", "kind", "status", "note", "id"],
    ...transactions.map((
      { created_at, posted_at, amount, counterparty, kind, status, note, id },
    ) => [
      created_at,
      posted_at,
      amount,
      counterparty,
      kind,
      status,
      note,
      id,
    ]),
  ]);
}

/** A file name of plain letters, digits and dashes, whatever the account is called. */
export function csvName({ nickname, last4 }: { nickname: string; last4: string }): string {
  const words = ["transactions", ...`${nickname} ${last4}`.toLowerCase().match(/[a-z\d]+/g) ?? []];
  return `${words.join("-").slice(0, 80)}.csv`;
}
