import { z } from "zod";
import type { BatchedReads } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type Cached, createBankCache, type Lookup, type Source } from "./cache.ts";
import { createDailyTotals, type DailyTotals } from "./daily_totals.ts";
import { sumAmounts } from "./money.ts";
import {
  type Account,
  accountSchema,
  type BankError,
  type BankProvider,
  isBankError,
  type Organization,
  organizationSchema,
} from "./provider.ts";

export interface ConnectionOptions {
  surface: OrganisationKey;
  provider: BankProvider;
  /** The only account that a split surface shows (spec 2.4, rule 4). */
  accountId?: string;
  kv: Deno.Kv;
  /** Joins the reads of stored data with those of other features. */
  reads?: BatchedReads;
  clock: () => number;
}

/** Time of the latest transaction, ISO 8601 in UTC; null if there are none. */
export interface Activity {
  at: string | null;
}

/** A provider with what the site stores of its data. */
export interface Connection {
  provider: BankProvider;
  accounts(patience?: AbortSignal): Promise<Lookup<Account[]>>;
  organization(patience?: AbortSignal): Promise<Lookup<Organization>>;
  activity(patience?: AbortSignal): Promise<Lookup<Activity>>;
  /** Returns the activity if it is stored and has not expired. Makes no request. */
  storedActivity(): Promise<Cached<Activity> | null>;
  dailyTotals: DailyTotals;
  /** Returns when the stored accounts were fetched; null if none are stored. Makes no request. */
  lastResponse(): Promise<string | null>;
  /** Refetches the accounts and the organisation, and the activity when it is next read. */
  refresh(): Promise<Lookup<Account[]>>;
}

const CONCURRENT_REQUESTS = 6;

/** Creates a connection, which loads each cache key with one operation of the provider. */
export function createConnection(options: ConnectionOptions): Connection {
  const { surface, provider, accountId, kv, reads, clock } = options;
  const scope = [surface, provider.fingerprint, accountId].filter(Boolean).join(":");
  const cache = createBankCache({ kv, reads, clock, scope });
  const accountsSource: Source<Account[]> = {
    key: "bank:accounts",
    schema: z.array(accountSchema),
    load: () => loadAccounts(provider, accountId),
  };
  const organizationSource: Source<Organization> = {
    key: "bank:org",
    schema: organizationSchema,
    load: () => provider.getOrganization(),
  };
  const activitySource: Source<Activity> = {
    key: "bank:last_activity",
    schema: z.object({ at: z.string().nullable() }),
    async load() {
      const lookup = await cache.get(accountsSource);
      if ("error" in lookup) return lookup.error;
      const active = lookup.data.filter(({ id, status }) => status === "active" && id !== "");
      return await loadActivity(provider, active.map(({ id }) => id));
    },
  };
  return {
    provider,
    accounts: (patience) => cache.get(accountsSource, patience),
    organization: (patience) => cache.get(organizationSource, patience),
    activity: (patience) => cache.get(activitySource, patience),
    storedActivity: () => cache.stored(activitySource),
    dailyTotals: createDailyTotals({ kv, clock, scope, provider }),
    lastResponse: () => cache.cachedAt("bank:accounts"),
    async refresh() {
      await cache.expire("bank:last_activity");
      const [accounts] = await Promise.all([
        cache.refresh(accountsSource),
        cache.refresh(organizationSource),
      ]);
      return accounts;
    },
  };
}

/**
 * Returns the total balance and the number of active accounts (spec 2.4, rule 3). The total is null
 * if a balance is missing, because a partial sum would look like the total.
 */
export function totalOf(accounts: Account[]) {
  const active = accounts.filter(({ status }) => status === "active");
  const balances = active.map(({ balance }) => balance).filter((balance) => balance !== null);
  return {
    total_balance: balances.length < active.length ? null : sumAmounts(balances),
    active_accounts: active.length,
  };
}

/**
 * Loads all accounts, or only the account of a split surface. If the list does not include that
 * account, it is requested separately, and skipped if that request returns `not_found` (spec 2.4,
 * rules 1 and 4).
 */
async function loadAccounts(
  provider: BankProvider,
  accountId: string | undefined,
): Promise<Account[] | BankError> {
  const accounts = await provider.getAccounts();
  if (isBankError(accounts) || accountId === undefined) return accounts;
  const listed = accounts.filter(({ id }) => id === accountId);
  if (listed.length > 0) return listed;
  const account = await provider.getAccount(accountId);
  if (!isBankError(account)) return account.id === accountId ? [account] : [];
  return account.error === "not_found" ? [] : account;
}

/** Reads each account's newest transaction. Skips accounts that return 404; fails on other errors. */
async function loadActivity(
  provider: BankProvider,
  accountIds: string[],
): Promise<Activity | BankError> {
  let at: string | null = null;
  for (let i = 0; i < accountIds.length; i += CONCURRENT_REQUESTS) {
    const pages = await Promise.all(
      accountIds.slice(i, i + CONCURRENT_REQUESTS).map((id) =>
        provider.getTransactions(id, { limit: 1 })
      ),
    );
    for (const page of pages) {
      if (isBankError(page)) {
        if (page.error !== "not_found") return page;
        continue;
      }
      for (const { created_at, posted_at } of page.transactions) {
        const time: string = posted_at !== null && posted_at > created_at ? posted_at : created_at;
        if (at === null || time > at) at = time;
      }
    }
  }
  return { at };
}
