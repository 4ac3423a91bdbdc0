/**
 * The browser's side of adding a passkey and of signing in with one. Islands import it only dynamically,
 * because few visitors of a page use a passkey.
 *
 * @module
 */
import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { type Outcome, type PasskeyAddition, type PasskeyUse, UNREACHABLE } from "./kinds.ts";

const WRONG_ADDRESS = "Passkeys do not work on this address of the site.";

/** The texts for errors of the browser, by the name of the error, and the one for all others. */
type Problems = Record<string, string> & { otherwise: string };

const signInProblems = ({ notUsed }: PasskeyUse): Problems => ({
  otherwise: notUsed,
  SecurityError: `${WRONG_ADDRESS} Ask for an emailed link.`,
});

const registrationProblems = ({ opens }: PasskeyAddition): Problems => ({
  otherwise: "No passkey was added. You can try again at any time.",
  InvalidStateError: `This device or password manager already has a passkey for ${opens}.`,
  SecurityError: WRONG_ADDRESS,
  ConstraintError:
    "This authenticator cannot store passkeys or verify who you are. Try another one.",
  NotSupportedError: "This authenticator does not support passkeys. Try another one.",
});

export function signIn(kind: PasskeyUse): Promise<Outcome> {
  return attempt(signInProblems(kind), async () => {
    const optionsJSON = await post<PublicKeyCredentialRequestOptionsJSON>(kind.verify, {});
    return await verify(kind, await startAuthentication({ optionsJSON }));
  });
}

/**
 * Offers passkeys in the suggestions of the email field, waits until one is chosen, and signs in
 * with it. Problems before that are not shown, because the person has not asked for anything.
 *
 * @param isWanted returns false if the person has asked for a passkey in the meantime, because a new
 * request would end that one
 */
export function offerPasskeys(kind: PasskeyUse, isWanted: () => boolean): Promise<Outcome> {
  return attempt(signInProblems(kind), async () => {
    let response: AuthenticationResponseJSON;
    try {
      const optionsJSON = await post<PublicKeyCredentialRequestOptionsJSON>(kind.verify, {});
      if (!isWanted()) return { state: "aborted" };
      response = await startAuthentication({ optionsJSON, useBrowserAutofill: true });
    } catch {
      return { state: "aborted" };
    }
    return await verify(kind, response);
  });
}

async function verify(
  kind: PasskeyUse,
  response: AuthenticationResponseJSON,
): Promise<Outcome> {
  const { next } = await post<{ next?: string }>(kind.verify, { response });
  return { state: "done", next };
}

/** @param permission what the request for options contains besides the session */
export function addPasskey(kind: PasskeyAddition, permission: object = {}): Promise<Outcome> {
  return attempt(registrationProblems(kind), async () => {
    const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>(
      kind.register,
      permission,
    );
    const response = await startRegistration({ optionsJSON });
    await post(kind.register, { response });
    return { state: "done" };
  });
}

/** Ends a pending request. Chromium rejects a second one while the first is pending. */
export function abort(): void {
  WebAuthnAbortService.cancelCeremony();
}

/** A response of the site that is not a success. */
class ResponseError extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

async function attempt(
  problems: Problems,
  ceremony: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await ceremony();
  } catch (error) {
    if (error instanceof ResponseError) {
      if (error.code === "sign_in_again" || error.code === "unauthenticated") {
        return { state: "sign_in_again" };
      }
      if (error.code === "passkey_required") return { state: "passkey_required" };
      return { state: "failed", text: error.message };
    }
    if (error instanceof WebAuthnError && error.code === "ERROR_CEREMONY_ABORTED") {
      return { state: "aborted" };
    }
    const cause = error instanceof WebAuthnError ? error.cause : error;
    const name = cause instanceof Error ? cause.name : "";
    return { state: "failed", text: problems[name] ?? problems.otherwise };
  }
}

async function post<Body>(path: string, body: unknown): Promise<Body> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new ResponseError("unreachable", UNREACHABLE);
  }
  const content = await response.json().catch(() => ({ message: UNREACHABLE }));
  if (!response.ok) throw new ResponseError(content.error, content.message);
  return content;
}
