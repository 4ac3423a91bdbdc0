/**
 * The tables of the feature, in the order of the documentation.
 *
 * @module
 */
import { DAY_MS, inDays } from "../../base/time.ts";
import { defineTable, expires } from "../../platform/kv/mod.ts";
import { accessLimits } from "./access/limits.ts";
import { accessLink } from "./access/confirmations.ts";
import { CONFIRMATION_LIFETIME_MS, requests } from "./access/requests.ts";
import { alsoRegistered } from "./also_registered.ts";
import { alsoRegisteredMails } from "./also_registered_mails.ts";
import { documentBytes } from "./files/bytes.ts";
import { downloads } from "./files/downloads.ts";
import { registrants, unsettledHashes } from "./registrants.ts";
import { shares } from "./access/share_rows.ts";
import { documents } from "./store.ts";
import { unconfirmed } from "./access/unconfirmed.ts";
import { uploadMarkers } from "./files/uploads.ts";
import { withdrawals } from "./access/withdrawals.ts";

const CONFIRMATION = inDays(CONFIRMATION_LIFETIME_MS);

export const documentTables = [
  documents,
  registrants,
  unsettledHashes,
  alsoRegistered,
  alsoRegisteredMails,
  documentBytes,
  uploadMarkers,
  downloads,
  requests,
  unconfirmed,
  withdrawals,
  defineTable({
    prefix: "access_links",
    value: accessLink,
    owner: "record",
    lifetime: expires(`at most ${CONFIRMATION} and ${inDays(DAY_MS)}`),
    per: "link that confirms a request for access",
    privacy: {
      section: "document_access",
      label: "The link that confirms your address",
      text: `A fingerprint (SHA-256) of each link, for at most ${CONFIRMATION} and a day.`,
    },
  }),
  shares,
  ...Object.values(accessLimits),
];
