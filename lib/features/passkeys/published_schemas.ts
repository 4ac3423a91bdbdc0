import { z } from "zod";
import { summarySchema } from "./schemas.ts";

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
