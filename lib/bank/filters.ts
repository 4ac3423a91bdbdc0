import type { TransactionQuery } from "./api.ts";
import { toCents, type Transaction } from "./records.ts";

type Filters = Pick<TransactionQuery, "search" | "kind" | "status" | "direction" | "min" | "max">;
const NAMES = [
  "search",
  "kind",
  "status",
  "direction",
  "min",
  "max",
] as const satisfies (keyof Filters)[];

/** Returns whether a query has filters that the provider does not apply itself. */
export const hasFilters = (query: Filters): boolean =>
  NAMES.some((name) => query[name] !== undefined);

/** Returns a function that tests a transaction against every filter except the dates. */
export function transactionMatcher(query: Filters): (transaction: Transaction) => boolean {
  const { kind, status, direction } = query;
  const words = query.search === undefined ? [] : comparable(query.search).split(/\s+/);
  const min = query.min === undefined ? undefined : toCents(query.min);
  const max = query.max === undefined ? undefined : toCents(query.max);
  return (transaction) => {
    if (kind !== undefined && transaction.kind !== kind) return false;
    if (status !== undefined && transaction.status !== status) return false;
    if (direction !== undefined && (transaction.amount < 0) !== (direction === "out")) return false;
    if (min !== undefined || max !== undefined) {
      const cents = toCents(Math.abs(transaction.amount));
      if (min !== undefined && cents < min || max !== undefined && cents > max) return false;
    }
    if (words.length === 0) return true;
    const text = comparable(`${transaction.counterparty} ${transaction.note ?? ""}`);
    return words.every((word) => text.includes(word));
  };
}

/** Ignores case, accents and widths: `Café` contains `CAFE`. */
const comparable = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
