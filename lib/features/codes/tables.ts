import { inHours, inMinutes } from "../../base/time.ts";
import { defineTable, expires, WITH_RECORD } from "../../platform/kv/mod.ts";
import { CODE_LIFETIME_MS } from "./codes.ts";
import { DELIVERY_LIFETIME_MS, PENDING_CALL_LIFETIME_MS } from "./providers/mod.ts";

export const codeTables = [
  defineTable({
    prefix: "otp_codes",
    otherIndexes: ["otp_codes_by_contact", "otp_codes_by_browser"],
    owner: "record",
    lifetime: expires(inMinutes(CODE_LIFETIME_MS)),
    per: "code",
    privacy: {
      section: "codes",
      label: "Codes",
      text: "A keyed hash of the code, the number (encrypted), the provider's id of the message, " +
        `and a hash of your browser's cookie, for ${inMinutes(CODE_LIFETIME_MS)}, even if the ` +
        "record is deleted in the meantime.",
    },
  }),
  defineTable({
    prefix: "code_limits",
    owner: "nobody",
    lifetime: expires("1 hour or 1 day"),
    per: "network, number, prefix or record that is limited",
    privacy: {
      section: "codes",
      label: "Limits",
      text: "The times of your requests: with a hash of your network address for an hour, and " +
        "with keyed hashes of the number, of its first digits and, if you confirm a number, of your " +
        "record for a day.",
    },
  }),
  defineTable({
    prefix: "record_numbers",
    key: ["record"],
    owner: { record: "record" },
    lifetime: WITH_RECORD,
    per: "confirmed or rejected number",
    privacy: {
      section: "codes",
      label: "Confirmed numbers",
      text: "A keyed hash of the number with the record that it opens, until the record is " +
        "deleted or the number is no longer confirmed.",
    },
  }),
  defineTable({
    prefix: "code_deliveries",
    owner: "nobody",
    lifetime: expires(inHours(DELIVERY_LIFETIME_MS)),
    per: "message of a code",
    privacy: {
      section: "codes",
      label: "Delivery",
      text: "Whether a message was delivered, with the provider's id of the message but without " +
        `your number, for ${inHours(DELIVERY_LIFETIME_MS)}.`,
    },
  }),
  defineTable({
    prefix: "code_calls",
    owner: "nobody",
    lifetime: expires(inMinutes(PENDING_CALL_LIFETIME_MS)),
    per: "call",
    privacy: {
      section: "codes",
      label: "Calls",
      text: "What the call says after you press a key, encrypted, for " +
        `${inMinutes(PENDING_CALL_LIFETIME_MS)}.`,
    },
  }),
  defineTable({
    prefix: "code_days",
    owner: "nobody",
    lifetime: expires("3 days"),
    per: "day and dial code",
  }),
];
