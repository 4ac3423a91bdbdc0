import { z } from "zod";

/**
 * The responses of the passkey endpoints.
 *
 * @module
 */

const challenge = z.string().describe("Random bytes in base64url, valid for a few minutes, once.");
const timeout = z.int().optional().describe("In milliseconds.");
const userVerification = z.literal("required");

/** The options for `navigator.credentials.create()`. */
export const creationOptionsSchema = z.looseObject({
  challenge,
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal("public-key") })),
  timeout,
  attestation: z.string().optional(),
  excludeCredentials: z.array(z.looseObject({ id: z.string() })).optional(),
  authenticatorSelection: z.looseObject({ userVerification }),
});

/** The options for `navigator.credentials.get()`. */
export const requestOptionsSchema = z.looseObject({
  challenge,
  rpId: z.string(),
  timeout,
  allowCredentials: z.array(z.unknown()).max(0).optional(),
  userVerification,
});

const summarySchema = z.object({
  id: z.string(),
  name: z.string(),
  provider: z.string().nullable().describe(
    "The password manager or authenticator; null if it is unknown.",
  ),
  synced: z.boolean().describe("Whether it is synced, so that it survives the loss of the device."),
  created_at: z.iso.datetime(),
  last_used: z.iso.datetime().nullable(),
});

/** A passkey as its holder sees it. Times are ISO 8601 in UTC. */
export type PasskeySummary = z.infer<typeof summarySchema>;

/** The response of `POST /api/auth/register-passkey` to a new passkey. */
export const registeredPasskeySchema = z.object({ passkey: summarySchema });

/** `/.well-known/webauthn` */
export const webauthnSchema = z.object({ origins: z.array(z.url()) });

/** `/.well-known/apple-app-site-association` */
export const appleSchema = z.object({ webcredentials: z.object({ apps: z.array(z.string()) }) });

/** `/.well-known/assetlinks.json` */
export const androidSchema = z.array(z.object({
  relation: z.array(z.string()),
  target: z.object({
    namespace: z.literal("android_app"),
    package_name: z.string(),
    sha256_cert_fingerprints: z.array(z.string()),
  }),
}));
