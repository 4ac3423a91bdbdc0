import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { completeIssuers } from "./complete_rows.ts";
import { createIssuers, type Issuers } from "./issuers.ts";
import { issuerRows } from "./rows.ts";

export interface IssuerServices {
  /** The organisations whose documents are registered. */
  issuers: Issuers;
}

type Below = Platform & {
  config: { organisations: Record<OrganisationKey, OrganisationConfig> };
};

export const issuersFeature = defineFeature({
  name: "issuers",
  tables: [issuerRows],
  create: ({ config, ...below }: Below): IssuerServices => ({
    issuers: createIssuers({ ...below, organisations: config.organisations }),
  }),
  migrations: (services) => [completeIssuers(services)],
});
