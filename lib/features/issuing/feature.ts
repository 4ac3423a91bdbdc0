/**
 * The description of the feature: its tables, services, jobs and hooks.
 *
 * @module
 */
import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { ContactServices } from "../contact/feature.ts";
import type { DocumentHooks, DocumentServices } from "../documents/feature.ts";
import type { IssuerServices } from "../issuers/feature.ts";
import { type IssuerRow, publicIssuer } from "../issuers/mod.ts";
import type { RecordServices } from "../records/feature.ts";
import type { WebhookServices } from "../webhooks/feature.ts";
import {
  type Batches,
  batchLimits,
  batchLines,
  batchTable,
  checkLimits,
  createBatches,
  noteLostMail,
  noteReturnedMail,
} from "./batches/mod.ts";
import { type BatchApi, createBatchApi } from "./batches/api.ts";
import { receiveCsv } from "./http/csv_body.ts";
import { batchHooks } from "./batches/hooks.ts";
import { createIssuerApi, type IssuerApi } from "./api.ts";
import { createCertificates } from "./certificate/mod.ts";
import { type CertificateContents, createCertificateContents } from "./certificate_content.ts";
import { createIdempotency, type Idempotency } from "./http/idempotency.ts";
import { idempotencyKeys, resealResponses } from "./http/idempotency_rows.ts";
import { createIssuing, type Issuing } from "./mod.ts";
import { mailLimits } from "./mail_limits.ts";
import { createPost } from "./http/post.ts";
import { createReceiveDocument } from "./http/document_body.ts";
import { recipientData } from "./recipient_data.ts";
import { recipients } from "./recipients.ts";
import { rekeyRecipients } from "./rekey_recipients.ts";
import { recipientsJob } from "./finish_recipient.ts";

interface IssuingServices {
  /** Issuing documents, and the recipients who accept them. */
  issuing: Issuing;
  /** Issuing many documents with one file. */
  batches: Batches;
  /** The operations of issuers on batches through the API. */
  batchApi: BatchApi;
  /** The operations of issuers through the API. */
  issuerApi: IssuerApi;
  idempotency: Idempotency;
  /** Makes certificates from fields. */
  certificates: CertificateContents & AsyncDisposable;
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
  tables: [
    recipients,
    batchTable,
    batchLines,
    batchLimits,
    checkLimits,
    idempotencyKeys,
    ...Object.values(mailLimits),
  ],
  create({ config, records, contactIndex, surfaces, hooks, ...below }: Below): IssuingServices {
    const idempotency = createIdempotency(below);
    const trustUrl = (path: string) => surfaces.url("trust", path) ?? path;
    const issuing = createIssuing({
      ...below,
      index: contactIndex,
      emails: records.emails,
      organisations: config.organisations,
      trustUrl,
      onEvent: () => hooks.documentEvent?.() ?? [],
      forgetResponses: idempotency.forget,
    });
    const verifiedDomainOf = (issuer: IssuerRow) => {
      const { domain } = publicIssuer(issuer, below.clock());
      return domain?.verifiedOn == null ? undefined : domain;
    };
    const maker = createCertificates();
    const certificates = {
      ...createCertificateContents({
        ...below,
        certificates: maker,
        pictureOf: async ({ organisation, id, ...issuer }, kind) =>
          issuer[kind] === null
            ? undefined
            : (await below.issuers.readPicture(organisation, id, kind))?.bytes,
        domainOf: (issuer) => verifiedDomainOf(issuer)?.name,
      }),
      [Symbol.asyncDispose]: () => maker[Symbol.asyncDispose](),
    };
    const issuerApi = createIssuerApi({
      ...below,
      posts: {
        document: createPost({
          ...below,
          idempotency,
          receive: createReceiveDocument(below.documents),
        }),
        csv: createPost({ ...below, idempotency, receive: receiveCsv }),
      },
      issuing,
      certificates,
      domainOf: (issuer) =>
        issuer.domain && {
          name: issuer.domain.name,
          verified: verifiedDomainOf(issuer) !== undefined,
        },
      trustUrl,
    });
    const batches = createBatches({ ...below, issuing, ...batchHooks({ ...below, certificates }) });
    const batchApi = createBatchApi({ ...below, batches, trustUrl });
    return { issuing, issuerApi, idempotency, certificates, batches, batchApi };
  },
  jobs: ({ issuing: { finishRecipient }, batches, ...services }) => [
    recipientsJob({ ...services, finishRecipient }),
    batches.job,
  ],
  migrations: (services) => [rekeyRecipients(services), resealResponses(services)],
  close: async ({ certificates }) => await certificates[Symbol.asyncDispose](),
  hooks: {
    recordData: (services) => recipientData(services),
    onLostMail: noteLostMail,
    onReturnedMail: noteReturnedMail,
  },
});
