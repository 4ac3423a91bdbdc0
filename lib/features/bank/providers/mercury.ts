/** The adapter of Mercury's API: its addresses, pagination and limits. */
import { type Account, type BankAdapter, isBankError } from "../provider.ts";
import { acceptAccount, type AdapterOptions, inTimeout } from "./adapter.ts";
import {
  mercuryAccount,
  mercuryAccounts,
  mercuryOrganization,
  mercuryTransactions,
  readTransaction,
} from "./mercury_records.ts";
import { createRequests } from "./request.ts";

const ROOT = ["api", "v1"];
/** The most pages that are read: more than any organisation needs, but pagination may never end. */
const MAX_PAGES = 100;
/** Most deployments accept a limit of 1,000 transactions, and all of them accept 500. */
const LARGEST_PAGE = 1_000;
const ACCEPTED_PAGE = 500;
/** A start date before any account. Without one, Mercury returns only the last 30 days. */
const EARLIEST = "2000-01-01";

/**
 * Creates the adapter of Mercury's API (spec 1, 4.1, 7). Its results contain neither full account
 * numbers nor routing numbers.
 *
 * @example
 * ```ts
 * const bank = createMercury({ baseUrl: "https://bank.example", token, fetch });
 * const accounts = await bank.getAccounts();
 * if (!isBankError(accounts)) console.log(sumAmounts(accounts.map(({ balance }) => balance ?? 0)));
 * ```
 */
export function createMercury(options: AdapterOptions): BankAdapter {
  const { get, check } = createRequests(options);
  let largestPage = LARGEST_PAGE;

  return {
    getAccounts: () =>
      inTimeout(options, async (signal) => {
        const accounts = new Map<string | symbol, Account>();
        let cursor: string | undefined;
        for (let pages = 0; pages < MAX_PAGES; pages++) {
          const query = { start_after: cursor };
          const result = await get(mercuryAccounts, [...ROOT, "accounts"], query, signal);
          if (isBankError(result)) return result;
          for (const sent of result.accounts) {
            const account = acceptAccount(sent, options);
            if (!sent.isClosed) accounts.set(account.id || Symbol("no id"), account);
          }
          const next = result.page?.nextPage;
          if (!next) return [...accounts.values()];
          if (next === cursor) break;
          cursor = next;
        }
        // A partial list would produce a wrong total balance.
        return { error: "invalid_response" };
      }),

    async getAccount(id) {
      const path = [...ROOT, "account", id];
      const result = await inTimeout(options, (signal) => get(mercuryAccount, path, {}, signal));
      if (isBankError(result)) return result;
      // Without an id, it could be any account.
      if (result.account.id === "") return { error: "invalid_response" };
      const account = acceptAccount(result, options);
      return result.isClosed ? { error: "not_found" } : account;
    },

    getTransactions: (id, { limit, offset = 0, start = EARLIEST, end } = {}, other) =>
      inTimeout(options, async (signal) => {
        const path = [...ROOT, "account", id, "transactions"];
        const read = (limit: number) =>
          get(mercuryTransactions, path, { limit, offset, start, end }, signal);
        let size = limit ?? largestPage;
        let result = await read(size);
        if (limit === undefined && size > ACCEPTED_PAGE && isRejected(result)) {
          size = ACCEPTED_PAGE;
          result = await read(size);
          if (!isBankError(result)) largestPage = size;
        }
        if (isBankError(result)) return result;
        const { total } = result;
        const transactions = result.transactions.map(readTransaction);
        if (!transactions.every((one) => one !== null)) return { error: "invalid_response" };
        // Some deployments count only the page. Then a full page may not be the last.
        const isFull = transactions.length >= size;
        const isUnknown = total == null || isFull && total <= offset + transactions.length;
        return { total: isUnknown ? null : total, transactions };
      }, other),

    getOrganization: () =>
      inTimeout(
        options,
        (signal) => get(mercuryOrganization, [...ROOT, "organization"], {}, signal),
      ),

    check: (signal) => check([...ROOT, "organization"], signal),
  };
}

/** Returns whether Mercury rejects the request itself, for example because of its limit. */
const isRejected = (result: object) => "status" in result && result.status === 400;
