/**
 * The description of the feature: its tables, services, jobs, alerts and hooks.
 *
 * @module
 */
import { inMorning } from "../../platform/alert_kind.ts";
import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import { MINUTE_MS } from "../../base/time.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { RecordServices } from "../records/feature.ts";
import { type Access, accessData, createAccess } from "./access/access.ts";
import { ALSO_REGISTERED, notifyFirst } from "./also_registered.ts";
import { sendMails } from "./also_registered_mails.ts";
import { issuePdf, type IssuingThread, issuingThread } from "./issue_pdf.ts";
import type { LogServices } from "../log/feature.ts";
import type { IssuerServices } from "../issuers/feature.ts";
import { createDocuments, type Documents } from "./mod.ts";
import type { IssuePdf } from "./new_version.ts";
import { createPdfJs, type PdfJs } from "./files/pdfjs.ts";
import { createReadings, type Readings } from "./access/readings.ts";
import type { AddDocumentEvent } from "./events.ts";
import { rekeyRequests } from "./access/rekey.ts";
import { shareData } from "./access/share_data.ts";
import { createPartiesReader, type PartiesReader } from "./parties.ts";
import { createShares, type Shares } from "./access/shares.ts";
import { documentTables } from "./tables.ts";
import { uploadMarkers } from "./files/uploads.ts";
import { ACCESS_REQUESTED } from "./access/ask.ts";
import { type DocumentsConfig, documentsSettings } from "./variables.ts";

export interface DocumentServices {
  documents: Documents;
  access: Access;
  /** The links with which holders share documents. */
  shares: Shares;
  /** Documents as their readers see them. */
  readings: Readings;
  /** Returns the parties of documents. */
  documentParties: PartiesReader;
  pdfJs: PdfJs;
  /** Makes the issued copies of PDFs. */
  issuingThread: IssuingThread;
}

/** The events of documents that other features add to. */
export interface DocumentHooks {
  documentEvent: AddDocumentEvent;
}

type Below = Platform & Hooked<DocumentHooks> & LogServices & RecordServices & IssuerServices & {
  config: {
    documents: DocumentsConfig;
    organisations: Record<OrganisationKey, OrganisationConfig>;
    signInClientLimit: number;
  };
  overrides: { issuePdf?: IssuePdf | null };
};

export const documentsFeature = defineFeature({
  name: "documents",
  tables: documentTables,
  alerts: {
    [ACCESS_REQUESTED]: inMorning("Access requested"),
    [ALSO_REGISTERED]: inMorning("File registered by two organisations"),
  },
  settings: documentsSettings,
  create({ config, overrides, records, surfaces, ...below }: Below): DocumentServices {
    const { organisations, signInClientLimit: clientLimit } = config;
    const trustUrl = (path: string) => surfaces.url("trust", path) ?? path;
    const { notices, readers } = records;
    const access = createAccess({
      ...below,
      readers,
      notices,
      organisations,
      trustUrl,
      clientLimit,
    });
    const thread = issuingThread();
    const documents = createDocuments({
      ...below,
      config: () => config.documents,
      organisations,
      trustUrl,
      issuePdf: overrides.issuePdf === undefined
        ? (original, details) => issuePdf(original, details, thread.run)
        : overrides.issuePdf ?? undefined,
      onWithdrawn: access.withdrawals.add,
      onEvent: () => below.hooks.documentEvent?.() ?? [],
    });
    const parties = createPartiesReader({ ...below, organisations });
    return {
      documents,
      access,
      shares: createShares({ ...below, notices, parties }),
      readings: createReadings({ ...below, documents, records, parties }),
      documentParties: parties,
      pdfJs: createPdfJs(),
      issuingThread: thread,
    };
  },
  jobs: ({ documents, access, config, hooks, surfaces, ...below }) => {
    const options = {
      ...below,
      organisations: config.organisations,
      trustUrl: (path: string) => surfaces.url("trust", path) ?? path,
      onEvent: () => hooks.documentEvent?.() ?? [],
    };
    return [
      documents.job,
      access.withdrawals.job,
      {
        name: "also-registered",
        title: "Finding files that two organisations register",
        everyMs: MINUTE_MS,
        maxMs: MINUTE_MS,
        run: async (context) => `${await notifyFirst(options, context)} files`,
      },
      {
        name: "also-registered-mails",
        title: "Emailing issuers whose files others register",
        everyMs: 10 * MINUTE_MS,
        maxMs: MINUTE_MS,
        run: async (context) => `${await sendMails(options, context)} mails`,
      },
    ];
  },
  deletesDue: ({ documents }) => ({ [uploadMarkers.prefix]: documents.removeUnfinished }),
  migrations: (services) => [rekeyRequests(services)],
  close: ({ issuingThread }) => issuingThread[Symbol.asyncDispose](),
  hooks: {
    recordData: ({ documents, ...services }) => [
      documents.recordData,
      accessData(services),
      shareData(services),
    ],
  },
});
