import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import { defineLimit } from "../../platform/kv/mod.ts";
import { LINKS_PER_HOUR } from "../auth/mod.ts";

/** New keys per record and day. Each of them is mailed to the holder. */
export const KEYS_PER_DAY = 10;

export const keyTimes = defineLimit({
  name: "record_key_times",
  limit: KEYS_PER_DAY,
  windowMs: DAY_MS,
  owner: "record",
  per: "record with a new key",
  privacy: { section: "record", label: "Limits" },
});

/** Corrections per record and day, because each may send a mail to any address. */
export const CORRECTIONS_PER_DAY = 5;

export const correctionTimes = defineLimit({
  name: "record_correction_times",
  limit: CORRECTIONS_PER_DAY,
  windowMs: DAY_MS,
  owner: "record",
  per: "corrected record",
  privacy: { section: "record", label: "Limits" },
});

/** Limits the links to records for one mailbox. */
export const mailboxLinks = defineLimit({
  name: "record_link_mailbox",
  limit: LINKS_PER_HOUR,
  windowMs: HOUR_MS,
  per: "mailbox that asks for links to records",
  privacy: {
    section: "record",
    label: "Limits",
    text: "The number of links requested, with a keyed fingerprint of your email address and a " +
      "fingerprint of the network address, for an hour. The times of your latest keys and corrections, for a day.",
  },
});
