/** Reads a long list of transactions from the bank, page by page and ahead of its use. */
import type { TreasuryFailure } from "./api.ts";
import type { SentTransaction, TransactionPage } from "./provider.ts";

export type PageResult<One = SentTransaction> =
  | { ok: true; page: TransactionPage<One> }
  | TreasuryFailure;

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
export async function* readPages<One extends Pick<SentTransaction, "id">>(
  read: (page: { offset: number }) => Promise<PageResult<One>>,
  { maxPages = 100, ahead = 4, signal }: ReadOptions = {},
): AsyncGenerator<PageResult<One>, void, void> {
  let size = 0;
  let offset = 0;
  let previous: Set<string> | null = null;
  const requested = new Map<number, Promise<PageResult<One>>>();
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
      if (requested.has(next)) continue;
      const page = read({ offset: next });
      page.catch(() => {}); // a page that is not reached may fail unnoticed
      requested.set(next, page);
    }
    const fresh = previous === null
      ? transactions
      : transactions.filter(({ id }) => !previous!.has(id));
    // Most lists have one page, and computing the hashes of its ids takes longer than the rest of this.
    if (more) previous = new Set(transactions.map(({ id }) => id));
    yield { ok: true, page: { total, transactions: fresh } };
    if (!more) return;
    if (pages >= maxPages) return yield { ok: false, error: "too_many", message: TOO_MANY };
    if (signal?.aborted) return yield { ok: false, error: "network_error", message: TOO_SLOW };
  }
}

const TOO_SLOW = "The bank did not respond in time.";
const TOO_MANY = "There are too many transactions. Choose a shorter period.";
