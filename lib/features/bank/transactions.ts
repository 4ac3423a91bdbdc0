/** Reads an account's transactions from the bank, for one page of results or for all of them. */
import {
  failureOf,
  type FallbackSummary,
  type TransactionsResponse,
  type TreasuryFailure,
} from "./api.ts";
import { type FailedLookup, knownOf, type Lookup } from "./cache.ts";
import type { Connection } from "./connection.ts";
import { transactionList, type TransactionQuery } from "./filters.ts";
import { type PageResult, type ReadOptions, readPages } from "./pages.ts";
import {
  type Account,
  type BankError,
  isBankError,
  type SentTransaction,
  type Transaction,
  type TransactionPage,
} from "./provider.ts";

/** An account, and the first and last day to read of it. */
type AccountDates = Pick<TransactionQuery, "account_id" | "start" | "end">;

export interface TransactionReader {
  /**
   * Reads a page of transactions, uncached. With filters other than dates, it reads every transaction
   * in the range. Returns `not_found` for an account that the console does not show.
   */
  transactions(
    query: TransactionQuery,
  ): Promise<{ ok: true; page: TransactionsResponse } | TreasuryFailure>;
  /**
   * Reads every transaction in a query's dates, uncached and newest first, in pages of the bank's
   * size. A failure is the last result.
   *
   * @param options.listed true if the console's accounts were just read and include this one, so that they are not read
   * again
   */
  pages(
    query: AccountDates,
    options?: ReadOptions & { patience?: AbortSignal; listed?: boolean },
  ): AsyncGenerator<PageResult, void, void>;
}

/** @param unreachable returns the fallback body of spec 2.3 */
export function createTransactionReader(
  { provider, accounts }: Connection,
  unreachable: (lookup: FailedLookup<Account[]>) => FallbackSummary,
): TransactionReader {
  async function readPage(
    { account_id, ...query }: AccountDates & { limit?: number; offset: number },
    patience?: AbortSignal,
    reading: Promise<Lookup<Account[]>> | null = accounts.get(patience),
  ): Promise<PageResult> {
    const lookup = await reading;
    const isShown = lookup === null || knownOf(lookup)?.data.some(({ id }) => id === account_id);
    const page: TransactionPage | BankError = isShown
      ? await provider.getTransactions(account_id, query, patience)
      : { error: "not_found" };
    if (!isBankError(page)) return { ok: true, page };
    if (isSlow(page.error, patience)) return failureOf({ error: "slow" });
    if (lookup === null || !("error" in lookup)) return failureOf(page);
    return { ...failureOf(lookup.error), fallback: unreachable(lookup) };
  }

  const pages: TransactionReader["pages"] = (
    { account_id, start, end },
    { patience, listed = false, ...options } = {},
  ) => {
    const reading = listed ? null : accounts.get(patience);
    reading?.catch(() => {}); // the pages may never be read
    const read = ({ offset }: { offset: number }) =>
      readPage({ account_id, start, end, offset }, patience, reading);
    return readPages(read, options);
  };

  return {
    pages,

    async transactions(query) {
      const { account_id, start, end, limit, offset } = query;
      const pageOf = (total: number, transactions: Transaction[]): TransactionsResponse => ({
        account_id,
        limit,
        offset,
        total,
        transactions: transactions.map(({ state: _, own_transfer: __, ...shown }) => shown),
      });
      if (!transactionList.isTested(query)) {
        const result = await readPage({ account_id, start, end, limit, offset });
        if (!result.ok) return result;
        const { total, transactions } = result.page;
        const shown = transactions.map((sent) => sent.read());
        return { ok: true, page: pageOf(total ?? offset + shown.length, shown) };
      }
      const matches = transactionList.matcher(query);
      const transactions: Transaction[] = [];
      let total = 0;
      for await (const result of pages(query)) {
        if (!result.ok) return result;
        for (const sent of result.page.transactions.filter(matches)) {
          if (total >= offset && transactions.length < limit) transactions.push(sent.read());
          total++;
        }
      }
      return { ok: true, page: pageOf(total, transactions) };
    },
  };
}

/** A transaction of one of several accounts, without its details. */
export type AccountTransaction = Omit<SentTransaction, "read"> & { account: Account };

/** Returns a part of several accounts' transactions, the newest first. */
export const newestOf = (
  sent: readonly { sent: SentTransaction; account: Account }[],
  from: number,
  to: number,
): AccountTransaction[] =>
  sent.toSorted((a, b) => compare(b.sent.created_at, a.sent.created_at))
    .slice(from, to)
    .map(({ sent: { read: _, counterparty, note, ...rest }, account }) => ({
      ...rest,
      counterparty,
      note,
      account,
    }));

const compare = (a: string, b: string) => a < b ? -1 : a > b ? 1 : 0;

/** Returns whether a read failed because its patience aborted. */
export const isSlow = (
  error: TreasuryFailure["error"] | undefined,
  patience: AbortSignal | undefined,
): boolean => error === "network_error" && patience?.aborted === true;
