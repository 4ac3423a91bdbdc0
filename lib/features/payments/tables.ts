import { inDays, inYears } from "../../base/time.ts";
import { defineTable, expires } from "../../platform/kv/mod.ts";
import { EVENT_LIFETIME_MS, PAYMENT_LIFETIME_MS } from "./store.ts";

const PAYMENT = inYears(PAYMENT_LIFETIME_MS);
const REPORT = inDays(EVENT_LIFETIME_MS);

export const paymentTables = [
  defineTable({
    prefix: "payments",
    otherIndexes: ["payments_by_id", "payments_by_record"],
    owner: "organisation",
    lifetime: expires(PAYMENT),
    per: "payment",
    privacy: {
      section: "payments",
      label: "Payments",
      text: "The details that our payment provider reports: the amount and currency, the date, " +
        "the state and refunds, the provider’s id of the payment, its description, and the hash " +
        "of the record if the payment names one. We do not receive your card number. We keep " +
        `payments for ${PAYMENT}, for our accounts. If you delete the record, we remove the ` +
        "description and the hash.",
    },
  }),
  defineTable({
    prefix: "payment_events",
    owner: "organisation",
    lifetime: expires(REPORT),
    per: "report of the payment provider",
    privacy: {
      section: "payments",
      label: "Reports",
      text: "A fingerprint (SHA-256) of the id of each report, for " +
        `${REPORT}, so that no report takes effect twice.`,
    },
  }),
];
