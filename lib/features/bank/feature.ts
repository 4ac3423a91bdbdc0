import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { countingFetch } from "../../platform/telemetry/mod.ts";
import type { BankConfig } from "./variables.ts";
import { createOutageJob, createTreasury, type Treasury } from "./mod.ts";

export interface BankServices {
  /** The bank as each console sees it. */
  treasuries: Record<OrganisationKey, Treasury>;
}

type Below = Platform & { config: { bank: BankConfig } };

export const bankFeature = defineFeature({
  name: "bank",
  create(below: Below): BankServices {
    return { treasuries: { foundation: of("foundation"), commercial: of("commercial") } };

    function of(surface: OrganisationKey): Treasury {
      const { config: { bank: { baseUrl, tokens, account } }, count, pause, ...platform } = below;
      const { value, variable } = tokens[surface];
      const split = surface === "foundation" && account !== undefined;
      return createTreasury({
        ...platform,
        surface,
        baseUrl: baseUrl ?? "",
        token: baseUrl === undefined ? undefined : value,
        tokenSecret: variable,
        ...split ? { accountId: account.id, pendingAccount: account } : {},
        fetch: countingFetch(
          platform.fetch,
          (outcome) => count("bank_calls", { organisation: surface, outcome }),
        ),
        ...pause === undefined ? {} : { pause },
      });
    }
  },
  jobs: (services) => [createOutageJob(services)],
});
