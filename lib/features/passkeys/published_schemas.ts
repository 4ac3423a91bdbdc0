import { z } from "zod";
import { creationOptionsSchema, requestOptionsSchema, summarySchema } from "./schemas.ts";

/** The responses of `POST /api/auth/register-passkey`. */
export const registrationStepSchema = z.discriminatedUnion("step", [
  creationOptionsSchema,
  z.object({ step: z.literal("done"), passkey: summarySchema }).meta({ id: "PasskeyAdded" }),
]);

/** The responses of `POST /api/auth/verify-passkey`. */
export const signInStepSchema = z.discriminatedUnion("step", [
  requestOptionsSchema,
  z.object({
    step: z.literal("done"),
    next: z.string().describe("The path of the page for people."),
  }).meta({ id: "PasskeySignedIn" }),
]);

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
