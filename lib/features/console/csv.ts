import {
  type Account,
  type PageResult,
  type Transaction,
  transactionMatcher,
  type TransactionQuery,
  type Treasury,
  type TreasuryFailure,
} from "../bank/mod.ts";
import { csvResponse, textCell } from "../../base/csv.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type AuditLog, describeFilters } from "../audit/mod.ts";

const COLUMNS = [
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
  const rows = rowsOf(first, pages, transactionMatcher(query));
  return { ok: true, response: csvResponse(csvName(account), COLUMNS, rows) };
}

/** Returns {@link transactionsFile}, and adds it to the audit log, without the words of a search. */
export async function exportTransactions(
  { audit, treasury }: { audit: AuditLog; treasury: Treasury },
  query: TransactionQuery,
  { organisation, by }: { organisation: OrganisationKey; by: string },
): ReturnType<typeof transactionsFile> {
  const file = await transactionsFile(treasury, query);
  if (!file.ok) return file;
  const { account_id, limit: _, offset: __, search, ...filters } = query;
  const words = search === undefined ? {} : { with: "a search" };
  const detail = describeFilters({ account: account_id, ...words, ...filters });
  await audit.add({ organisation, by, action: "transactions_exported", detail });
  return file;
}

async function* rowsOf(
  first: PageResult,
  rest: AsyncIterable<PageResult>,
  matches: (transaction: Transaction) => boolean,
): AsyncGenerator<string[]> {
  const rows = (result: PageResult) => {
    if (!result.ok) throw new Error(`The bank failed during a download: ${result.error}`);
    return result.page.transactions.filter(matches)
      .map((transaction) => COLUMNS.map((name) => cell(transaction[name])));
  };
  yield* rows(first);
  for await (const result of rest) yield* rows(result);
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? value.toFixed(2) : textCell(value);
}

/** Returns the name of an account's file: letters, digits and dashes. */
export function csvName(
  { nickname, last4 }: Pick<Account, "nickname" | "last4"> = { nickname: "", last4: "" },
): string {
  const words = ["transactions", ...`${nickname} ${last4}`.toLowerCase().match(/[a-z\d]+/g) ?? []];
  return words.join("-").slice(0, 80);
}
