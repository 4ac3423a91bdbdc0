/** The tables of operators and their invitations. */
import { z } from "zod";
import { HOUR_MS } from "../../base/time.ts";
import { defineTable, expires, EXPIRING, untilUsed } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { LAYERS } from "./layers.ts";

/** How long an invitation can be accepted. */
export const INVITATION_LIFETIME_MS = 72 * HOUR_MS;

const OPERATORS = {
  section: "consoles",
  label: "Operators",
  text: "For administrators and board members: your email address, your layer, when you joined a " +
    "console and who invited you, until you are removed from the console, and which emails about " +
    "enquiries and alerts you want. People who are named in the configuration of the site are not " +
    "in this list.",
} as const;

/** An operator who was added in a console, by an accepted invitation. */
const operator = z.strictObject({
  /** The normalised address. */
  email: z.string(),
  layer: z.literal(LAYERS),
  /**
   * Sessions that began earlier give no access (ISO 8601, UTC): those of the time before the
   * operator was added, or before the layer was lowered.
   */
  sessions_from: z.iso.datetime(),
  added_at: z.iso.datetime(),
  /** The address of the administrator who sent the invitation. */
  invited_by: z.string(),
});

export type StoredOperator = z.infer<typeof operator>;

/** The operators who were added in the consoles. Those that the environment names have no row. */
export const operators = defineTable({
  prefix: "operators",
  value: operator,
  key: ["organisation", "email"],
  owner: "organisation",
  lifetime: untilUsed("until the operator is removed, or the account deleted"),
  per: "operator who was invited to a console",
  privacy: OPERATORS,
});

/** Changes at least with every change of a console's operators, and of whether they have passkeys. */
export const teamVersion = (organisation: OrganisationKey): Deno.KvKey => [
  "versions",
  organisation,
  "operators",
];

/** The settings of an operator of a console, whether or not the environment names them. */
const settings = z.strictObject({
  email: z.string(),
  /** The operator's choice for each kind of mail. Without one, full administrators get it. */
  digest: z.boolean().optional(),
  urgent: z.boolean().optional(),
  morning: z.boolean().optional(),
});

/** The kinds of mail that full administrators can turn off: the digest of the inbox, and those about alerts. */
export const OPERATOR_MAILS = ["urgent", "morning", "digest"] as const;

export type OperatorMail = typeof OPERATOR_MAILS[number];

export const operatorSettings = defineTable({
  prefix: "operator_settings",
  value: settings,
  key: ["organisation", "email"],
  owner: "organisation",
  lifetime: untilUsed("until the operator is removed, or the account deleted"),
  per: "operator who changed a setting of a console",
  privacy: OPERATORS,
});

const invitation = z.strictObject({
  email: z.string(),
  layer: z.literal(LAYERS),
  /** SHA-256 of the token in the mailed link. */
  token: z.string(),
  /** The address of the administrator who sent it last. It is void once that layer has changed. */
  invited_by: z.string(),
  sent_at: z.iso.datetime(),
  ...EXPIRING,
});

export type Invitation = z.infer<typeof invitation>;

/** The pending invitations: at most one for each address and console. */
export const invitations = defineTable({
  prefix: "operator_invitations",
  value: invitation,
  key: ["organisation", "email"],
  indexes: { operator_invitations_by_token: ["token"] },
  owner: "organisation",
  lifetime: expires("72 hours, or until it is accepted or withdrawn"),
  per: "invitation to a console",
  privacy: {
    section: "consoles",
    label: "Invitations",
    text:
      "If an administrator invites you to a console: your email address, the layer, who invited " +
      "you and a fingerprint of the link, for 72 hours or until you accept or the invitation is " +
      "withdrawn.",
  },
});

export const operatorTables = [operators, operatorSettings, invitations];
