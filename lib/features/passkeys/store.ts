import { z } from "zod";
import { sha256 } from "../../platform/kv/hash.ts";
import { defineTable, WITH_RECORD } from "../../platform/kv/mod.ts";

/** Milliseconds since 1970. */
const time = z.number();

/**
 * A row of `passkey_credentials` (spec 2.9, and the columns that it lacks). It contains no secret: the
 * private key exists only in the authenticator.
 */
const passkey = z.strictObject({
  /** SHA-256 of the credential id, which may be too long for a key. */
  id: z.string(),
  /** The record that the passkey opens. */
  contact_hash: z.string(),
  /** The id that the authenticator chose, in base64url. */
  credential_id: z.string(),
  /** COSE key in base64url. */
  public_key: z.string(),
  /** The authenticator's last counter; synced passkeys always send 0. */
  sign_count: z.number(),
  created_at: time,
  last_used: time.nullable(),
  /** The holder's random id, which authenticators return on sign-in. */
  user_handle: z.string(),
  /** How the authenticator is reached, such as `internal` or `hybrid`. */
  transports: z.array(z.string()),
  /** `multiDevice` if it can be synced. An authenticator never changes this. */
  device_type: z.enum(["singleDevice", "multiDevice"]),
  /** True if it was synced when it was last used. */
  backed_up: z.boolean(),
  /** Identifies the provider; all zeros if it is unknown. */
  aaguid: z.string(),
  /** The host that it belongs to. */
  rp_id: z.string(),
  name: z.string(),
  /** COSE algorithm, such as -7 for ES256. */
  algorithm: z.number(),
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

/** Returns the id of a passkey's row. */
export const passkeyId = (credentialId: string): string => sha256(credentialId);

/** Returns the passkeys of a record, oldest first. */
export async function listPasskeys(kv: Deno.Kv, hash: string): Promise<Passkey[]> {
  const found = await passkeys.find(kv, "passkey_credentials_by_contact", [hash]);
  return found.map(({ value }) => value).sort((a, b) => a.created_at - b.created_at);
}
