import { addPasskey, type Outcome, type PasskeyUse, signIn } from "./ceremonies.ts";

/** The sign-in to a console. */
export const CONSOLE_SIGN_IN: PasskeyUse = {
  verify: "/api/auth/passkey/sign-in",
  notUsed: "No passkey was used. If you have none for this console, ask for a mailed link.",
};

/** Uses a passkey in the session, which opens sensitive pages for a while. */
export const usePasskey = (): Promise<Outcome> =>
  signIn({ verify: "/api/auth/passkey/confirm", notUsed: "No passkey was used. Try again." });

/**
 * Adds a passkey of the operator. If this needs one that exists, asks for that first.
 *
 * @param code the code of another administrator, if the operator has lost the passkeys
 */
export async function addConsolePasskey(code?: string): Promise<Outcome> {
  const kind = { register: "/api/auth/passkey/register", opens: "this console" };
  const added = await addPasskey(kind, { code });
  if (added.state !== "passkey_required") return added;
  const used = await usePasskey();
  return used.state === "done" ? await addPasskey(kind) : used;
}
