import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import { indexMigration } from "../../platform/store/mod.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { PrepareMail } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { ContactServices } from "../contact/feature.ts";
import { indexContactsMigration } from "./index_contacts.ts";
import { indexListsMigration } from "./index_lists.ts";
import { linkCodes } from "./link_codes.ts";
import { storedLinks } from "./mailed_link.ts";
import { createRecords, keyData, type LinkedData, type Records } from "./mod.ts";
import { recordTables } from "./tables.ts";

export interface RecordServices {
  records: Records;
}

/** The data of other features that belongs to records. */
export interface RecordHooks {
  recordData: LinkedData;
}

type Below = Platform & Hooked<RecordHooks> & ChainServices & ContactServices & {
  config: {
    organisations: Record<OrganisationKey, OrganisationConfig>;
    signInClientLimit: number;
  };
};

export const recordsFeature = defineFeature({
  name: "records",
  tables: recordTables,
  create: ({ config, hooks, contactIndex, ...below }: Below): RecordServices => ({
    records: createRecords({
      ...below,
      index: contactIndex,
      organisations: config.organisations,
      clientLimit: config.signInClientLimit,
      linked: () => hooks.recordData?.() ?? [],
    }),
  }),
  jobs: ({ records }) => records.jobs,
  migrations: ({ kv, clock, contactIndex: index }) => [
    indexContactsMigration({ kv, index }),
    indexListsMigration({ kv, index }),
    indexMigration({ kv, clock }, storedLinks, { format: 7 }),
    indexMigration({ kv, clock }, linkCodes, { format: 7 }),
  ],
  hooks: {
    recordData: (services) => [keyData(services)],
    beforeMail: ({ records }): PrepareMail => records.links.resume,
  },
});
