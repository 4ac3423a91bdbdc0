/** Registers the bank with the site: its tables, settings, metrics, alerts, jobs and services. */
import { actNow, inMorning } from "../../platform/alert_kind.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { Deployment } from "../../platform/config/settings.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type BankConfig, bankSettings } from "./variables.ts";
import { bankCalls, countingFetch } from "./counting_fetch.ts";
import { bankCache } from "./cache_store.ts";
import { bankSums } from "./daily_sums.ts";
import { bankDaily } from "./daily_totals.ts";
import { BANK_REJECTED, BANK_UNREACHABLE, createOutageJob } from "./outage.ts";
import { BALANCE_LOW, balanceLimits, createLowBalance, type LowBalance } from "./low_balance.ts";
import { createBankProvider } from "./providers/mod.ts";
import { createSumJob } from "./sum_job.ts";
import { createTreasury, type Treasury } from "./treasury.ts";

export interface BankServices {
  /** The bank as each console sees it, with the current token. */
  treasuries: Record<OrganisationKey, Treasury>;
  lowBalance: LowBalance;
}

type Below = Platform & {
  overrides: {
    /** How long pages and requests wait for the bank. */
    bankTimeoutMs?: number;
  };
  config: { bank: BankConfig; organisations: Deployment["organisations"] };
};

export const bankFeature = defineFeature({
  name: "bank",
  tables: [bankCache, bankDaily, bankSums, balanceLimits],
  settings: bankSettings,
  metrics: [bankCalls],
  alerts: {
    [BANK_REJECTED]: actNow("Bank token rejected", "console"),
    [BANK_UNREACHABLE]: inMorning("Bank unreachable"),
    [BALANCE_LOW]: inMorning("Low balance"),
  },
  create({ config, live, count, log, pause, overrides, ...platform }: Below): BankServices {
    const organisations = config.organisations;
    const { bankTimeoutMs: timeoutMs } = overrides;
    const foundation = live(() => config.bank, (bank) => treasuryOf(bank, "foundation"));
    const commercial = live(() => config.bank, (bank) => treasuryOf(bank, "commercial"));
    const treasuries = {
      get foundation() {
        return foundation();
      },
      get commercial() {
        return commercial();
      },
    };
    return { treasuries, lowBalance: createLowBalance({ ...platform, treasuries }) };

    function treasuryOf(bank: BankConfig, surface: OrganisationKey): Treasury {
      return createTreasury({
        ...platform,
        surface,
        provider: createBankProvider(bank, surface, {
          fetch: countingFetch(platform.fetch, { count, organisation: surface }),
          log: (entry) => log({ ...entry, surface }),
          pause,
          timeoutMs,
        }),
        timeoutMs,
        tokenSecret: bank.tokens[surface].variable,
        ...bank.account === undefined
          ? {}
          : surface === "foundation"
          ? { accountId: bank.account.id, pendingAccount: bank.account }
          : { trust: { accountId: bank.account.id, owner: organisations.foundation.name } },
      });
    }
  },
  jobs: (services) => [createOutageJob(services), createSumJob(services)],
});
