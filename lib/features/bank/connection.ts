/** A bank with everything that is stored of its data for one console, and the totals of its accounts. */
import { z } from "zod";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { createSlots } from "../../base/slots.ts";
import { asSite } from "../../platform/kv/mod.ts";
import { type CachedSource, createCached, unlessAborted } from "./cache.ts";
import { createCacheStore } from "./cache_store.ts";
import { createDailySums, type DailySumStore } from "./daily_sums.ts";
import { createDailyTotals, type DailyTotals } from "./daily_totals.ts";
import type { Totals } from "./api.ts";
import { sumAmounts } from "./money.ts";
import {
  type Account,
  accountSchema,
  type BankError,
  type BankProvider,
  isBankError,
  type Organization,
  organizationSchema,
  type TransactionOptions,
} from "./provider.ts";

export interface ConnectionOptions {
  surface: OrganisationKey;
  provider: BankProvider;
  /** The only account that a split surface shows (spec 2.4.4). */
  accountId?: string;
  kv: Deno.Kv;
  clock: () => number;
}

/** An account that is held in trust for the other organisation (spec 2.4.4). */
export interface Trust {
  accountId: string;
  /** The name of the other organisation. */
  owner: string;
}

/** Time of the latest transaction, ISO 8601 in UTC; null if there are none. */
interface Activity {
  at: string | null;
}

/** A provider with what the site stores of its data. */
export interface Connection {
  provider: BankProvider;
  accounts: CachedSource<Account[]>;
  organization: CachedSource<Organization>;
  activity: CachedSource<Activity>;
  dailyTotals: DailyTotals;
  dailySums: DailySumStore;
}

const CONCURRENT_REQUESTS = 6;

/** Creates a connection, which loads each cache key with one operation of the provider. */
export function createConnection(
  { surface, accountId, kv, clock, ...options }: ConnectionOptions,
): Connection {
  const provider = shareReads(options.provider);
  const scope = [surface, provider.fingerprint, accountId].filter(Boolean).join(":");
  const store = createCacheStore(kv, scope);
  const accounts = createCached<Account[]>(store, clock, {
    key: "bank:accounts",
    schema: z.array(accountSchema),
    load: () => loadAccounts(provider, accountId),
  });
  return {
    provider,
    accounts,
    organization: createCached<Organization>(store, clock, {
      key: "bank:org",
      schema: organizationSchema,
      load: () => provider.getOrganization(),
    }),
    activity: createCached<Activity>(store, clock, {
      key: "bank:last_activity",
      schema: z.object({ at: z.string().nullable() }),
      async load() {
        const lookup = await accounts.get();
        if ("error" in lookup) return lookup.error;
        const active = lookup.data.filter(({ id, status }) => status === "active" && id !== "");
        return await loadActivity(provider, active.map(({ id }) => id));
      },
    }),
    dailyTotals: createDailyTotals({ kv, clock, scope, provider }),
    dailySums: createDailySums({ kv, clock, scope }),
  };
}

/**
 * Returns a provider of which readers at the same time share one read of the same transactions. It ends when
 * nobody waits for it any longer, and nothing of it is kept.
 */
function shareReads(provider: BankProvider): BankProvider {
  // Not a map: V8 copies a map's entries when it has no room left, and the garbage collector keeps the old copy, with
  // the transactions in it, for many requests.
  const reads: SharedRead[] = [];
  const slots = createSlots(CONCURRENT_REQUESTS);

  function begin(key: string, id: string, options?: TransactionOptions): SharedRead {
    const unwanted = new AbortController();
    const result = asSite(() =>
      slots.run(() => provider.getTransactions(id, options, unwanted.signal))
    );
    const read: SharedRead = { key, unwanted, result, readers: 0, ended: false };
    const end = () => read.ended = true;
    result.then(end, end);
    reads.push(read);
    return read;
  }

  return {
    ...provider,
    async getTransactions(id, options, signal) {
      if (signal?.aborted) return { error: "network_error" };
      const key = JSON.stringify([id, options]);
      const read = reads.find((one) => one.key === key) ?? begin(key, id, options);
      read.readers++;
      try {
        return await unlessAborted(signal, read.result, () => ({ error: "network_error" }));
      } finally {
        if (--read.readers === 0) {
          if (!read.ended) read.unwanted.abort();
          reads.splice(reads.indexOf(read), 1);
        }
      }
    },
  };
}

interface SharedRead {
  /** The account and the options. */
  key: string;
  unwanted: AbortController;
  result: ReturnType<BankProvider["getTransactions"]>;
  readers: number;
  ended: boolean;
}

/**
 * Returns the total balance and the number of active accounts (spec 2.4.3). The total is null
 * if a balance is missing, because a partial sum would look like the total.
 */
export function totalOf(accounts: Account[], trust?: Trust): Totals {
  const active = accounts.filter(({ status }) => status === "active");
  const balances = active.map(({ balance }) => balance).filter((balance) => balance !== null);
  const active_accounts = active.length;
  if (balances.length < active.length) return { total_balance: null, active_accounts };
  const total_balance = sumAmounts(balances);
  const amount = active.find(({ id }) => id === trust?.accountId)?.balance;
  if (trust === undefined || typeof amount !== "number") return { total_balance, active_accounts };
  const own_funds = sumAmounts([total_balance, -amount]);
  return { total_balance, active_accounts, held_in_trust: { for: trust.owner, amount, own_funds } };
}

/**
 * Loads all accounts, or only the account of a split surface. If the list does not include that
 * account, it is requested separately, and skipped if that request returns `not_found` (spec
 * 2.4.1 and 2.4.4).
 */
export async function loadAccounts(
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
