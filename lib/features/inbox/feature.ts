import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { AddToEnquiry } from "../contact/mod.ts";
import type { ContactServices } from "../contact/feature.ts";
import type { ContactConfig } from "../contact/variables.ts";
import type { OperatorsServices } from "../operators/feature.ts";
import type { RecordServices } from "../records/feature.ts";
import { digestJob, digests, reportLater } from "./digest.ts";
import { createInbox, type Inbox, inboxData, reopenUndelivered } from "./mod.ts";
import { addEnquiry, enquiries, entries, replyNames, replyTimes } from "./store.ts";

export interface InboxServices {
  inbox: Inbox;
}

type Below = Platform & ContactServices & OperatorsServices & RecordServices & {
  config: { contact: ContactConfig; organisations: Record<OrganisationKey, OrganisationConfig> };
};

const optionsOf = ({ config, ...below }: Below) => ({
  ...below,
  organisations: config.organisations,
  notify: config.contact.notify,
});

export const inboxFeature = defineFeature({
  name: "inbox",
  tables: [enquiries, entries, replyNames, replyTimes, digests],
  create: (below: Below): InboxServices => ({ inbox: createInbox(optionsOf(below)) }),
  jobs: ({ inbox, ...below }) => [digestJob({ ...optionsOf(below), counts: inbox.counts })],
  hooks: {
    onEnquiry: (): AddToEnquiry => (commit, enquiry) => {
      addEnquiry(commit, enquiry);
      reportLater(commit, enquiry);
    },
    onLostMail: reopenUndelivered,
    recordData: (services) => [inboxData(services)],
  },
});
