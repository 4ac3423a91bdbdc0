import type { PasskeyAddition, PasskeyUse } from "./ceremonies.ts";

/** The passkeys of holders. */
export const RECORD_PASSKEYS: PasskeyAddition & PasskeyUse = {
  register: "/api/auth/register-passkey",
  verify: "/api/auth/verify-passkey",
  opens: "your record",
  notUsed: "No passkey was used. If you have none for your record, ask for a mailed link.",
};
