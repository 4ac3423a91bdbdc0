import { defineTable, expires, windowLog } from "../../platform/kv/mod.ts";
import { accessLog } from "./access_log.ts";
import { corrections } from "./correction_work.ts";
import { deletions } from "./erase.ts";
import { recordKeys } from "./keys.ts";
import { linkCodes } from "./link_codes.ts";
import { storedLinks } from "./mailed_link.ts";
import { readingTables } from "./reader_events.ts";
import { recoveryTables } from "./recovery.ts";
import { holderSessions } from "./sessions.ts";
import { signOuts } from "./sign_outs.ts";
import { recordRows } from "./store.ts";
import { undoLinks } from "./undo.ts";

export const recordTables = [
  recordRows,
  recordKeys,
  defineTable({
    prefix: "record_key_times",
    value: windowLog,
    key: ["record"],
    owner: { record: "record" },
    lifetime: expires("1 day"),
    per: "record with a new key",
    privacy: { section: "record", label: "Limits" },
  }),
  defineTable({
    prefix: "record_correction_times",
    value: windowLog,
    key: ["record"],
    owner: { record: "record" },
    lifetime: expires("1 day"),
    per: "corrected record",
    privacy: { section: "record", label: "Limits" },
  }),
  storedLinks,
  linkCodes,
  defineTable({
    prefix: "record_link_limits",
    value: windowLog,
    owner: "nobody",
    lifetime: expires("1 hour"),
    per: "address that asks for links",
    privacy: {
      section: "record",
      label: "Limits",
      text: "The number of links requested, with a keyed fingerprint of your email address and a " +
        "fingerprint of the network address, for an hour. The times of your latest keys and corrections, for a day.",
    },
  }),
  holderSessions,
  signOuts,
  accessLog,
  ...readingTables,
  undoLinks,
  ...recoveryTables,
  corrections,
  deletions,
];
