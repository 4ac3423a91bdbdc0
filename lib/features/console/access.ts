import type { BankConfig } from "../bank/variables.ts";
import type { Treasury } from "../bank/mod.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { SignedIn } from "../auth/mod.ts";
import type { PasskeyGate } from "../operator_passkeys/mod.ts";
import type { OrganisationKey, Surface } from "../../platform/surfaces/mod.ts";
import { includesLayer, type Layer } from "../operators/mod.ts";

export interface Operator {
  email: string;
  layer: Layer;
}

/** The members of a request's state that decide who may use a console. */
export interface ConsoleSession {
  session: SignedIn | null;
  layer: Layer | null;
  gate: PasskeyGate;
}

/**
 * The error of a request that needs a passkey. For browsers, the `consoleAccess` middleware renders a
 * page that asks for it and then sends the request again.
 */
export class PasskeyRequired extends RequestError {
  /** @param input the form, if the request's body has been read */
  constructor(readonly input?: unknown) {
    super(403, "Use your passkey. It must have been used within 15 minutes.", {
      code: "passkey_required",
    });
  }
}

const REQUIREMENTS: Record<Layer, string> = {
  L1: "This is for full administrators (L1).",
  L2: "This is for board members (L2) and full administrators (L1).",
};

/**
 * Returns the operator of a request, for pages and endpoints alike. The `consoleAccess` middleware
 * turns the error into a redirect or a page for browsers.
 *
 * @throws {RequestError} 401 without a session, 403 if the session's layer is too low, or if this
 * deployment requires a passkey and none was used in the session
 *
 * @example
 * ```ts
 * const operator = requireLayer(ctx.state, "L2");
 * ```
 */
export function requireLayer(state: ConsoleSession, needed: Layer): Operator {
  const { gate } = state;
  const { session: { email }, layer } = requireOperator(state, needed);
  if (gate.required && !gate.used) throw new PasskeyRequired();
  return { email, layer };
}

/** Like {@link requireLayer}, for what an operator may do without a passkey: add one, and use it. */
export function requireOperator(
  { session, layer }: ConsoleSession,
  needed: Layer = "L2",
): { session: SignedIn; layer: Layer } {
  if (session === null) throw new RequestError(401, "Sign in first.");
  if (layer !== null && includesLayer(layer, needed)) return { session, layer };
  throw new RequestError(403, REQUIREMENTS[needed]);
}

/**
 * Closes a sensitive page or action to operators who have a passkey and have not used it recently. Call
 * it after {@link requireLayer} and before the body is read, or pass the form.
 *
 * @param always true if operators without a passkey have to add one first
 * @throws {PasskeyRequired}
 */
export function requirePasskey(
  { gate }: ConsoleSession,
  { input, always = false }: { input?: unknown; always?: boolean } = {},
): void {
  const needed = always || gate.protected || gate.required;
  if (needed && gate.openMs === 0) throw new PasskeyRequired(input);
}

export const treasuryOf = (
  { surface, services }: {
    surface: Surface;
    services: { treasuries: Record<OrganisationKey, Treasury> };
  },
): Treasury => services.treasuries[surface.organisation];

/**
 * Returns whether the foundation is split, that is, bound to its own account (spec 2.4, rule 4).
 */
export const isSplit = (
  { surface, services }: { surface: Surface; services: { config: { bank: BankConfig } } },
): boolean => surface.organisation === "foundation" && services.config.bank.account !== undefined;
