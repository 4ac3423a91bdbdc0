/** The entry point to bank data: all that a console may see, even while the bank is down or not connected. */
import { withDeadline } from "../../base/deadline.ts";
import { asSite } from "../../platform/kv/mod.ts";
import {
  type AccountsResponse,
  failureOf,
  type FallbackSummary,
  MESSAGES,
  type PendingAccount,
  type Summary,
  type TreasuryFailure,
} from "./api.ts";
import { type FailedLookup, knownOf, unlessAborted } from "./cache.ts";
import {
  type Connection,
  type ConnectionOptions,
  createConnection,
  loadAccounts,
  totalOf,
  type Trust,
} from "./connection.ts";
import { type DailySumStore, NO_SUMS } from "./daily_sums.ts";
import { type AccountTotals, dayBefore } from "./daily_totals.ts";
import {
  type Account,
  type BankErrorCode,
  type BankProvider,
  isBankError,
  OPERATION_TIMEOUT_MS,
} from "./provider.ts";
import {
  type AccountTransaction,
  createTransactionReader,
  isSlow,
  newestOf,
  type TransactionReader,
} from "./transactions.ts";

export interface TreasuryOptions extends Omit<ConnectionOptions, "provider"> {
  /** Null if no bank is connected. */
  provider: BankProvider | null;
  /** Name of the token's environment variable, shown to operators. Defaults to `BANK_API_TOKEN`. */
  tokenSecret?: string;
  /** Describes the account `accountId` while the bank does not list it. */
  pendingAccount?: PendingAccount;
  /** The account that is held in trust for the other organisation, if there is one. */
  trust?: Trust;
  /** Timeout for everything that a page needs. Defaults to that of one operation of the provider. */
  timeoutMs?: number;
}

/** An account with its daily totals. */
export interface AccountHistory {
  account: Account;
  /** Null for accounts that are not active, and on the foundation's surface (spec 4.2.2). */
  totals: AccountTotals | null;
}

/** The accounts of a surface, with their daily totals. */
export interface TreasuryHistory {
  ok: true;
  /** When the balances were read, ISO 8601 in UTC. */
  cached_at: string;
  accounts: AccountHistory[];
  /** Why the accounts are the last known ones; absent if they are current. */
  reason?: BankErrorCode;
  pending_account?: PendingAccount;
}

/** The newest transactions of the active accounts in the last 30 days. */
export interface Latest {
  /** The newest first; null if some could not be read, and there are no others. */
  transactions: AccountTransaction[] | null;
  /** Why some are missing. */
  error?: TreasuryFailure["error"];
}

/**
 * The bank data of one console. Its methods never throw, whatever the bank does. A page passes
 * `patience`: when it aborts, what is stored takes the place of what the bank has not sent, and errors
 * are `slow`.
 */
export interface Treasury extends TransactionReader {
  summary(patience?: AbortSignal): Promise<Summary>;
  /** If `patience` aborts, they are the last known ones, with the time at which they were read. */
  accounts(patience?: AbortSignal): Promise<AccountsResponse>;
  refresh(): Promise<{ ok: true; cached_at: string } | TreasuryFailure>;
  /**
   * Reads the accounts, which may be the last known ones, and their totals of the last 90 days. It
   * takes no longer than one operation of the provider. The foundation's surface requests no
   * transactions, and the commercial one those that it has not yet summed for these balances. Calls at
   * the same time without arguments share one read.
   *
   * @param only the id of an account, to read no other
   */
  history(patience?: AbortSignal, only?: string): Promise<TreasuryHistory | TreasuryFailure>;
  /**
   * Reads the newest transactions of all active accounts from the bank, uncached. It takes no longer
   * than one operation of the provider. The foundation's surface requests none.
   */
  latest(count: number, patience?: AbortSignal): Promise<Latest>;
  /** The sums of all active accounts of the last 90 days, which are stored each hour. */
  sums: DailySumStore;
  /**
   * Returns when the bank last returned the accounts to this token, ISO 8601 in UTC; null if it
   * never did. Makes no request.
   */
  lastResponse(): Promise<string | null>;
  /**
   * Reads the accounts from the bank, past the cache, to check whether it responds. Returns them or
   * the error; null if no bank is connected.
   */
  probe(): Promise<{ accounts: Account[] } | { error: BankErrorCode } | null>;
}

const PROOF_OF_CONNECTION =
  "This is a proof of connection, pending the foundation's own banking organisation.";

/**
 * Creates the treasury of one operations surface (spec 1.1, 2.3, 2.4, 4.1). It is not tied to an
 * entity: a provider with other credentials connects another entity.
 *
 * @example
 * ```ts
 * const treasury = createTreasury({ surface: "commercial", provider, kv, clock });
 * const { connection_status, total_balance } = await treasury.summary();
 * ```
 */
export function createTreasury(options: TreasuryOptions): Treasury {
  const { provider } = options;
  return provider === null
    ? createDisconnected(options)
    : createConnected(options, createConnection({ ...options, provider }));
}

const entityNote = ({ surface, accountId }: TreasuryOptions): string =>
  surface === "foundation" && accountId === undefined ? PROOF_OF_CONNECTION : "";

/** Only the commercial console shows anything about transactions (spec 4.2.2). */
const showsTransactions = ({ surface }: TreasuryOptions) => surface === "commercial";

/** Returns the fallback body of spec 2.3. */
function fallback(
  options: TreasuryOptions,
  rest: Pick<FallbackSummary, "reason" | "stale"> = {},
): FallbackSummary {
  const { clock, tokenSecret = "BANK_API_TOKEN" } = options;
  const { reason } = rest;
  const cause = reason === undefined || reason === "auth_failed" ? "" : `${MESSAGES[reason]} `;
  return {
    entity: "Pending",
    entity_note: entityNote(options),
    total_balance: null,
    active_accounts: null,
    currency: "USD",
    cached_at: new Date(clock()).toISOString(),
    connection_status: "not_connected",
    message: `${cause}Generate a provider API token and set it as the token secret ${tokenSecret}.`,
    ...showsTransactions(options) ? { last_activity: null } : {},
    ...rest,
  };
}

function createDisconnected(options: TreasuryOptions): Treasury {
  const body = () => fallback(options);
  const failure = (): TreasuryFailure => {
    const { message } = body();
    return { ok: false, error: "not_connected", message };
  };
  const failureWithBody = () => Promise.resolve({ ...failure(), fallback: body() });
  return {
    summary: () => Promise.resolve(body()),
    accounts: () => Promise.resolve({ accounts: [], ...body() }),
    refresh: () => Promise.resolve(failure()),
    transactions: failureWithBody,
    async *pages() {
      yield await failureWithBody();
    },
    history: failureWithBody,
    latest: () => Promise.resolve({ transactions: null, error: failure().error }),
    sums: NO_SUMS,
    lastResponse: () => Promise.resolve(null),
    probe: () => Promise.resolve(null),
  };
}

function createConnected(options: TreasuryOptions, bank: Connection): Treasury {
  let reading: ReturnType<Treasury["history"]> | undefined;
  return {
    ...createTransactionReader(bank, (lookup) => unreachable(options, lookup)),
    summary: (patience) => readSummary(options, bank, patience),

    async accounts(patience) {
      const lookup = await bank.accounts.get(patience);
      if ("error" in lookup && (lookup.error.error !== "slow" || lookup.old === null)) {
        return { accounts: [], ...unreachable(options, lookup) };
      }
      const { data: accounts, cached_at } = "error" in lookup ? lookup.old! : lookup;
      const { active_accounts: _, ...totals } = totalOf(accounts, options.trust);
      return {
        accounts,
        ...isPending(options, accounts) ? { total_balance: null } : totals,
        cached_at,
        connection_status: "live",
        ...pendingOf(options, accounts),
      };
    },

    async refresh() {
      reading = undefined; // it may have read the accounts already
      await bank.activity.expire();
      const [accounts] = await Promise.all([bank.accounts.refresh(), bank.organization.refresh()]);
      if ("error" in accounts) return failureOf(accounts.error);
      return { ok: true, cached_at: accounts.cached_at };
    },

    history(...limits) {
      const read = ([patience, only]: typeof limits) =>
        withDeadline(
          options.timeoutMs ?? OPERATION_TIMEOUT_MS,
          patience,
          (signal) => readHistory(options, bank, signal, patience, only),
        );
      if (limits.length > 0) return read(limits);
      return reading ??= asSite(() => read([])).finally(() => reading = undefined);
    },
    latest: (count, patience) =>
      withDeadline(
        options.timeoutMs ?? OPERATION_TIMEOUT_MS,
        patience,
        (signal) => readLatest(options, bank, count, signal, patience),
      ),
    sums: bank.dailySums,
    lastResponse: bank.accounts.cachedAt,

    async probe() {
      const accounts = await loadAccounts(bank.provider, options.accountId);
      return isBankError(accounts) ? { error: accounts.error } : { accounts };
    },
  };
}

/** @param begun when the operation began, as `performance.now` returns it */
const deadline = (
  { timeoutMs = OPERATION_TIMEOUT_MS }: TreasuryOptions,
  begun: number,
): AbortSignal => AbortSignal.timeout(Math.max(0, begun + timeoutMs - performance.now()));

/** Returns the fallback body for when the accounts cannot be read, with the last good figures, if any. */
const unreachable = (
  options: TreasuryOptions,
  { error: { error: reason }, old }: FailedLookup<Account[]>,
): FallbackSummary =>
  fallback(options, {
    reason,
    ...old === null
      ? {}
      : { stale: { ...totalOf(old.data, options.trust), cached_at: old.cached_at } },
  });

/** Returns whether the bank does not share a split surface's only account yet. */
const isPending = ({ accountId }: TreasuryOptions, shown: Account[]): boolean =>
  accountId !== undefined && shown.length === 0;

/** Copies the configured account field by field, because it has an id, which must not be sent. */
function pendingOf(options: TreasuryOptions, shown: Account[]) {
  const { nickname, last4 } = options.pendingAccount ?? { nickname: "", last4: "" };
  return isPending(options, shown) ? { pending_account: { nickname, last4 } } : {};
}

async function readSummary(
  options: TreasuryOptions,
  bank: Connection,
  patience: AbortSignal | undefined,
): Promise<Summary> {
  const showsActivity = showsTransactions(options);
  const begun = performance.now();
  // Called together, so that the cache reads what is stored at once.
  const [accounts, organization, stored] = await Promise.all([
    bank.accounts.get(patience),
    bank.organization.get(patience),
    showsActivity ? bank.activity.stored() : null,
  ]);
  if ("error" in accounts) return unreachable(options, accounts);
  const readActivity = async () => knownOf(await bank.activity.get(patience))?.data.at ?? null;
  // If the accounts are newer, a refresh may have expired the activity in the meantime.
  const last_activity = async () =>
    stored !== null && stored.cached_at >= accounts.cached_at
      ? stored.data.at
      : await unlessAborted(deadline(options, begun), readActivity(), () => null);
  return {
    // Only the accounts determine whether the bank is connected; the name may be outdated.
    entity: knownOf(organization)?.data.name ?? "Pending",
    entity_note: entityNote(options),
    ...isPending(options, accounts.data)
      ? { total_balance: null, active_accounts: null, pending: true }
      : totalOf(accounts.data, options.trust),
    currency: "USD",
    cached_at: accounts.cached_at,
    connection_status: "live",
    ...showsActivity ? { last_activity: await last_activity() } : {},
  };
}

async function readHistory(
  options: TreasuryOptions,
  bank: Connection,
  signal: AbortSignal,
  patience?: AbortSignal,
  only?: string,
): Promise<TreasuryHistory | TreasuryFailure> {
  const lookup = await bank.accounts.get(patience);
  const failed = "error" in lookup;
  if (failed && lookup.old === null) {
    return { ...failureOf(lookup.error), fallback: unreachable(options, lookup) };
  }
  const { data: shown, cached_at } = failed ? lookup.old! : lookup;
  const read = only === undefined ? shown : shown.filter(({ id }) => id === only);
  const accounts = await Promise.all(read.map(async (account): Promise<AccountHistory> => {
    const { id, status } = account;
    if (!showsTransactions(options) || status !== "active" || id === "") {
      return { account, totals: null };
    }
    const totals = await bank.dailyTotals.read(id, cached_at, failed ? null : signal);
    return {
      account,
      totals: isSlow(totals.error, patience) ? { ...totals, error: "slow" } : totals,
    };
  }));
  const reason = failed ? { reason: lookup.error.error } : {};
  return { ok: true, cached_at, accounts, ...reason, ...pendingOf(options, shown) };
}

/** The days in which transactions count as latest ones. */
const LATEST_DAYS = 30;

async function readLatest(
  options: TreasuryOptions,
  { accounts, provider }: Connection,
  count: number,
  signal: AbortSignal,
  patience?: AbortSignal,
): Promise<Latest> {
  if (!showsTransactions(options)) return { transactions: [] };
  const lookup = await accounts.get(patience);
  if ("error" in lookup) return { transactions: null, error: lookup.error.error };
  const query = { limit: count, start: dayBefore(options.clock(), LATEST_DAYS - 1) };
  const active = lookup.data.filter(({ id, status }) => status === "active" && id !== "");
  const pages = await Promise.all(active.map(async (account) => ({
    account,
    page: await provider.getTransactions(account.id, query, signal),
  })));
  const sent = pages.flatMap(({ account, page }) =>
    isBankError(page) ? [] : page.transactions.map((sent) => ({ sent, account }))
  );
  const failed = pages.map(({ page }) => isBankError(page) ? page.error : undefined)
    .find((error) => error !== undefined && error !== "not_found");
  return {
    transactions: failed !== undefined && sent.length === 0 ? null : newestOf(sent, 0, count),
    error: isSlow(failed, patience) ? "slow" : failed,
  };
}
