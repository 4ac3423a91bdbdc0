import { challengeResponses, clientEnquiries, idempotencyKeys, mailboxLinks } from "./limits.ts";
import { confirmationTable } from "./confirmations.ts";
import { indexTables } from "./contact_index.ts";
import { recordCounts } from "./counts.ts";
import { contacts } from "./store.ts";
import { contactWords } from "./word_index.ts";

export const contactTables = [
  contacts,
  contactWords,
  ...Object.values(indexTables),
  confirmationTable,
  recordCounts,
  idempotencyKeys,
  clientEnquiries,
  mailboxLinks,
  challengeResponses,
];
