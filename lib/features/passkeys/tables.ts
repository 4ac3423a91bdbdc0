import { inMinutes } from "../../base/time.ts";
import { defineTable, expires, windowLog } from "../../platform/kv/mod.ts";
import { CHALLENGE_LIFETIME_MS } from "../webauthn/mod.ts";
import { challenge } from "./challenges.ts";
import { OPTIONS_WINDOW_MS } from "./sign_in.ts";
import { passkeys } from "./store.ts";

const REQUESTS = {
  section: "record",
  label: "Requests for passkeys",
  text: "When you add or use a passkey: a fingerprint of the request and of your session or " +
    `browser, for ${inMinutes(CHALLENGE_LIFETIME_MS)}. The number of requests, with a ` +
    `fingerprint of the network address for ${inMinutes(OPTIONS_WINDOW_MS)}, or with the record ` +
    "for an hour.",
} as const;

export const passkeyTables = [
  passkeys,
  defineTable({
    prefix: "passkey_challenges",
    value: challenge,
    owner: "nobody",
    lifetime: expires(inMinutes(CHALLENGE_LIFETIME_MS)),
    per: "use of a passkey",
    privacy: REQUESTS,
  }),
  defineTable({
    prefix: "passkey_limits",
    value: windowLog,
    owner: "nobody",
    lifetime: expires(`${inMinutes(OPTIONS_WINDOW_MS)} or 1 hour`),
    per: "network or record that requests passkeys",
    privacy: REQUESTS,
  }),
];
