import { totalOf, viewAccounts } from "./account_rules.ts";
import type { Cached } from "./cache.ts";
import { type Connection, type ConnectionOptions, createConnection } from "./connection.ts";
import { type BankError, isBankError } from "./errors.ts";
import { EARLIEST } from "./last_activity.ts";
import type { Account, TransactionPage } from "./records.ts";
import type { TransactionQuery } from "./transaction_query.ts";
import type {
  AccountsAnswer,
  FallbackSummary,
  PendingAccount,
  Summary,
  TransactionsAnswer,
  TreasuryError,
} from "./views.ts";

export interface TreasuryOptions extends Omit<ConnectionOptions, "token"> {
  /** The surface's token secret; undefined or empty: not connected. */
  token: string | undefined;
  /** The name of that secret, for what the operator is told. */
  tokenSecret?: string;
  /** Dresses the card of that account while the provider does not list it. */
  pendingAccount?: PendingAccount;
}

/** What one console shows of the bank. Nothing here throws for anything that the provider does. */
export interface Treasury {
  summary(): Promise<Summary>;
  accounts(): Promise<AccountsAnswer>;
  /** Marks what is cached expired, and fetches it again. */
  refresh(): Promise<{ refreshed: true; cached_at: string } | TreasuryError>;
  /**
   * Not cached. An account that is not shown is `not_found`. The fallback body where there is no
   * connection: no token, or neither the accounts nor the transactions can be had now.
   */
  transactions(
    query: TransactionQuery,
  ): Promise<TransactionsAnswer | FallbackSummary | TreasuryError>;
  /**
   * When the provider last told its accounts to this token, ISO 8601 in UTC; null where it never
   * did, or there is no token. Asks nobody.
   */
  lastAnswer(): Promise<string | null>;
}

const PROOF_OF_CONNECTION =
  "This is a proof of connection, pending the foundation's own banking organisation.";

/**
 * Makes the treasury of one operations surface (spec 1.1, 2.3, 2.4, 4.1). It is bound to no
 * entity: another token shows another one.
 *
 * @example
 * ```ts
 * const treasury = createTreasury({ surface: "commercial", baseUrl, token, fetch, kv, clock });
 * const { connection_status, total_balance } = await treasury.summary();
 * ```
 */
export function createTreasury(options: TreasuryOptions): Treasury {
  const { surface, token, clock } = options;
  const message = `Generate a provider API token and set it as the token secret ${
    options.tokenSecret ?? "BANK_API_TOKEN"
  }.`;
  const entity_note = surface === "foundation" && options.accountId === undefined
    ? PROOF_OF_CONNECTION
    : "";
  const withActivity = surface === "commercial";
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
    ...withActivity ? { last_activity: null } : {},
    ...rest,
  });

  /** The accounts cannot be had: without old ones nothing is known, with old ones how it was. */
  const notConnected = (
    { error: { error: reason }, old }: { error: BankError; old: Cached<Account[]> | null },
  ) =>
    old === null ? fallback({ reason }) : fallback({
      reason,
      stale: { ...totalOf(viewAccounts(old.data)), cached_at: old.cached_at },
    });

  /** Null where it is not known. */
  async function lastActivity({ activity }: Connection): Promise<string | null> {
    const lookup = await activity();
    return ("error" in lookup ? lookup.old : lookup)?.data.at ?? null;
  }

  return {
    async summary() {
      if (bank === null) return fallback();
      const [accounts, organization] = await Promise.all([bank.accounts(), bank.organization()]);
      if ("error" in accounts) return notConnected(accounts);
      // The accounts decide on the connection; an old name is still the entity's name.
      const named = "error" in organization ? organization.old : organization;
      return {
        entity: named?.data.name ?? "Pending",
        entity_note,
        ...totalOf(viewAccounts(accounts.data)),
        currency: "USD",
        cached_at: accounts.cached_at,
        connection_status: "live",
        ...withActivity ? { last_activity: await lastActivity(bank) } : {},
      };
    },

    async accounts() {
      const lookup = await bank?.accounts();
      if (lookup === undefined || "error" in lookup) {
        return {
          accounts: [],
          total_balance: null,
          cached_at: null,
          connection_status: "not_connected",
          ...lookup === undefined ? {} : { reason: lookup.error.error },
        };
      }
      const accounts = viewAccounts(lookup.data);
      const { accountId, pendingAccount: { nickname, last4 } = { nickname: "", last4: "" } } =
        options;
      const pending = accountId !== undefined && accounts.length === 0;
      return {
        accounts,
        total_balance: totalOf(accounts).total_balance,
        cached_at: lookup.cached_at,
        connection_status: "live",
        // No more of it than that: what was given may have more than its type says.
        ...pending ? { pending_account: { nickname, last4 } } : {},
      };
    },

    async refresh() {
      if (bank === null) return { error: "not_connected", message };
      // As in the summary: the accounts decide, and an old name is still the entity's name.
      const accounts = await bank.refresh();
      if ("error" in accounts) return explain(accounts.error);
      return { refreshed: true, cached_at: accounts.cached_at };
    },

    async transactions({ account_id, start = EARLIEST, end, limit, offset }) {
      if (bank === null) return fallback();
      const lookup = await bank.accounts();
      const known = "error" in lookup ? lookup.old : lookup;
      const shown = viewAccounts(known?.data ?? []).some(({ id }) => id === account_id);
      const filters = { start, end, limit, offset };
      const page: TransactionPage | BankError = shown
        ? await bank.client.getTransactions(account_id, filters)
        : { error: "not_found" };
      if (!isBankError(page)) return { account_id, limit, offset, ...page };
      return "error" in lookup ? notConnected(lookup) : explain(page);
    },

    lastAnswer: async () => await bank?.lastAnswer() ?? null,
  };
}

const EXPLANATIONS: Record<BankError["error"], string> = {
  auth_failed: "Bank API token invalid or expired",
  not_found: "The bank does not know this, or does not show it.",
  rate_limited: "The bank asks for a pause. Try again in a minute.",
  network_error: "The bank could not be reached.",
  invalid_response: "The bank answered with something that cannot be read.",
  upstream_error: "The bank answered with an error.",
};

const explain = (error: BankError): TreasuryError => ({
  message: EXPLANATIONS[error.error],
  ...error,
});
