import type { TransactionQuery, TreasuryFailure } from "./api.ts";
import { toCents } from "./money.ts";
import type { Transaction, TransactionPage } from "./provider.ts";

export type PageResult = { ok: true; page: TransactionPage } | TreasuryFailure;

export interface ReadOptions {
  /** Default: 100. */
  maxPages?: number;
  /** Number of further pages to request while earlier ones are processed. Default: 4. */
  ahead?: number;
  /** Stops reading with `network_error`. */
  signal?: AbortSignal;
}

/**
 * Reads a whole list of transactions page by page. Further pages are requested while earlier ones are
 * processed, so memory does not depend on the length of the list. Transactions that arrive meanwhile
 * shift the pages; those that were already on the previous page are left out. A failure is the last
 * result; its code is `too_many` if the list has more than `maxPages` pages.
 *
 * @param read returns the transactions after an offset, as many as the bank returns at once
 */
export async function* readPages(
  read: (page: { offset: number }) => Promise<PageResult>,
  { maxPages = 100, ahead = 4, signal }: ReadOptions = {},
): AsyncGenerator<PageResult, void, void> {
  let size = 0;
  let offset = 0;
  let previous = new Set<string>();
  const requested = new Map<number, Promise<PageResult>>();
  for (let pages = 1;; pages++) {
    const result = await (requested.get(offset) ?? read({ offset }));
    requested.delete(offset);
    if (!result.ok) return yield result;
    const { total, transactions } = result.page;
    // The first page shows how many the bank returns at once.
    if (offset === 0) size = transactions.length;
    offset += transactions.length;
    const more = transactions.length > 0 && (total === null || offset < total);
    const known = more && total !== null
      ? Math.min(total, offset + ahead * size, maxPages * size)
      : 0;
    for (let next = offset; next < known; next += size) {
      if (!requested.has(next)) requested.set(next, read({ offset: next }));
    }
    const fresh = transactions.filter(({ id }) => !previous.has(id));
    previous = new Set(transactions.map(({ id }) => id));
    yield { ok: true, page: { total, transactions: fresh } };
    if (!more) return;
    if (pages >= maxPages) return yield { ok: false, error: "too_many", message: TOO_MANY };
    if (signal?.aborted) return yield { ok: false, error: "network_error", message: TOO_SLOW };
  }
}

const TOO_SLOW = "The bank did not respond in time.";
const TOO_MANY = "There are too many transactions. Choose a shorter period.";

/** The filters that the bank does not apply itself. */
const FILTERS = ["search", "kind", "status", "direction", "min", "max"] as const;

type Filters = Pick<TransactionQuery, typeof FILTERS[number]>;

export const hasFilters = (query: Filters): boolean =>
  FILTERS.some((name) => query[name] !== undefined);

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
