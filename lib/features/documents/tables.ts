import { DAY_MS, HOUR_MS, inDays, inHours, inMinutes } from "../../base/time.ts";
import { defineTable, expires, untilUsed, WITH_RECORD } from "../../platform/kv/mod.ts";
import {
  CONFIRMATION_LIFETIME_MS,
  DECISION_LIFETIME_MS,
  GRANT_LIFETIME_MS,
  REQUEST_KEPT_MS,
  requests,
} from "./access_requests.ts";
import { RESUME_LIFETIME_MS } from "./downloads.ts";
import { documents } from "./store.ts";
import { UPLOAD_LIFETIME_MS } from "./uploads.ts";

const GRANT = inDays(GRANT_LIFETIME_MS);
const KEPT = inDays(REQUEST_KEPT_MS);
const UNCONFIRMED = inDays(CONFIRMATION_LIFETIME_MS);
/** The job that removes uploads runs every ten minutes. */
const UPLOAD = inHours(Math.ceil((UPLOAD_LIFETIME_MS + 1) / HOUR_MS) * HOUR_MS);

const DOCUMENTS = {
  section: "record",
  label: "Documents",
  text: "The documents that administrators add to your record: every version of the file, " +
    "its name and hash, its title and kind, when and by which administrator it was added, and " +
    "the reason if it was withdrawn. We keep them with the record. Interrupted uploads are " +
    `removed within ${UPLOAD}.`,
} as const;

const REQUEST = {
  section: "document_access",
  label: "Your request",
  text: "Your name, email address and reason, the document, the times of your request and " +
    "confirmation, the decision (by whom, when and why), and a keyed fingerprint of the " +
    "address and the document. The record's holder and administrators can see the request " +
    `once you have confirmed the address. We keep it for ${KEPT} after the request ` +
    "was refused, after it expired because nobody decided within " +
    `${inDays(DECISION_LIFETIME_MS)}, or after the access ended. We delete it earlier if the ` +
    "record is deleted. A request that you do not confirm is deleted after " +
    `${UNCONFIRMED}, or if many other people ask for the document, after an hour ` +
    "or more; to choose it fairly, we keep a keyed fingerprint of the network for as long. An " +
    "alert in the console refers to the request by its number for the same time.",
} as const;

const ACCESS = {
  section: "document_access",
  label: "Links and access",
  text: "A fingerprint (SHA-256) of each link that we mail you, and of the cookie of the " +
    `browser that has access, for at most ${GRANT} and a day.`,
} as const;

export const documentTables = [
  documents,
  defineTable({
    prefix: "document_bytes",
    owner: "record",
    lifetime: {
      ...WITH_RECORD,
      kept: `${WITH_RECORD.kept}; without a document, ${UPLOAD}`,
      job: "uploads",
    },
    per: "64 KiB of a document",
    privacy: DOCUMENTS,
  }),
  defineTable({
    prefix: "document_uploads",
    owner: "nobody",
    lifetime: untilUsed(UPLOAD, "uploads"),
    per: "upload",
    privacy: DOCUMENTS,
  }),
  defineTable({
    prefix: "document_downloads",
    owner: "nobody",
    lifetime: expires(inMinutes(RESUME_LIFETIME_MS)),
    per: "counted download, and view",
    privacy: {
      section: "open_document",
      label: "Downloads and views",
      text: "For each download, a random number that your browser gets with the file, the number " +
        "of the grant, and which parts of the file were sent when the download was resumed. For " +
        "each view, a random number that your browser gets with the page, and when the page " +
        `loaded the file. We keep them for ${inMinutes(RESUME_LIFETIME_MS)}.`,
    },
  }),
  requests,
  defineTable({
    prefix: "access_unconfirmed",
    owner: "nobody",
    lifetime: expires(UNCONFIRMED),
    per: "document that was asked for",
    privacy: REQUEST,
  }),
  defineTable({
    prefix: "access_links",
    owner: "record",
    lifetime: expires(`at most ${GRANT} and ${inDays(DAY_MS)}`),
    per: "link to a document",
    privacy: ACCESS,
  }),
  defineTable({
    prefix: "access_grants",
    owner: "record",
    lifetime: expires(`at most ${GRANT} and ${inDays(DAY_MS)}`),
    per: "browser with access",
    privacy: ACCESS,
  }),
  defineTable({
    prefix: "access_limits",
    owner: "nobody",
    lifetime: expires("1 hour or 1 day"),
    per: "network, address or document that is limited",
    privacy: {
      section: "document_access",
      label: "Limits",
      text: "The times of requests, with fingerprints of the network address and the document, " +
        "and a keyed fingerprint of the email address, for an hour or a day.",
    },
  }),
];
