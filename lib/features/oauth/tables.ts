import { defineTable, expires, windowLog } from "../../platform/kv/mod.ts";
import {
  clients,
  codeRows,
  grants,
  grantUses,
  handoffRows,
  requestRows,
  storedTokens,
} from "./rows.ts";

export const oauthTables = [
  clients,
  defineTable({
    prefix: "oauth_limits",
    value: windowLog,
    owner: "nobody",
    lifetime: expires("1 hour"),
    per: "network that registers apps",
    privacy: {
      section: "agents",
      label: "Limits",
      text: "The number of registrations of apps from a network address, with a fingerprint of " +
        "that address, for an hour.",
    },
  }),
  requestRows,
  handoffRows,
  grants,
  grantUses,
  codeRows,
  storedTokens,
];
