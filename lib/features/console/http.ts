/** The checks of session, layer and passkey with which routes of the consoles begin. */
import type { BankConfig } from "../bank/variables.ts";
import type { Treasury } from "../bank/mod.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { Actor } from "../../platform/kv/mod.ts";
import type { SignedIn } from "../auth/mod.ts";
import type { PasskeyGate } from "../passkeys/mod.ts";
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
  /** The row that gives the layer; null if the environment does. */
  layerRow: Deno.AtomicCheck | null;
  gate: PasskeyGate;
  actor: Actor;
  /** Reads these members again. */
  readSession: () => Promise<void>;
  services: { clock: () => number };
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
 * Returns the operator of a request, for pages and endpoints alike, and demands the layer for everything
 * that the request does. The `consoleAccess` middleware turns the error into a redirect or a page for
 * browsers.
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
  const { session: { email }, layer } = requireOperator(state, needed);
  demand(state, ({ gate }) => {
    if (gate.required && !gate.used) throw new PasskeyRequired();
  });
  return { email, layer };
}

/** Like {@link requireLayer}, for what an operator may do without a passkey: add one, and use it. */
export function requireOperator(
  state: ConsoleSession,
  needed: Layer = "L2",
): { session: SignedIn; layer: Layer } {
  demand(state, ({ session, layer }) => {
    if (session === null) throw new RequestError(401, "Sign in first.");
    if (layer === null || !includesLayer(layer, needed)) {
      throw new RequestError(403, REQUIREMENTS[needed]);
    }
  });
  return { session: state.session!, layer: state.layer! };
}

/**
 * Returns who is signed in, and demands the session for everything that the request does.
 *
 * @throws {RequestError} 401 without a session
 */
export function requireSession(state: ConsoleSession, message = "Sign in first."): SignedIn {
  demand(state, ({ session }) => {
    if (session === null) throw new RequestError(401, message);
  });
  return state.session!;
}

/** Demands what a session gives. `check` throws if it does not give that, now or when it is asked again. */
function demand(state: ConsoleSession, check: (state: ConsoleSession) => number | void): void {
  state.actor.demand({
    ask() {
      const until = check(state) ?? Infinity;
      const { session, layerRow } = state;
      const rows = layerRow === null ? [session!.row] : [session!.row, layerRow];
      return { rows, until: Math.min(until, Date.parse(session!.expires_at)) };
    },
    read: state.readSession,
  });
}

/**
 * Closes a sensitive page or action to operators who have a passkey and have not used it recently. Call
 * it after {@link requireLayer} and before the body is read, or pass the form.
 *
 * @param always true if operators without a passkey have to add one first
 * @throws {PasskeyRequired}
 */
export function requirePasskey(
  state: ConsoleSession,
  { input, always = false }: { input?: unknown; always?: boolean } = {},
): void {
  demand(state, ({ gate, services }) => {
    const needed = always || gate.protected || gate.required;
    if (needed && gate.openMs === 0) throw new PasskeyRequired(input);
    return needed ? services.clock() + gate.openMs : Infinity;
  });
}

export const treasuryOf = (
  { surface, services }: {
    surface: Surface;
    services: { treasuries: Record<OrganisationKey, Treasury> };
  },
): Treasury => services.treasuries[surface.organisation];

/**
 * Returns whether the foundation is split, that is, bound to its own account (spec 2.4.4).
 */
export const isSplit = (
  { surface, services }: { surface: Surface; services: { config: { bank: BankConfig } } },
): boolean => surface.organisation === "foundation" && services.config.bank.account !== undefined;
