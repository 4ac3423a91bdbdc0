import { z } from "zod";
import { defineTable, WITH_RECORD } from "../../platform/kv/mod.ts";
import { CREDENTIAL } from "../webauthn/mod.ts";

/** A row of `passkey_credentials` (spec 2.9). */
const passkey = z.strictObject({
  ...CREDENTIAL,
  /** The record that the passkey opens. */
  contact_hash: z.string(),
});

export type Passkey = z.infer<typeof passkey>;

/** The maximum number of passkeys of one record. A correction may join those of two records. */
export const MAX_PASSKEYS = 20;

export const passkeys = defineTable({
  prefix: "passkey_credentials",
  value: passkey,
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

/** Returns the passkeys of a record, oldest first. */
export async function listPasskeys(kv: Deno.Kv, hash: string): Promise<Passkey[]> {
  const found = await passkeys.find(kv, "passkey_credentials_by_contact", [hash]);
  return found.map(({ value }) => value).sort((a, b) => a.created_at - b.created_at);
}
