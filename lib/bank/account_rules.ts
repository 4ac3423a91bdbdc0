import type { BankClient } from "./client.ts";
import { type BankError, isBankError } from "./errors.ts";
import { sumAmounts } from "./money.ts";
import type { Account } from "./records.ts";
import type { AccountView } from "./views.ts";

/** Which upstream statuses are ignored entirely (spec 2.4, rule 2). */
const DROPPED = new Set(["archived", "deleted"]);

/** What of the accounts is shown, and how (spec 2.4): restricted ones too, archived ones not. */
export function viewAccounts(accounts: Account[]): AccountView[] {
  return accounts.filter(({ status }) => !DROPPED.has(status)).map((account) => ({
    ...account,
    status: account.status === "active" ? "active" : "restricted",
  }));
}

/** What is counted: the active accounts alone (spec 2.4, rule 3). */
export function totalOf(accounts: AccountView[]) {
  const active = accounts.filter(({ status }) => status === "active");
  return {
    total_balance: sumAmounts(active.map(({ balance }) => balance)),
    active_accounts: active.length,
  };
}

/**
 * Asks for the accounts of a surface: all, or after the split the one with the given id. That one
 * is asked for by itself where the list lacks it, and left out where even that is `not_found`
 * (spec 2.4, rules 1 and 4).
 */
export async function loadAccounts(
  client: BankClient,
  accountId: string | undefined,
): Promise<Account[] | BankError> {
  const accounts = await client.getAccounts();
  if (isBankError(accounts) || accountId === undefined) return accounts;
  const listed = accounts.filter(({ id }) => id === accountId);
  if (listed.length > 0) return listed;
  const account = await client.getAccount(accountId);
  if (!isBankError(account)) return account.id === accountId ? [account] : [];
  return account.error === "not_found" ? [] : account;
}
