import { inYears } from "../../base/time.ts";
import { defineTable, expires } from "../../platform/kv/mod.ts";
import { AUDIT_LIFETIME_MS } from "./mod.ts";

const LASTS = inYears(AUDIT_LIFETIME_MS);

export const auditTables = [
  defineTable({
    prefix: "audit",
    owner: "organisation",
    lifetime: expires(LASTS),
    per: "action of an operator",
    privacy: {
      section: "consoles",
      label: "Audit log",
      text: "For administrators and board members: your email address with the time of each " +
        "sign-in to a console, and of each change that you make there, such as an identity check, " +
        "a new document, a decision on a request, a refresh of our bank’s figures or the deletion " +
        "of an account. An entry names the record, document, request or account by its number, " +
        `without names or addresses. We keep it for ${LASTS}, and only administrators of ` +
        "the same organisation can see it.",
    },
  }),
];
