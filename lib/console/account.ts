import type { AccountView, BankErrorCode, TransactionsResponse, Treasury } from "../bank/mod.ts";
import type { Failure } from "../result.ts";
import { type AccountFlow, flowSpan, loadFlow } from "./flow.ts";
import type { LedgerFilters } from "./ledger_filters.ts";

export interface ListedAccount {
  account: AccountView;
  cachedAt: string;
}

export interface AccountLedger {
  ok: true;
  listed: ListedAccount;
  ledger: TransactionsResponse;
  /** Null if not requested. */
  flow: AccountFlow | Failure | null;
}

/**
 * Why the transactions could not be read: `not_found` for an account that is not listed,
 * `invalid_request` for invalid filters, `restricted` for a listed account whose transactions the
 * bank does not share (spec 2.4, rule 1), or the bank's error.
 */
export interface AccountFailure
  extends Failure<BankErrorCode | "not_connected" | "too_many" | "restricted" | "invalid_request"> {
  /** Absent if the accounts could not be read, or do not include this one. */
  listed?: ListedAccount;
  /** Set only with `invalid_request`, if requested. */
  flow?: AccountFlow | Failure | null;
}

/**
 * Reads an account with a page of transactions.
 *
 * @param options.now milliseconds since 1970
 * @param options.flow whether to read the daily flow too
 */
export async function readAccount(
  treasury: Pick<Treasury, "accounts" | "transactions">,
  id: string,
  filters: LedgerFilters,
  options: { now: number; flow: boolean },
): Promise<AccountLedger | AccountFailure> {
  const accounts = await treasury.accounts();
  if (accounts.connection_status === "not_connected") {
    return { ok: false, error: accounts.reason ?? "not_connected" };
  }
  const account = accounts.accounts.find((account) => account.id === id);
  if (account === undefined) return { ok: false, error: "not_found" };
  const listed: ListedAccount = { account, cachedAt: accounts.cached_at };
  const flowRead = options.flow
    ? loadFlow(treasury, id, flowSpan(filters.range, options.now))
    : null;
  if ("issues" in filters) {
    return { ok: false, error: "invalid_request", listed, flow: await flowRead };
  }
  const [result, flow] = await Promise.all([treasury.transactions(filters.query), flowRead]);
  if (result.ok) return { ok: true, listed, ledger: result.page, flow };
  const restricted = result.error === "not_found" && account.status !== "active";
  return { ok: false, error: restricted ? "restricted" : result.error, listed };
}
