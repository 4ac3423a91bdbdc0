import type { PasskeyKind } from "../webauthn/ceremonies.ts";

/** The passkeys of holders. */
export const RECORD_PASSKEYS: PasskeyKind = {
  register: "/api/auth/register-passkey",
  verify: "/api/auth/verify-passkey",
  opens: "your record",
};
