import { HOUR_MS } from "../../base/time.ts";
import { defineLimit } from "../../platform/kv/mod.ts";
import {
  clients,
  codeRows,
  grants,
  grantUses,
  handoffRows,
  requestRows,
  storedTokens,
} from "./rows.ts";

/** Limits the registrations of apps from one client. The configuration has the number. */
export const registrations = defineLimit({
  name: "oauth_registrations",
  limit: null,
  windowMs: HOUR_MS,
  per: "network that registers apps",
  privacy: {
    section: "agents",
    label: "Limits",
    text: "The number of registrations of apps from a network address, with a fingerprint of " +
      "that address, for an hour.",
  },
});

export const oauthTables = [
  clients,
  registrations,
  requestRows,
  handoffRows,
  grants,
  grantUses,
  codeRows,
  storedTokens,
];
