import { type BankError, isBankError } from "./errors.ts";
import { type BankHttpOptions, createBankHttp } from "./http.ts";
import { toAccount, toOrganization, toTransaction } from "./mapping.ts";
import type { Account, Organization, TransactionPage } from "./records.ts";
import {
  providerAccount,
  providerAccounts,
  providerOrganization,
  providerTransactions,
} from "./schemas.ts";

export interface BankClientOptions extends BankHttpOptions {
  /** For a whole operation, its second tries and further pages included. */
  timeoutMs?: number;
}

/** Filters of {@link BankClient.getTransactions}; dates are `YYYY-MM-DD` or ISO 8601 times. */
export interface TransactionOptions {
  /** From 1; providers take up to 500 or 1,000. */
  limit?: number;
  offset?: number;
  /** Without it the provider answers the last 30 days only. */
  start?: string;
  end?: string;
  /** By time; `desc`, the newest first, where it is missing. */
  order?: "asc" | "desc";
}

/** The provider's operations that are used (spec 4.1). None throws: see {@link BankError}. */
export interface BankClient {
  /** All accounts, whatever their status. */
  getAccounts(): Promise<Account[] | BankError>;
  /** One account; `not_found` is expected for some restricted ones. */
  getAccount(id: string): Promise<Account | BankError>;
  getTransactions(id: string, opts?: TransactionOptions): Promise<TransactionPage | BankError>;
  getOrganization(): Promise<Organization | BankError>;
}

/** Far above any organisation's; a provider whose pages never end is broken. */
const MAX_PAGES = 100;

/**
 * Makes the client of the banking provider (spec 1, 4.1, 7). Neither full account numbers nor
 * routing numbers are in anything that it hands back.
 *
 * @example
 * ```ts
 * const client = createBankClient({ baseUrl: "https://bank.example", token, fetch });
 * const accounts = await client.getAccounts();
 * if (!isBankError(accounts)) console.log(sumAmounts(accounts.map(({ balance }) => balance)));
 * ```
 */
export function createBankClient({ timeoutMs = 8_000, ...http }: BankClientOptions): BankClient {
  const get = createBankHttp(http);
  const deadline = () => AbortSignal.timeout(timeoutMs);

  return {
    async getAccounts() {
      const signal = deadline();
      const accounts = new Map<string, Account>();
      let cursor: string | undefined;
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const query = { start_after: cursor };
        const answer = await get(providerAccounts, ["accounts"], query, signal);
        if (isBankError(answer)) return answer;
        for (const account of answer.accounts) accounts.set(account.id, toAccount(account));
        const next = answer.page?.nextPage;
        if (!next) return [...accounts.values()];
        if (next === cursor) break;
        cursor = next;
      }
      // A part of the accounts would be taken for all of them, and their sum for the balance.
      return { error: "invalid_response" };
    },

    async getAccount(id) {
      const answer = await get(providerAccount, ["account", id], {}, deadline());
      return isBankError(answer) ? answer : toAccount(answer);
    },

    async getTransactions(id, { limit, offset, start, end, order } = {}) {
      const query = { limit, offset, order, start, end };
      const path = ["account", id, "transactions"];
      const answer = await get(providerTransactions, path, query, deadline());
      if (isBankError(answer)) return answer;
      const transactions = answer.transactions.map(toTransaction);
      return { total: answer.total ?? (offset ?? 0) + transactions.length, transactions };
    },

    async getOrganization() {
      const answer = await get(providerOrganization, ["organization"], {}, deadline());
      return isBankError(answer) ? answer : toOrganization(answer.organization);
    },
  };
}
