import { inDays, inMinutes } from "../../base/time.ts";
import { defineTable, expires } from "../../platform/kv/mod.ts";
import {
  CLIENT_LIFETIME_MS,
  CONNECTION,
  grants,
  HANDOFF_LIFETIME_MS,
  REQUEST_LIFETIME_MS,
  UNUSED_CLIENT_LIFETIME_MS,
} from "./rows.ts";

const UNUSED = inDays(UNUSED_CLIENT_LIFETIME_MS);
const USED = inDays(CLIENT_LIFETIME_MS);
const REQUEST = inMinutes(REQUEST_LIFETIME_MS);
const HANDOFF = inMinutes(HANDOFF_LIFETIME_MS);

const DECISION = {
  section: "agents",
  label: "Your decision",
  text: "While you decide whether to connect an app: what it asks for, with fingerprints " +
    `(SHA-256) of the request and of a cookie of your browser, for ${REQUEST}. Your decision, ` +
    `with the record that you chose, for ${HANDOFF}.`,
} as const;

export const oauthTables = [
  defineTable({
    prefix: "oauth_clients",
    owner: "nobody",
    lifetime: expires(`${UNUSED} unused, ${USED} after its last use`),
    per: "app that registers",
    privacy: {
      section: "agents",
      label: "Apps",
      text:
        "The name of an app that registers with us and the addresses to which it returns you, " +
        `for ${UNUSED}, or for ${USED} after it last used a connection. This says ` +
        "nothing about you.",
    },
  }),
  defineTable({
    prefix: "oauth_limits",
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
  defineTable({
    prefix: "oauth_requests",
    owner: "nobody",
    lifetime: expires(REQUEST),
    per: "request of an app",
    privacy: DECISION,
  }),
  defineTable({
    prefix: "oauth_handoffs",
    owner: "nobody",
    lifetime: expires(HANDOFF),
    per: "decision",
    privacy: DECISION,
  }),
  grants,
  defineTable({
    ...CONNECTION,
    owner: "record",
    prefix: "oauth_codes",
    per: "code of a connection",
  }),
  defineTable({
    ...CONNECTION,
    owner: "record",
    prefix: "oauth_tokens",
    per: "token of a connection",
  }),
];
