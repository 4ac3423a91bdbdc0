/** Finds the operators without a passkey, and leads them to the page that adds one after a sign-in by link. */
import { type Auth, type Identity, landingOn, type SignIn } from "../auth/mod.ts";
import type { OperatorPasskeys } from "./operators/mod.ts";
import type { PasskeyGate } from "./operators/gate.ts";
import { hasConsole, type Operators } from "../operators/mod.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";

interface Services {
  auth: Pick<Auth, "findUserId">;
  operators: Operators;
  operatorPasskeys: Pick<OperatorPasskeys, "owners">;
}

/**
 * Returns the addresses of those operators of a console who have no passkey there, so that their mailboxes open it.
 *
 * @param state the console, and the operator who asks
 */
export async function readUnprotected(
  { auth, operators, operatorPasskeys }: Services,
  { surface, session, gate }: {
    surface: Surface;
    session: Identity | null;
    gate: Pick<PasskeyGate, "usable">;
  },
): Promise<string[]> {
  const emails = await operators.emails(surface.organisation);
  const others = emails.filter((email) => email !== session?.email);
  const ids = await Promise.all(others.map((email) => auth.findUserId(email)));
  const owners = await operatorPasskeys.owners(ids.filter((id) => id !== null), surface);
  const withPasskey = new Set(others.filter((_, i) => ids[i] !== null && owners.has(ids[i])));
  if (session !== null && gate.usable) withPasskey.add(session.email);
  return emails.filter((email) => !withPasskey.has(email));
}

/**
 * Returns the page to which a sign-in with a link leads. Operators without a passkey are first asked to add one.
 * Where passkeys are required, every page of the console asks for one.
 */
export async function landingAfter(
  { operators, operatorPasskeys, config }: Services & {
    config: { operatorPasskeys: { required: boolean } };
  },
  surface: Surface,
  { next, user: { user_id, email } }: Pick<SignIn, "next" | "user">,
): Promise<string> {
  const landing = landingOn(surface, next);
  const leadsToConsole = surface.signIn?.operatorsOnly || landing.startsWith("/console");
  if (!hasConsole(surface) || !leadsToConsole || config.operatorPasskeys.required) return landing;
  const [layer, owners] = await Promise.all([
    operators.layerOf(email, surface.organisation),
    operatorPasskeys.owners([user_id], surface),
  ]);
  return layer === null || owners.has(user_id)
    ? landing
    : `${ADD_PASSKEY}${encodeURIComponent(landing)}`;
}

/** The start of the address of the page that asks an operator to add a passkey. */
const ADD_PASSKEY = "/console/team/passkeys?next=";
