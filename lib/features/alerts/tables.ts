import { inDays } from "../../base/time.ts";
import { defineTable, expires } from "../../platform/kv/mod.ts";
import { ALERT_LIFETIME_MS } from "./mod.ts";

const LASTS = inDays(ALERT_LIFETIME_MS);

export const alertTables = [
  defineTable({
    prefix: "alerts",
    otherIndexes: ["alerts_unread", "alerts_open", "alerts_by_record"],
    owner: "organisation",
    lifetime: expires(`${LASTS} after the latest report`),
    per: "problem",
    privacy: {
      section: "consoles",
      label: "Alerts",
      text:
        "Alerts about requests for access, mail and notifications that could not be delivered, " +
        "failed payments, our bank and invalid chains. An alert names the record, document, " +
        "request, payment or account by its number, without names or addresses. If you mark an " +
        "alert as read or done, or reopen it, or if you decide on its request, it shows your " +
        "email address and the time to the other administrators of your organisation. We keep an " +
        `alert for ${LASTS} after its problem was last reported, and what it says about a ` +
        "record only until the record is deleted.",
    },
  }),
];
