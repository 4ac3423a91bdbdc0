import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { ContactServices } from "../contact/feature.ts";
import type { DocumentHooks, DocumentServices } from "../documents/feature.ts";
import type { IssuerServices } from "../issuers/feature.ts";
import type { RecordServices } from "../records/feature.ts";
import type { WebhookServices } from "../webhooks/feature.ts";
import { type Batches, batchLines, batchTable, createBatches } from "./batches/mod.ts";
import { batchHooks } from "./batches/hooks.ts";
import { createIssuing, type Issuing } from "./mod.ts";
import { recipientData, recipients } from "./recipients.ts";
import { rekeyRecipients } from "./rekey_recipients.ts";
import { recipientsJob } from "./settle.ts";

export interface IssuingServices {
  /** Issuing documents, and the recipients who accept them. */
  issuing: Issuing;
  /** Issuing many documents with one file. */
  batches: Batches;
}

type Below =
  & Platform
  & Hooked<DocumentHooks>
  & ChainServices
  & ContactServices
  & RecordServices
  & IssuerServices
  & DocumentServices
  & WebhookServices
  & { config: { organisations: Record<OrganisationKey, OrganisationConfig> } };

export const issuingFeature = defineFeature({
  name: "issuing",
  tables: [recipients, batchTable, batchLines],
  create({ config, records, contactIndex, surfaces, hooks, ...below }: Below): IssuingServices {
    const issuing = createIssuing({
      ...below,
      index: contactIndex,
      emails: records.emails,
      organisations: config.organisations,
      trustUrl: (path) => surfaces.url("trust", path) ?? path,
      onEvent: () => hooks.documentEvent?.() ?? [],
    });
    return { issuing, batches: createBatches({ ...below, issuing, ...batchHooks(below) }) };
  },
  jobs: ({ issuing: { settle }, batches, ...services }) => [
    recipientsJob({ ...services, settle }),
    batches.job,
  ],
  migrations: (services) => [rekeyRecipients(services)],
  hooks: { recordData: (services) => recipientData(services) },
});
