/** The schemas of the browser's WebAuthn responses. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { decodeBase64Url } from "../../base/encoding.ts";

const MALFORMED = "This is not the response of a passkey.";

const base64Url = (maxBytes: number) =>
  z.string(MALFORMED).min(1, MALFORMED).max(Math.ceil(maxBytes * 4 / 3), MALFORMED)
    .regex(/^[\w-]+$/, MALFORMED);

/** WebAuthn limits credential ids to 1,023 bytes. */
const credentialId = base64Url(1_023);
const clientDataJSON = base64Url(2_048);

const common = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key", MALFORMED),
};

/** The value of `PublicKeyCredential.toJSON()` after a registration. */
const registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON,
    attestationObject: base64Url(8_192),
    transports: z.array(z.string().max(32)).max(10).nullish().catch(null),
  }, MALFORMED),
}, MALFORMED).transform((value) =>
  ({ ...value, clientExtensionResults: {} }) as RegistrationResponseJSON
);

/** The value of `PublicKeyCredential.toJSON()` after a sign-in. */
const signIn = z.object({
  ...common,
  response: z.object({
    clientDataJSON,
    authenticatorData: base64Url(4_096),
    signature: base64Url(8_192),
    userHandle: base64Url(64).nullish(),
  }, MALFORMED),
}, MALFORMED).transform((value) =>
  ({ ...value, clientExtensionResults: {} }) as AuthenticationResponseJSON
);

/** The body of `POST /api/auth/register-passkey`: without a response, it asks for options. */
export const registrationSchema = z.object({ response: registration.optional() }, MALFORMED);

/** The body of `POST /api/auth/verify-passkey`: without a response, it asks for options. */
export const signInSchema = z.object({ response: signIn.optional() }, MALFORMED);

/**
 * Returns the challenge of a response, or null if it is malformed or comes from a frame inside
 * another site's page.
 */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string | null {
  try {
    const json = new TextDecoder().decode(decodeBase64Url(response.clientDataJSON));
    const { challenge, crossOrigin } = JSON.parse(json);
    return typeof challenge === "string" && crossOrigin !== true ? challenge : null;
  } catch {
    return null;
  }
}
