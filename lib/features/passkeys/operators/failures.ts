import { fail } from "../../../base/result.ts";

/** The failure if the session has ended in the meantime. */
export const SESSION_ENDED = fail("unauthenticated", { message: "Sign in first." });

export const WRONG_CODE = fail("wrong_code", {
  message: "This code is wrong or no longer valid. Ask the administrator for a new one.",
});

/** The failures of an addition that needs something first. */
export const NOT_YET = {
  link: fail("sign_in_again", {
    message:
      "Sign in again with an emailed link first. It must have been opened within 15 minutes.",
  }),
  passkey: fail("passkey_required", { message: "Use one of your passkeys first." }),
};
