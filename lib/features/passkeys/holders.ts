/** The table of the passkeys with which holders open their records. */
import { z } from "zod";
import { fail } from "../../base/result.ts";
import { defineTable, WITH_RECORD } from "../../platform/kv/mod.ts";
import { CREDENTIAL } from "./credential.ts";
import { createKind, MAX_PASSKEYS } from "./kinds.ts";
import { HOLDER_LIMITS } from "./limits.ts";

/** A row of `passkey_credentials` (spec 2.9). */
const holderPasskey = z.strictObject({
  ...CREDENTIAL,
  /** The record that the passkey opens. */
  contact_hash: z.string(),
});

export type HolderPasskey = z.infer<typeof holderPasskey>;

/** The passkeys of holders. */
export const holderPasskeys = defineTable({
  prefix: "passkey_credentials",
  value: holderPasskey,
  key: ["id"],
  indexes: { passkey_credentials_by_contact: ["contact_hash"] },
  owner: { record: "contact_hash" },
  moves: true,
  lifetime: WITH_RECORD,
  per: "passkey",
  privacy: {
    section: "record",
    label: "Passkeys",
    text:
      "For each passkey: its public key and id, the name that you gave it, what stores it (such " +
      "as a password manager) and how it connects, whether it is synced, when it was added and " +
      "last used, how often it was used if it counts that, and a random number that identifies " +
      "the record to your password manager. Your fingerprint, face and PIN never leave your " +
      "device. We keep these until you remove the passkey.",
  },
});

/** The passkeys of holders. They belong to records, which this feature does not know. */
export const HOLDERS = createKind({
  table: holderPasskeys,
  find: (kv, { contact_hash }) =>
    holderPasskeys.find(kv, "passkey_credentials_by_contact", [contact_hash]),
  challenges: "passkey_challenges",
  limits: HOLDER_LIMITS,
  limitOf: ({ contact_hash }) => [contact_hash],
  full: fail("too_many_passkeys", {
    message: `A record can have ${MAX_PASSKEYS} passkeys. Remove one first.`,
  }),
  unknown: fail("not_found", {
    message: "Your record does not have this passkey. It may have been removed.",
  }),
});
