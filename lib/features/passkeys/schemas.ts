/** The schemas of the passkey endpoints' responses, for the API description. */
import { z } from "zod";

const challenge = z.string().describe("Random bytes in base64url, valid for a few minutes, once.");
const timeout = z.int().optional().describe("In milliseconds.");
const userVerification = z.literal("required");

const step = z.literal("options").describe("Ask the authenticator, and post its response.");

/** The options for `navigator.credentials.create()`, which leaves out `step`. */
export const creationOptionsSchema = z.looseObject({
  step,
  challenge,
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal("public-key") })),
  timeout,
  attestation: z.string().optional(),
  excludeCredentials: z.array(z.looseObject({ id: z.string() })).optional(),
  authenticatorSelection: z.looseObject({ userVerification }),
}).meta({ id: "PasskeyCreationOptions" });

/** The options for `navigator.credentials.get()`, which leaves out `step`. */
export const requestOptionsSchema = z.looseObject({
  step,
  challenge,
  rpId: z.string(),
  timeout,
  allowCredentials: z.array(z.object({ id: z.string() })).max(0).optional(),
  userVerification,
}).meta({ id: "PasskeyRequestOptions" });

export const summarySchema = z.object({
  id: z.string(),
  name: z.string(),
  provider: z.string().nullable().describe(
    "The password manager or authenticator; null if it is unknown.",
  ),
  synced: z.boolean().describe("Whether it is synced, so that it survives the loss of the device."),
  created_at: z.iso.datetime(),
  last_used: z.iso.datetime().nullable(),
});

/** A passkey as its owner sees it. Times are ISO 8601 in UTC. */
export type PasskeySummary = z.infer<typeof summarySchema>;

/** The account that a browser reports to password managers, so that they forget removed passkeys. */
export interface PasskeyAccount {
  rpId: string;
  userId: string;
  name: string;
  credentialIds: string[];
}
