/** Registers the issuers with the site: tables, settings, alerts, jobs and services. */
import { inMorning } from "../../platform/alert_kind.ts";
import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import { inTime } from "../../base/in_time.ts";
import { readIssuer } from "./change.ts";
import { DOMAIN_FAILING } from "./domain_alert.ts";
import {
  createDomainCheck,
  type DomainNetwork,
  publicNetwork,
  withExamples,
} from "./domain_check.ts";
import { CHECKS_FAILING, domainJob } from "./domain_job.ts";
import { createIssuerDomains, type IssuerDomains } from "./domains.ts";
import { createKeyAuthentication, type KeyAuthentication } from "./http/authenticate.ts";
import { createIssuers, type Issuers } from "./issuers.ts";
import { type ApiKeyRow, apiKeys } from "./key_rows.ts";
import { KEY_ORGANISATION } from "./key_options.ts";
import { createKeyManagement, type KeyManagement } from "./keys.ts";
import { createKeyRevocation, KEY_REVOKED, type KeyRevocation } from "./revocation.ts";
import type { KeyWebhooks } from "./key_webhooks.ts";
import { createIssuerStop, ISSUER_STOPPED, type IssuerStop } from "./stop.ts";
import { issuerPictures } from "./pictures.ts";
import { keyNetworks, noteNetwork } from "./key_networks.ts";
import { deleteOldKey } from "./old_keys.ts";
import {
  createUnusualUse,
  KEY_UNUSUAL,
  keyWarnings,
  keyWithdrawals,
  type UnusualUse,
} from "./unusual_use.ts";
import { issuerRows } from "./rows.ts";
import { issuerUses, keyUses } from "./uses.ts";
import { type IssuersConfig, issuersSettings } from "./variables.ts";

export interface IssuerServices {
  /** The organisations whose documents are registered. */
  issuers: Issuers;
  /** Their domains. */
  issuerDomains: IssuerDomains & { job: Job };
  /** Their API keys. */
  issuerKeys:
    & KeyManagement
    & KeyRevocation
    & IssuerStop
    & KeyAuthentication
    & Pick<UnusualUse, "addWithdrawal">;
}

interface IssuerHooks {
  /** Deletes what a feature has stored for an issuer that was removed. */
  issuerRemoved: (id: string) => Promise<void>;
  /** Lists, removes and pauses the webhooks of keys. */
  keyWebhooks: KeyWebhooks;
}

type Below = Platform & Hooked<IssuerHooks> & {
  config: {
    env: "development" | "production";
    organisations: Record<OrganisationKey, OrganisationConfig>;
    issuers: IssuersConfig;
  };
  overrides: { domainNetwork?: DomainNetwork };
};

export const issuersFeature = defineFeature({
  name: "issuers",
  tables: [
    issuerRows,
    issuerPictures,
    issuerUses,
    apiKeys,
    keyUses,
    keyNetworks,
    keyWithdrawals,
    ...Object.values(keyWarnings),
  ],
  alerts: {
    [DOMAIN_FAILING]: inMorning("Issuer’s domain not found"),
    [CHECKS_FAILING]: inMorning("Checks of domains in doubt"),
    [KEY_UNUSUAL]: inMorning("Unusual use of an API key"),
    [KEY_REVOKED]: inMorning("API key revoked by its issuer"),
    [ISSUER_STOPPED]: inMorning("Issuer stopped by its contact"),
  },
  settings: issuersSettings,
  create({ config, overrides, ...below }: Below): IssuerServices {
    const options = { ...below, organisations: config.organisations };
    const issuers = createIssuers({
      ...options,
      async onRemoved(id) {
        for (const erase of below.hooks.issuerRemoved?.() ?? []) await erase(id);
      },
    });
    const network = overrides.domainNetwork ?? publicNetwork;
    const examples = config.env === "development";
    const look = createDomainCheck(network);
    const checkDomain = examples && overrides.domainNetwork === undefined
      ? withExamples(look)
      : look;
    const domains = createIssuerDomains({ ...options, checkDomain, examples });
    const unusual = createUnusualUse(options);
    const revocation = { ...options, webhooks: () => below.hooks.keyWebhooks?.()[0] };
    return {
      issuers,
      issuerDomains: { ...domains, job: domainJob({ ...below, domains, checkDomain, network }) },
      issuerKeys: {
        ...createKeyManagement(options),
        ...createKeyRevocation(revocation),
        ...createIssuerStop(revocation),
        ...createKeyAuthentication({
          ...below,
          readIssuer: (id) => readIssuer(options, KEY_ORGANISATION, id),
          noteNetwork: (key, network) => noteNetwork({ ...options, unusual }, key, network),
          rateLimit: config.issuers.keyRateLimit,
        }),
        addWithdrawal: unusual.addWithdrawal,
      },
    };
  },
  jobs: (services) => [services.issuerDomains.job],
  deletesDue: (services) => ({
    [apiKeys.prefix]: (entry: Deno.KvEntry<ApiKeyRow>) => deleteOldKey(services, entry),
  }),
  close: ({ issuerKeys }, limitMs) => inTime(issuerKeys.settled(), limitMs),
});
