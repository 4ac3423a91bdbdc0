import {
  type AccountsResponse,
  type AccountView,
  failureOf,
  type FallbackSummary,
  type PendingAccount,
  type Summary,
  type TransactionQuery,
  type TransactionsResponse,
  type TreasuryFailure,
} from "./api.ts";
import { type Cached, unlessAborted } from "./cache.ts";
import type { AccountTotals } from "./daily_totals.ts";
import {
  type Connection,
  type ConnectionOptions,
  createConnection,
  EARLIEST,
  totalOf,
  viewAccounts,
} from "./connection.ts";
import {
  type BankError,
  type BankErrorCode,
  isBankError,
  OPERATION_TIMEOUT_MS,
} from "./provider.ts";
import type { Account, Transaction, TransactionPage } from "./records.ts";
import { hasFilters, readPages, transactionMatcher } from "./transactions.ts";

export interface TreasuryOptions extends Omit<ConnectionOptions, "token"> {
  /** The surface's token secret; undefined or empty means not connected. */
  token: string | undefined;
  /** Name of the token's environment variable, shown to operators. Defaults to `BANK_API_TOKEN`. */
  tokenSecret?: string;
  /** Describes the account `accountId` while the provider does not list it. */
  pendingAccount?: PendingAccount;
}

/** An account with its daily totals. */
export interface AccountHistory {
  account: AccountView;
  /** Null for accounts that are not active, and on the foundation's surface (spec 4.2.2). */
  totals: AccountTotals | null;
}

export interface TreasuryHistory {
  ok: true;
  /** When the balances were read, ISO 8601 in UTC. */
  cached_at: string;
  accounts: AccountHistory[];
  /** Why the accounts are the last known ones; absent if they are current. */
  reason?: BankErrorCode;
  pending_account?: PendingAccount;
}

/**
 * The bank data of one console. Its methods never throw, whatever the provider does. A page passes
 * `patience`: when it aborts, what is stored takes the place of what the bank has not sent, and errors
 * are `slow`.
 */
export interface Treasury {
  summary(patience?: AbortSignal): Promise<Summary>;
  /** If `patience` aborts, they are the last known ones, with the time at which they were read. */
  accounts(patience?: AbortSignal): Promise<AccountsResponse>;
  refresh(): Promise<{ ok: true; cached_at: string } | TreasuryFailure>;
  /**
   * Reads a page of transactions, uncached. With filters other than dates, it reads every transaction
   * in the range. Returns `not_found` for an account that the console does not show.
   */
  transactions(
    query: TransactionQuery,
    patience?: AbortSignal,
  ): Promise<{ ok: true; page: TransactionsResponse } | TreasuryFailure>;
  /**
   * Reads the accounts, which may be the last known ones, and their totals of the last 90 days. It
   * takes no longer than one operation of the client. The foundation's surface requests no
   * transactions.
   */
  history(patience?: AbortSignal): Promise<TreasuryHistory | TreasuryFailure>;
  /**
   * Returns when the provider last returned the accounts to this token, ISO 8601 in UTC; null if it
   * never did. Makes no request.
   */
  lastResponse(): Promise<string | null>;
  /**
   * Reads the accounts from the bank, past the cache, to check whether it responds. Returns the
   * error, null if it responds, or undefined if no token is configured.
   */
  probe(): Promise<BankErrorCode | null | undefined>;
}

const PROOF_OF_CONNECTION =
  "This is a proof of connection, pending the foundation's own banking organisation.";

/**
 * Creates the treasury of one operations surface (spec 1.1, 2.3, 2.4, 4.1). It is not tied to an
 * entity: a different token connects a different entity.
 *
 * @example
 * ```ts
 * const treasury = createTreasury({ surface: "commercial", baseUrl, token, fetch, kv, clock });
 * const { connection_status, total_balance } = await treasury.summary();
 * ```
 */
export function createTreasury(options: TreasuryOptions): Treasury {
  const { surface, token, clock, accountId } = options;
  const message = `Generate a provider API token and set it as the token secret ${
    options.tokenSecret ?? "BANK_API_TOKEN"
  }.`;
  const entity_note = surface === "foundation" && accountId === undefined
    ? PROOF_OF_CONNECTION
    : "";
  const showsActivity = surface === "commercial";
  const bank = token ? createConnection({ ...options, token }) : null;

  const fallback = (rest: Partial<FallbackSummary> = {}): FallbackSummary => ({
    entity: "Pending",
    entity_note,
    total_balance: null,
    active_accounts: null,
    currency: "USD",
    cached_at: new Date(clock()).toISOString(),
    connection_status: "not_connected",
    message,
    ...showsActivity ? { last_activity: null } : {},
    ...rest,
  });

  /**
   * Returns the fallback body for when the accounts cannot be read, with the last good figures, if
   * any.
   */
  const unreachable = (
    { error: { error: reason }, old }: { error: BankError; old: Cached<Account[]> | null },
  ) =>
    old === null ? fallback({ reason }) : fallback({
      reason,
      stale: { ...totalOf(viewAccounts(old.data)), cached_at: old.cached_at },
    });

  /** Returns whether the provider does not share a split surface's only account yet. */
  const isPending = (shown: AccountView[]) => accountId !== undefined && shown.length === 0;

  /** @param begun when the operation began, as `performance.now` returns it */
  const deadline = (begun = performance.now()) => {
    const end = begun + (options.timeoutMs ?? OPERATION_TIMEOUT_MS);
    return AbortSignal.timeout(Math.max(0, end - performance.now()));
  };
  const { nickname, last4 } = options.pendingAccount ?? { nickname: "", last4: "" };
  /** Copied field by field, because the configured object has an id, which must not be sent. */
  const pendingOf = (shown: AccountView[]) =>
    isPending(shown) ? { pending_account: { nickname, last4 } } : {};

  async function lastActivity(
    { activity }: Connection,
    patience: AbortSignal | undefined,
  ): Promise<string | null> {
    const lookup = await activity(patience);
    return ("error" in lookup ? lookup.old : lookup)?.data.at ?? null;
  }

  async function readPage(
    { account_id, start = EARLIEST, end, limit, offset }: TransactionQuery,
    patience: AbortSignal | undefined,
  ): Promise<{ ok: true; page: TransactionsResponse } | TreasuryFailure> {
    if (bank === null) {
      return { ok: false, error: "not_connected", message, fallback: fallback() };
    }
    const lookup = await bank.accounts(patience);
    const known = "error" in lookup ? lookup.old : lookup;
    const shown = viewAccounts(known?.data ?? []).some(({ id }) => id === account_id);
    const page: TransactionPage | BankError = shown
      ? await bank.client.getTransactions(account_id, { start, end, limit, offset }, patience)
      : { error: "not_found" };
    if (!isBankError(page)) return { ok: true, page: { account_id, limit, offset, ...page } };
    if (isSlow(page.error, patience)) return failureOf({ error: "slow" });
    if (!("error" in lookup)) return failureOf(page);
    return { ...failureOf(lookup.error), fallback: unreachable(lookup) };
  }

  return {
    async summary(patience) {
      if (bank === null) return fallback();
      const begun = performance.now();
      // Called together, so that the cache reads what is stored at once.
      const [accounts, organization, stored] = await Promise.all([
        bank.accounts(patience),
        bank.organization(patience),
        showsActivity ? bank.storedActivity() : null,
      ]);
      if ("error" in accounts) return unreachable(accounts);
      // Only the accounts determine whether the bank is connected; the entity name may be outdated.
      const entity = "error" in organization ? organization.old : organization;
      const shown = viewAccounts(accounts.data);
      // If the accounts are newer, a refresh may have expired the activity in the meantime.
      const last_activity = async () =>
        stored !== null && stored.cached_at >= accounts.cached_at
          ? stored.data.at
          : await unlessAborted(deadline(begun), lastActivity(bank, patience), () => null);
      return {
        entity: entity?.data.name ?? "Pending",
        entity_note,
        ...isPending(shown)
          ? { total_balance: null, active_accounts: null, pending: true }
          : totalOf(shown),
        currency: "USD",
        cached_at: accounts.cached_at,
        connection_status: "live",
        ...showsActivity ? { last_activity: await last_activity() } : {},
      };
    },

    async accounts(patience) {
      if (bank === null) return { accounts: [], ...fallback() };
      const lookup = await bank.accounts(patience);
      const known = !("error" in lookup)
        ? lookup
        : lookup.error.error === "slow"
        ? lookup.old
        : null;
      if (known === null) {
        return { accounts: [], ...unreachable(lookup as Extract<typeof lookup, { old: unknown }>) };
      }
      const accounts = viewAccounts(known.data);
      return {
        accounts,
        total_balance: isPending(accounts) ? null : totalOf(accounts).total_balance,
        cached_at: known.cached_at,
        connection_status: "live",
        ...pendingOf(accounts),
      };
    },

    async refresh() {
      if (bank === null) return { ok: false, error: "not_connected", message };
      const accounts = await bank.refresh();
      if ("error" in accounts) return failureOf(accounts.error);
      return { ok: true, cached_at: accounts.cached_at };
    },

    async transactions(query, patience) {
      if (!hasFilters(query)) return await readPage(query, patience);
      const { account_id, limit, offset } = query;
      const matches = transactionMatcher(query);
      const transactions: Transaction[] = [];
      let total = 0;
      for await (const result of readPages((page) => readPage({ ...query, ...page }, patience))) {
        if (!result.ok) return result;
        for (const transaction of result.page.transactions.filter(matches)) {
          if (total >= offset && transactions.length < limit) transactions.push(transaction);
          total++;
        }
      }
      return { ok: true, page: { account_id, limit, offset, total, transactions } };
    },

    async history(patience) {
      if (bank === null) {
        return { ok: false, error: "not_connected", message, fallback: fallback() };
      }
      const signal = AbortSignal.any([deadline(), ...patience === undefined ? [] : [patience]]);
      const lookup = await bank.accounts(patience);
      const failed = "error" in lookup;
      const known = failed ? lookup.old : lookup;
      if (known === null) {
        const { error } = lookup as { error: BankError };
        return { ...failureOf(error), fallback: unreachable({ error, old: null }) };
      }
      const { cached_at } = known;
      const shown = viewAccounts(known.data);
      const accounts = await Promise.all(shown.map(async (account): Promise<AccountHistory> => {
        const { id, status } = account;
        if (!showsActivity || status !== "active" || id === "") return { account, totals: null };
        const totals = await bank.dailyTotals.read(id, cached_at, failed ? null : signal);
        return {
          account,
          totals: isSlow(totals.error, patience) ? { ...totals, error: "slow" } : totals,
        };
      }));
      const reason = failed ? { reason: lookup.error.error } : {};
      return { ok: true, cached_at, accounts, ...reason, ...pendingOf(shown) };
    },

    lastResponse: async () => await bank?.lastResponse() ?? null,

    async probe() {
      const accounts = await bank?.client.getAccounts();
      if (accounts === undefined) return undefined;
      return isBankError(accounts) ? accounts.error : null;
    },
  };
}

/** Returns whether a read failed because its patience aborted. */
const isSlow = (error: TreasuryFailure["error"] | undefined, patience: AbortSignal | undefined) =>
  error === "network_error" && patience?.aborted === true;
