/** The download of an account's transactions, written while the bank's pages are read. */
import type { Account, SentTransaction, Transaction } from "../provider.ts";
import type { PageResult } from "../pages.ts";
import { transactionList, type TransactionQuery } from "../filters.ts";
import type { Treasury } from "../treasury.ts";
import type { TreasuryFailure } from "../api.ts";

/** Far more than any file has; guards against a bank's list that never ends. */
const MAX_PAGES = 5_000;

/** The transactions of an export, and the name of its file. */
interface TransactionsFile {
  ok: true;
  name: string;
  items: AsyncIterable<Transaction>;
}

/**
 * Returns every transaction that a query selects, newest first, while the bank's pages are read. A failure of the
 * first page is returned; a later one breaks the download off, so that the file cannot be mistaken for a complete
 * one.
 */
export async function transactionsFile(
  treasury: Treasury,
  query: TransactionQuery,
): Promise<TransactionsFile | TreasuryFailure> {
  const { accounts } = await treasury.accounts();
  const account = accounts.find(({ id }) => id === query.account_id);
  const pages = treasury.pages(query, { maxPages: MAX_PAGES, ahead: 1 });
  const first = (await pages.next()).value as PageResult;
  if (!first.ok) return first;
  const items = transactionsOf(first, pages, transactionList.matcher(query));
  return { ok: true, name: nameOfFile(account), items };
}

async function* transactionsOf(
  first: PageResult,
  rest: AsyncIterable<PageResult>,
  matches: (sent: SentTransaction) => boolean,
): AsyncGenerator<Transaction> {
  const matching = (result: PageResult) => {
    if (!result.ok) throw new Error(`The bank failed during a download: ${result.error}`);
    return result.page.transactions.filter(matches).map((sent) => sent.read());
  };
  yield* matching(first);
  for await (const result of rest) yield* matching(result);
}

/** Returns the name of an account's file: letters, digits and dashes. */
export function nameOfFile(
  { nickname, last4 }: Pick<Account, "nickname" | "last4"> = { nickname: "", last4: "" },
): string {
  const words = ["transactions", ...`${nickname} ${last4}`.toLowerCase().match(/[a-z\d]+/g) ?? []];
  return words.join("-").slice(0, 80);
}
