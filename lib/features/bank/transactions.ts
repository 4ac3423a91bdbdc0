import type { TransactionQuery, TreasuryFailure } from "./api.ts";
import { toCents, type Transaction, type TransactionPage } from "./records.ts";

export type PageResult = { ok: true; page: TransactionPage } | TreasuryFailure;

/** Reads a page of a list of transactions. */
export type ReadPage = (page: { limit: number; offset: number }) => Promise<PageResult>;

export interface ReadOptions {
  maxPages?: number;
  ahead?: number;
  signal?: AbortSignal;
}

/** The largest page of most providers, and one that all of them accept. */
const LARGEST_PAGE = 1_000;
const ACCEPTED_PAGE = 500;

/**
 * Reads a whole list of transactions page by page. Further pages are requested while earlier ones are
 * processed, so memory does not depend on the length of the list. Transactions that arrive meanwhile
 * shift the pages; those that were already on the previous page are left out. A failure is the last
 * result; its code is `too_many` if the list has more than `maxPages` pages.
 *
 * @param options.ahead number of pages requested at the same time
 * @param options.signal stops reading with `network_error`
 */
export async function* readPages(
  read: ReadPage,
  { maxPages = 100, ahead = 4, signal }: ReadOptions = {},
): AsyncGenerator<PageResult, void, void> {
  let limit = LARGEST_PAGE;
  let size = limit;
  let offset = 0;
  let previous = new Set<string>();
  const requested = new Map<number, Promise<PageResult>>();
  for (let pages = 1;; pages++) {
    let result = await (requested.get(offset) ?? read({ limit, offset }));
    requested.delete(offset);
    if (isRejected(result) && pages === 1) {
      limit = ACCEPTED_PAGE;
      result = await read({ limit, offset });
    }
    if (!result.ok) return yield result;
    const { total, transactions } = result.page;
    // Providers may return fewer than requested.
    if (offset === 0) size = transactions.length;
    offset += transactions.length;
    // If there is no total, or only one of this page, a full page may not be the last.
    const more = transactions.length > 0 && (offset < total || transactions.length >= limit);
    const known = more ? Math.min(total, offset + ahead * size, maxPages * size) : 0;
    for (let next = offset; next < known; next += size) {
      if (!requested.has(next)) requested.set(next, read({ limit, offset: next }));
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

/** Returns whether the provider rejects the request itself, for example because of its limit. */
const isRejected = (result: PageResult): boolean => !result.ok && result.details?.status === 400;

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
