/** Describes everything that the process needs from records. */
import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { PrepareMail } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { LogServices } from "../log/feature.ts";
import type { ContactServices } from "../contact/feature.ts";
import type { PasskeyConfig } from "../passkeys/variables.ts";
import { indexContactsMigration } from "./migrations/index_contacts.ts";
import { lostRowsMigration } from "./migrations/lost_rows.ts";
import { deletions } from "./deletion/erase.ts";
import { createRecords, keyData, passkeyData, type RecordData, type Records } from "./mod.ts";
import { resealRecoveries } from "./recovery/move.ts";
import { recordTables } from "./tables.ts";

export interface RecordServices {
  records: Records;
}

/** The data of other features that belongs to records. */
export interface RecordHooks {
  recordData: RecordData;
}

type Below = Platform & Hooked<RecordHooks> & ChainServices & LogServices & ContactServices & {
  config: {
    organisations: Record<OrganisationKey, OrganisationConfig>;
    signInClientLimit: number;
    passkeys: PasskeyConfig;
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
      passkeys: config.passkeys,
      recordData: () => hooks.recordData?.() ?? [],
    }),
  }),
  jobs: ({ records }) => records.jobs,
  deletesDue: ({ records }) => ({ [deletions.prefix]: records.deletion.completeDue }),
  migrations: ({ contactIndex: index, ...services }) => [
    indexContactsMigration({ ...services, index }),
    lostRowsMigration({ ...services, index }),
    resealRecoveries(services),
  ],
  hooks: {
    recordData: (services) => [keyData(services), passkeyData(services)],
    beforeMail: ({ records }): PrepareMail => records.links.resume,
  },
});
