import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { ContactServices } from "../contact/feature.ts";
import type { DocumentHooks, DocumentServices } from "../documents/feature.ts";
import type { IssuerServices } from "../issuers/feature.ts";
import type { RecordServices } from "../records/feature.ts";
import { createIssuing, type Issuing } from "./mod.ts";
import { recipientData, recipients } from "./recipients.ts";
import { rekeyRecipients } from "./rekey_recipients.ts";
import { recipientsJob } from "./settle.ts";

export interface IssuingServices {
  /** Issuing documents, and the recipients who accept them. */
  issuing: Issuing;
}

type Below =
  & Platform
  & Hooked<DocumentHooks>
  & ChainServices
  & ContactServices
  & RecordServices
  & IssuerServices
  & DocumentServices
  & { config: { organisations: Record<OrganisationKey, OrganisationConfig> } };

export const issuingFeature = defineFeature({
  name: "issuing",
  tables: [recipients],
  create: (
    { config, records, contactIndex, surfaces, hooks, ...below }: Below,
  ): IssuingServices => ({
    issuing: createIssuing({
      ...below,
      index: contactIndex,
      emails: records.emails,
      organisations: config.organisations,
      trustUrl: (path) => surfaces.url("trust", path) ?? path,
      onEvent: () => hooks.documentEvent?.() ?? [],
    }),
  }),
  jobs: ({ issuing: { settle }, ...services }) => [recipientsJob({ ...services, settle })],
  migrations: (services) => [rekeyRecipients(services)],
  hooks: { recordData: (services) => recipientData(services) },
});
