/**
 * The ceremonies of operators who are signed in. Islands import it only dynamically, as `ceremonies.ts`.
 *
 * @module
 */
import { addPasskey, signIn } from "./ceremonies.ts";
import type { Outcome } from "./kinds.ts";

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
