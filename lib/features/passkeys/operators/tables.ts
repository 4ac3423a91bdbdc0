import { z } from "zod";
import { DAY_MS, HOUR_MS, inDays, inHours, inMinutes, MINUTE_MS } from "../../base/time.ts";
import {
  defineTable,
  expires,
  TOKEN,
  type TokenRow,
  untilUsed,
  windowLog,
} from "../../platform/kv/mod.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import { CHALLENGE_LIFETIME_MS, createChallenges, CREDENTIAL } from "../webauthn/mod.ts";

const surface = z.custom<SurfaceName>((value) => typeof value === "string");

/** How long an operator can use the code of another administrator. */
export const CODE_LIFETIME_MS = HOUR_MS;

/** How long the passkeys of somebody who is no longer an operator are kept after their last use. */
export const ORPHAN_LIFETIME_MS = 30 * DAY_MS;

const KEPT = untilUsed(
  `until the operator removes it or leaves; ${inDays(ORPHAN_LIFETIME_MS)} without access`,
  "operator_passkeys",
);

const PASSKEYS = {
  section: "consoles",
  label: "Passkeys",
  text:
    "For each passkey that you add to a console: its public key and id, the name that you gave " +
    "it, what stores it and how it connects, whether it is synced, when it was added and last " +
    "used, how often it was used if it counts that, and a random number that identifies you to " +
    "your password manager. If another administrator lets you replace lost passkeys, also who did " +
    `so and a keyed fingerprint of the code, for ${inHours(CODE_LIFETIME_MS)}. We delete all of ` +
    "it when you are removed from the console.",
} as const;

const passkey = z.strictObject({
  ...CREDENTIAL,
  user_id: z.int(),
  /** The console that it opens. */
  surface,
});

export type OperatorPasskey = z.infer<typeof passkey>;

export const operatorPasskeys = defineTable({
  prefix: "operator_passkeys",
  value: passkey,
  key: ["id"],
  indexes: { operator_passkeys_by_user: ["user_id", "surface"] },
  owner: { user: "user_id" },
  lifetime: KEPT,
  per: "passkey of an operator",
  privacy: PASSKEYS,
});

/** A permission to replace lost passkeys, which another administrator gave. */
const permission = z.strictObject({
  /** HMAC of the code that the administrator passes on. */
  code: z.string(),
  /** How often a code was entered. */
  attempts: z.int(),
  /** The address of the administrator. */
  by: z.string(),
  expires_at: z.iso.datetime(),
});

/**
 * One operator of one console, as far as passkeys are concerned. Every change of the passkeys also
 * changes this row, so a commit that checks it sees all of them.
 */
const account = z.strictObject({
  user_id: z.int(),
  surface,
  email: z.string(),
  /** The random id that authenticators return on sign-in. It never changes. */
  user_handle: z.string(),
  passkeys: z.int(),
  /** True if somebody else removed the passkeys, so that a mailed link is not enough for a new one. */
  locked: z.boolean(),
  /** Earlier uses of passkeys open nothing: the time of the last removal (ISO 8601, UTC). */
  used_from: z.iso.datetime().nullable(),
  permission: permission.nullable(),
  changed_at: z.iso.datetime(),
});

export type PasskeyAccountRow = z.infer<typeof account>;

export const accounts = defineTable({
  prefix: "operator_passkey_accounts",
  value: account,
  key: ["user_id", "surface"],
  owner: { user: "user_id" },
  lifetime: KEPT,
  per: "operator who added a passkey",
  privacy: PASSKEYS,
});

/** A stored challenge. A response is accepted only for the purpose that it was issued for. */
const challenge = z.union([
  z.strictObject({
    ceremony: z.literal("registration"),
    /** The id of the session that asked for it. */
    session: z.string(),
    /** The permission that the session has shown: the HMAC of its code, or `none`. */
    permission: z.string(),
    ...TOKEN,
  }),
  z.strictObject({
    ceremony: z.literal("confirmation"),
    session: z.string(),
    ...TOKEN,
  }),
  z.strictObject({
    ceremony: z.literal("sign_in"),
    /** SHA-256 of the browser's cookie. */
    browser: z.string(),
    ...TOKEN,
  }),
]);

type Purpose<Row> = Row extends unknown ? Omit<Row, keyof TokenRow> : never;

const CHALLENGES = "operator_passkey_challenges";

export const challenges = createChallenges<Purpose<z.infer<typeof challenge>>>(CHALLENGES);

/** How long requests for options of sign-ins are counted. */
export const OPTIONS_WINDOW_MS = 10 * MINUTE_MS;
/** How long an operator's changes and confirmations are counted. */
export const OPERATOR_WINDOW_MS = HOUR_MS;

const REQUESTS = {
  section: "consoles",
  label: "Requests for passkeys",
  text: "When you add or use a passkey: a fingerprint of the request and of your session or " +
    `browser, for ${inMinutes(CHALLENGE_LIFETIME_MS)}. The number of requests, with a ` +
    `fingerprint of the network address for ${inMinutes(OPTIONS_WINDOW_MS)}, or with your ` +
    `account number or a fingerprint of your session for ${inHours(OPERATOR_WINDOW_MS)}.`,
} as const;

export const operatorPasskeyTables = [
  operatorPasskeys,
  accounts,
  defineTable({
    prefix: CHALLENGES,
    value: challenge,
    owner: "nobody",
    lifetime: expires(inMinutes(CHALLENGE_LIFETIME_MS)),
    per: "use of an operator’s passkey",
    privacy: REQUESTS,
  }),
  defineTable({
    prefix: "operator_passkey_limits",
    value: windowLog,
    owner: "nobody",
    lifetime: expires(`${inMinutes(OPTIONS_WINDOW_MS)} or ${inHours(OPERATOR_WINDOW_MS)}`),
    per: "network or operator that requests passkeys",
    privacy: REQUESTS,
  }),
];
