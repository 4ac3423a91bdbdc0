import type { OpsConfig } from "../config/bank.ts";
import { RequestError } from "../http/errors.ts";
import type { Surface } from "../surfaces/mod.ts";
import type { State } from "../state.ts";

/** The two layers of a console (spec 5.1): L1 full administrators, L2 board members. */
export type Layer = "L1" | "L2";

/**
 * The layer of a session: worked out from its address at each request and stored nowhere, so that
 * an address that is taken off a list is out at once. Who is on both lists is L1.
 *
 * @param email in the form of `normaliseEmail`, as sessions have it
 * @returns null for somebody who is on neither list
 */
export function layerOf(email: string, { l1, l2 }: OpsConfig): Layer | null {
  if (l1.includes(email)) return "L1";
  return l2.includes(email) ? "L2" : null;
}

/** Returns whether an address may sign in on a surface. */
export const maySignIn = (email: string, { signIn }: Surface, ops: OpsConfig): boolean =>
  signIn !== null && (!signIn.operatorsOnly || layerOf(email, ops) !== null);

/** L1 may do all that L2 may. */
export const reaches = (layer: Layer, needed: Layer): boolean => layer === "L1" || needed === "L2";

/** Whom a layer lets in, in words. */
export const OPEN_TO: Record<Layer, string> = {
  L1: "This is for full administrators (L1).",
  L2: "This is for board members (L2) and full administrators (L1).",
};

/** Who is at the console. */
export interface Operator {
  email: string;
  layer: Layer;
}

/**
 * Lets a program's request through where its session reaches a layer.
 *
 * @throws {RequestError} 401 without a session, 403 where the layer does not reach
 *
 * @example
 * ```ts
 * const { layer } = requireLayer(ctx.state, "L2");
 * ```
 */
export function requireLayer({ session, services }: State, needed: Layer): Operator {
  if (session === null) throw new RequestError(401, "Sign in first.");
  const layer = layerOf(session.email, services.config.ops);
  if (layer !== null && reaches(layer, needed)) return { email: session.email, layer };
  throw new RequestError(403, OPEN_TO[needed]);
}
