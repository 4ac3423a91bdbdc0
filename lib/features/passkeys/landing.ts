/** Leads operators without a passkey to the page that adds one after a sign-in by link. */
import { landingOn, type SignIn } from "../auth/mod.ts";
import { hasConsole, type Operators } from "../operators/mod.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import type { OperatorPasskeys } from "./operators/mod.ts";

/**
 * Returns the page to which a sign-in with a link leads. Operators without a passkey are first asked to add one.
 * Where passkeys are required, every page of the console asks for one.
 */
export async function landingAfter(
  { operators, operatorPasskeys, config }: {
    operators: Pick<Operators, "layerOf">;
    operatorPasskeys: Pick<OperatorPasskeys, "account">;
    config: { operatorPasskeys: { required: boolean } };
  },
  surface: Surface,
  { next, user: { user_id, email } }: Pick<SignIn, "next" | "user">,
): Promise<string> {
  const landing = landingOn(surface, next);
  const leadsToConsole = surface.signIn?.operatorsOnly || landing.startsWith("/console");
  if (!hasConsole(surface) || !leadsToConsole || config.operatorPasskeys.required) return landing;
  const [layer, account] = await Promise.all([
    operators.layerOf(email, surface.organisation),
    operatorPasskeys.account({ user_id }, surface),
  ]);
  return layer === null || account !== null && account.passkeys > 0
    ? landing
    : `${ADD_PASSKEY}${encodeURIComponent(landing)}`;
}

/** The start of the address of the page that asks an operator to add a passkey. */
const ADD_PASSKEY = "/console/team/passkeys?next=";
