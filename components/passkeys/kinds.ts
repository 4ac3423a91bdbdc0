/**
 * The kinds of passkeys and the outcomes of asking for one: what the pages need before they load the
 * ceremonies.
 *
 * @module
 */

/**
 * The outcome of a ceremony. `aborted`: there is nothing to show, for example because another one
 * replaced it. `passkey_required`: another passkey has to be used first.
 */
export type Outcome =
  | { state: "done"; next?: string }
  | { state: "aborted" }
  | { state: "sign_in_again" }
  | { state: "passkey_required" }
  | { state: "failed"; text: string };

/** How passkeys of one kind of people are used. */
export interface PasskeyUse {
  /** The endpoint. */
  verify: string;
  /** The text if none was used. */
  notUsed: string;
}

/** How passkeys of one kind of people are added. */
export interface PasskeyAddition {
  /** The endpoint. */
  register: string;
  /** The name of what they open. */
  opens: string;
}

/** The passkeys of holders. */
export const RECORD_PASSKEYS: PasskeyAddition & PasskeyUse = {
  register: "/api/auth/register-passkey",
  verify: "/api/auth/verify-passkey",
  opens: "your record",
  notUsed: "No passkey was used. If you have none for your record, ask for an emailed link.",
};

/** The sign-in to a console. */
export const CONSOLE_SIGN_IN: PasskeyUse = {
  verify: "/api/auth/passkey/sign-in",
  notUsed: "No passkey was used. If you have none for this console, ask for an emailed link.",
};

/** Returns whether the browser has passkeys. */
export const supportsPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === "function";

/** The text if the site does not respond. */
export const UNREACHABLE = "The site could not be reached. Check your connection and try again.";

/** The outcome if the ceremonies cannot be loaded. */
export const NOT_LOADED: Outcome = { state: "failed", text: UNREACHABLE };
