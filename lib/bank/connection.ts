import { loadAccounts, viewAccounts } from "./account_rules.ts";
import { createBankCache, type Lookup } from "./cache.ts";
import { type BankClient, type BankClientOptions, createBankClient } from "./client.ts";
import { type Activity, loadActivity, storedActivity } from "./last_activity.ts";
import { type Account, type Organization, storedAccounts, storedOrganization } from "./records.ts";
import { cacheScope } from "./scope.ts";

export interface ConnectionOptions extends BankClientOptions {
  surface: "foundation" | "commercial";
  /** The surface is split and shows this one account (spec 2.4, rule 4). */
  accountId?: string;
  kv: Deno.Kv;
  /** The time in milliseconds since 1970. */
  clock: () => number;
}

/** The provider behind its cache, for one surface and one token. */
export interface Connection {
  client: BankClient;
  accounts(): Promise<Lookup<Account[]>>;
  organization(): Promise<Lookup<Organization>>;
  activity(): Promise<Lookup<Activity>>;
  /** When the provider last told its accounts, as far as they are kept. Asks nobody. */
  lastAnswer(): Promise<string | null>;
  /** Fetches accounts and organisation again; the activity when it is next asked for. */
  refresh(): Promise<Lookup<Account[]>>;
}

/** Makes a connection: says which operation fills which entry of the cache. */
export function createConnection(options: ConnectionOptions): Connection {
  const { surface, token, accountId, kv, clock } = options;
  const client = createBankClient(options);
  const cache = createBankCache({ kv, clock, scope: cacheScope(surface, token, accountId) });
  const accountsSource = {
    key: "bank:accounts",
    schema: storedAccounts,
    load: () => loadAccounts(client, accountId),
  } as const;
  const organizationSource = {
    key: "bank:org",
    schema: storedOrganization,
    load: client.getOrganization,
  } as const;
  const accounts = () => cache.get(accountsSource);
  return {
    client,
    accounts,
    organization: () => cache.get(organizationSource),
    activity: () =>
      cache.get({
        key: "bank:last_activity",
        schema: storedActivity,
        async load() {
          const lookup = await accounts();
          if ("error" in lookup) return lookup.error;
          const active = viewAccounts(lookup.data).filter(({ status }) => status === "active");
          return await loadActivity(client, active.map(({ id }) => id));
        },
      }),
    lastAnswer: () => cache.keptSince("bank:accounts"),
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
