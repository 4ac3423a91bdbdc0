/**
 * The limits of requests, links and look-ups.
 *
 * @module
 */
import { DAY_MS, HOUR_MS } from "../../../base/time.ts";
import { defineLimit } from "../../../platform/kv/mod.ts";
import { MAX_SAFE, UNCONFIRMED_SAFE_MS } from "./unconfirmed.ts";
import { SHARES_PER_DAY } from "./share_rows.ts";

/**
 * The most confirmed requests for one document in a day, from everyone together. Unconfirmed ones do
 * not count, or strangers could lock readers out with addresses that are not theirs.
 */
export const DOCUMENT_REQUESTS_PER_DAY = 50;
/**
 * The most requests for one document in a day from one site (`siteKey`), so that nobody uses up all
 * of the document's.
 */
export const CLIENT_DOCUMENT_REQUESTS_PER_DAY = 10;
/** The most mails to one mailbox in an hour, for all documents together. */
export const MAILS_PER_HOUR = 5;
/** The most new links for one request in an hour. */
export const NEW_LINKS_PER_HOUR = 3;

const privacy = { section: "document_access", label: "Limits" } as const;

export const accessLimits = {
  /** The configuration has the number. */
  client: defineLimit({
    name: "access_client",
    limit: null,
    windowMs: HOUR_MS,
    approximate: true,
    per: "network that asks for access",
    privacy: {
      ...privacy,
      text: "The times of requests, with fingerprints of the network address and the document, " +
        "and a keyed fingerprint of the email address, for an hour or a day.",
    },
  }),
  clientDocument: defineLimit({
    name: "access_client_document",
    limit: CLIENT_DOCUMENT_REQUESTS_PER_DAY,
    windowMs: DAY_MS,
    per: "network that asks for access to a document",
    privacy,
  }),
  /** Keeps the list of a document's unconfirmed requests within one value. */
  requests: defineLimit({
    name: "access_document",
    limit: MAX_SAFE,
    windowMs: UNCONFIRMED_SAFE_MS,
    per: "document to which access is requested",
    privacy,
  }),
  confirmed: defineLimit({
    name: "access_confirmed",
    limit: DOCUMENT_REQUESTS_PER_DAY,
    windowMs: DAY_MS,
    per: "document with confirmed requests",
    privacy,
  }),
  mailbox: defineLimit({
    name: "access_mailbox",
    limit: MAILS_PER_HOUR,
    windowMs: HOUR_MS,
    per: "mailbox that asks for access",
    privacy,
  }),
  newLinks: defineLimit({
    name: "access_new_links",
    limit: NEW_LINKS_PER_HOUR,
    windowMs: HOUR_MS,
    per: "approved request that gets new links",
    privacy,
  }),
  shares: defineLimit({
    name: "shares",
    limit: SHARES_PER_DAY,
    windowMs: DAY_MS,
    per: "record that shares documents",
    privacy,
  }),
};
