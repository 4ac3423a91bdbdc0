/** The tables of operators' passkeys and accounts. */
import { z } from "zod";
import { fail } from "../../../base/result.ts";
import { DAY_MS, HOUR_MS, inDays, inHours } from "../../../base/time.ts";
import { defineTable, DUE_JOBS, untilUsed } from "../../../platform/kv/mod.ts";
import type { SurfaceName } from "../../../platform/surfaces/mod.ts";
import { CREDENTIAL } from "../credential.ts";
import { createKind, MAX_PASSKEYS } from "../kinds.ts";
import { OPERATOR_LIMITS } from "../limits.ts";

const surface = z.custom<SurfaceName>((value) => typeof value === "string");

/** How long an operator can use the code of another administrator. */
export const CODE_LIFETIME_MS = HOUR_MS;

/** How long the passkeys of somebody who is no longer an operator are kept after their last use. */
export const ORPHAN_LIFETIME_MS = 30 * DAY_MS;

const KEPT = `until the operator removes it or leaves; ${
  inDays(ORPHAN_LIFETIME_MS)
} without access`;

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
  lifetime: untilUsed(KEPT, DUE_JOBS.nightly),
  per: "passkey of an operator",
  privacy: PASSKEYS,
});

/** The passkeys of operators, each for one console. */
export const OPERATORS = createKind({
  table: operatorPasskeys,
  find: (kv, { user_id, surface }) =>
    operatorPasskeys.find(kv, "operator_passkeys_by_user", [user_id, surface]),
  challenges: "operator_passkey_challenges",
  limits: OPERATOR_LIMITS,
  limitOf: ({ user_id, surface }) => [user_id, surface],
  full: fail("too_many_passkeys", {
    message: `You can have ${MAX_PASSKEYS} passkeys. Remove one first.`,
  }),
  unknown: fail("not_found", {
    message: "You do not have this passkey. It may have been removed.",
  }),
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
  lifetime: untilUsed(KEPT),
  due: {
    when: ({ changed_at }, now) => now >= Date.parse(changed_at) + ORPHAN_LIFETIME_MS,
    nightly: true,
  },
  per: "operator who added a passkey",
  privacy: PASSKEYS,
});
