import type { BankConfig } from "../bank/variables.ts";
import type { Treasury } from "../bank/mod.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { Identity } from "../auth/mod.ts";
import type { OrganisationKey, Surface } from "../../platform/surfaces/mod.ts";
import { includesLayer, type Layer } from "../operators/mod.ts";

export interface Operator {
  email: string;
  layer: Layer;
}

/** The members of a request's state that decide who may use a console. */
export interface ConsoleSession {
  session: Identity | null;
  layer: Layer | null;
}

const REQUIREMENTS: Record<Layer, string> = {
  L1: "This is for full administrators (L1).",
  L2: "This is for board members (L2) and full administrators (L1).",
};

/**
 * Returns the operator of a request, for pages and endpoints alike. The `consoleAccess` middleware
 * turns the error into a redirect or a page for browsers.
 *
 * @throws {RequestError} 401 without a session, 403 if the session's layer is too low
 *
 * @example
 * ```ts
 * const operator = requireLayer(ctx.state, "L2");
 * ```
 */
export function requireLayer({ session, layer }: ConsoleSession, needed: Layer): Operator {
  if (session === null) throw new RequestError(401, "Sign in first.");
  if (layer !== null && includesLayer(layer, needed)) return { email: session.email, layer };
  throw new RequestError(403, REQUIREMENTS[needed]);
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
