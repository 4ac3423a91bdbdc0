/** Describes everything that the process needs from webhooks. */
import { inMorning } from "../../platform/alert_kind.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import { internet, type Network } from "../../platform/http/pinned_fetch.ts";
import { outboxGauges } from "../../platform/jobs/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type AddDocumentEvent, documentPath } from "../documents/mod.ts";
import type { IssuerServices } from "../issuers/feature.ts";
import {
  createWebhooks,
  documentData,
  resealEndpoints,
  WEBHOOK_CHANNEL,
  WEBHOOK_PAUSED,
  webhookAttempts,
  webhookDropped,
  type Webhooks,
  webhookTables,
} from "./mod.ts";

export interface WebhookServices {
  /** The events that issuers' servers receive. */
  webhooks: Webhooks;
}

type Below = Platform & IssuerServices & {
  config: {
    env: "development" | "production";
    organisations: Record<OrganisationKey, OrganisationConfig>;
  };
  overrides: { network?: Network };
};

export const webhooksFeature = defineFeature({
  name: "webhooks",
  tables: webhookTables,
  alerts: { [WEBHOOK_PAUSED]: inMorning("Webhook paused") },
  metrics: [webhookAttempts, webhookDropped],
  gauges: (services) => [outboxGauges(services, WEBHOOK_CHANNEL)],
  create({ config, overrides, surfaces, ...below }: Below): WebhookServices {
    const webhooks = createWebhooks({
      ...below,
      network: overrides.network ?? internet,
      inDevelopment: config.env === "development",
      organisation: config.organisations.commercial,
      docsUrl: surfaces.url("api", "/docs") ?? null,
    });
    return { webhooks };
  },
  migrations: (services) => [resealEndpoints(services)],
  jobs: ({ webhooks }) => [{
    name: "webhooks",
    title: "Sending events to issuers",
    everyMs: 15 * SECOND_MS,
    maxMs: MINUTE_MS,
    async run({ signal }) {
      const { sent, failed } = await webhooks.drain(signal);
      return `${sent} sent, ${failed} failed`;
    },
  }],
  hooks: {
    issuerRemoved: ({ webhooks }) => webhooks.removeAll,
    keyWebhooks: ({ webhooks }) => webhooks.ofKeys,
    documentEvent: ({ webhooks, surfaces }): AddDocumentEvent => (commit, event) => {
      const { type, document, at, other } = event;
      const { id, issuer, recipient, test = false } = document;
      // Issuers learn nothing of what administrators have added in their name, as in the API.
      if (recipient === undefined) return Promise.resolve(() => {});
      const path = documentPath(id);
      const data = documentData(document, surfaces.url("trust", path) ?? path, other);
      return webhooks.add(commit, { issuer: issuer.id, test, type, data, now: Date.parse(at) });
    },
  },
  close: ({ webhooks }, limitMs) => webhooks.close(limitMs),
});
