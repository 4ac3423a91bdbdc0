import type { Account, Transaction } from "../provider.ts";
import type { PageResult } from "../pages.ts";
import { transactionList, type TransactionQuery } from "../filters.ts";
import type { Treasury } from "../treasury.ts";
import type { TreasuryFailure } from "../api.ts";
import { type Columns, csvOf } from "../../../platform/listing/csv.ts";
import type { AuditLog } from "../../audit/mod.ts";
import { type Exporter, logExport } from "../../audit/mod.ts";
import { statusOf } from "./labels.ts";

const NAMES = [
  "created_at",
  "posted_at",
  "amount",
  "counterparty",
  "kind",
  "status",
  "note",
  "description",
  "memo",
  "id",
] as const;

const COLUMNS: Columns<Transaction> = {
  ...Object.fromEntries(NAMES.map((name) => [name, (one: Transaction) => one[name]])),
  status: statusOf,
};

/** Far more than any file has; guards against a bank's list that never ends. */
const MAX_PAGES = 5_000;

/**
 * Returns every transaction that a query selects, newest first, as a CSV download that is written
 * while the bank's pages are read. Times are ISO 8601 in UTC, amounts are in dollars. A failure of the
 * first page is returned; a later one breaks the download off, so that the file cannot be mistaken for
 * a complete one.
 */
export async function transactionsFile(
  treasury: Treasury,
  query: TransactionQuery,
): Promise<{ ok: true; response: Response } | TreasuryFailure> {
  const { accounts } = await treasury.accounts();
  const account = accounts.find(({ id }) => id === query.account_id);
  const pages = treasury.pages(query, { maxPages: MAX_PAGES, ahead: 1 });
  const first = (await pages.next()).value as PageResult;
  if (!first.ok) return first;
  const items = transactionsOf(first, pages, transactionList.matcher(query));
  return { ok: true, response: csvOf(csvName(account), COLUMNS, items) };
}

/** Returns {@link transactionsFile}, and adds the export to the audit log. */
export async function exportTransactions(
  { audit, treasury }: { audit: AuditLog; treasury: Treasury },
  query: TransactionQuery,
  exporter: Exporter,
): ReturnType<typeof transactionsFile> {
  const file = await transactionsFile(treasury, query);
  if (!file.ok) return file;
  const object = { account: query.account_id };
  await logExport(
    audit,
    exporter,
    "transactions_exported",
    transactionList.describe(query),
    object,
  );
  return file;
}

async function* transactionsOf(
  first: PageResult,
  rest: AsyncIterable<PageResult>,
  matches: (transaction: Transaction) => boolean,
): AsyncGenerator<Transaction> {
  const matching = (result: PageResult) => {
    if (!result.ok) throw new Error(`The bank failed during a download: ${result.error}`);
    return result.page.transactions.filter(matches);
  };
  yield* matching(first);
  for await (const result of rest) yield* matching(result);
}

/** Returns the name of an account's file: letters, digits and dashes. */
export function csvName(
  { nickname, last4 }: Pick<Account, "nickname" | "last4"> = { nickname: "", last4: "" },
): string {
  const words = ["transactions", ...`${nickname} ${last4}`.toLowerCase().match(/[a-z\d]+/g) ?? []];
  return words.join("-").slice(0, 80);
}
