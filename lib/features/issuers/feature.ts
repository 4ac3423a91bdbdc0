import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { inTime } from "../../base/in_time.ts";
import { createKeyAuthentication, type KeyAuthentication } from "./authenticate.ts";
import { completeIssuers } from "./complete_rows.ts";
import { createIssuers, type Issuers } from "./issuers.ts";
import { createKeyJob } from "./key_job.ts";
import { apiKeys } from "./key_rows.ts";
import { createKeyManagement, KEY_ORGANISATION, type KeyManagement } from "./keys.ts";
import { issuerRows } from "./rows.ts";
import { type IssuersConfig, issuersSettings } from "./variables.ts";

export interface IssuerServices {
  /** The organisations whose documents are registered. */
  issuers: Issuers;
  /** Their API keys. */
  issuerKeys: KeyManagement & KeyAuthentication;
}

export interface IssuerHooks {
  /** Deletes what a feature has stored for an issuer that was removed. */
  issuerRemoved: (id: string) => Promise<void>;
}

type Below = Platform & Hooked<IssuerHooks> & {
  config: { organisations: Record<OrganisationKey, OrganisationConfig>; issuers: IssuersConfig };
};

export const issuersFeature = defineFeature({
  name: "issuers",
  tables: [issuerRows, apiKeys],
  settings: issuersSettings,
  create({ config, ...below }: Below): IssuerServices {
    const options = { ...below, organisations: config.organisations };
    const issuers = createIssuers({
      ...options,
      async onRemoved(id) {
        for (const erase of below.hooks.issuerRemoved?.() ?? []) await erase(id);
      },
    });
    return {
      issuers,
      issuerKeys: {
        ...createKeyManagement(options),
        ...createKeyAuthentication({
          ...below,
          readIssuer: (id) => issuers.read(KEY_ORGANISATION, id),
          rateLimit: config.issuers.keyRateLimit,
        }),
      },
    };
  },
  jobs: (services) => [createKeyJob(services)],
  migrations: (services) => [completeIssuers(services)],
  close: ({ issuerKeys }, limitMs) => inTime(issuerKeys.settled(), limitMs),
});
