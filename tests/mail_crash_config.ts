import { type Config, parseConfig } from "../lib/app/config.ts";

/**
 * The configuration of processes that send mail through an API until they are killed. The store of their witness is
 * beside their own.
 */
export const crashConfig = (kvPath: string, mailApi: string): Config =>
  parseConfig({
    APP_SECRET: new Uint8Array(32).toBase64({ alphabet: "base64url", omitPadding: true }),
    KV_PATH: kvPath,
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: mailApi,
    MAIL_API_KEY: "key",
    SIGN_IN_CLIENT_LIMIT: "0",
    CONTACT_CLIENT_LIMIT: "0",
  });
