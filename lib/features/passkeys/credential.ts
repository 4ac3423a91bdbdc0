/** The stored columns of a passkey that holders and operators have in common. */
import { z } from "zod";
import { sha256 } from "../../platform/kv/hash.ts";
import { providerOf } from "./providers.ts";
import type { PasskeySummary } from "./schemas.ts";

/** Milliseconds since 1970. */
const time = z.number();

/**
 * The columns of a stored passkey (spec 2.9, and those that it lacks), without its owner. They contain
 * no secret: the private key exists only in the authenticator.
 */
export const CREDENTIAL = {
  /** SHA-256 of the credential id, which may be too long for a key. */
  id: z.string(),
  /** The id that the authenticator chose, in base64url. */
  credential_id: z.string(),
  /** COSE key in base64url. */
  public_key: z.string(),
  /** The authenticator's last counter; synced passkeys always send 0. */
  sign_count: z.number(),
  created_at: time,
  last_used: time.nullable(),
  /** The owner's random id, which authenticators return on sign-in. */
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
};

export type Credential = z.infer<z.ZodObject<typeof CREDENTIAL>>;

/** Returns the id of a passkey's row. */
export const passkeyId = (credentialId: string): string => sha256(credentialId);

/** Returns a passkey as its owner sees it. */
export const summaryOf = (passkey: Credential): PasskeySummary => ({
  id: passkey.id,
  name: passkey.name,
  provider: providerOf(passkey.aaguid),
  synced: passkey.backed_up,
  created_at: new Date(passkey.created_at).toISOString(),
  last_used: passkey.last_used === null ? null : new Date(passkey.last_used).toISOString(),
});
