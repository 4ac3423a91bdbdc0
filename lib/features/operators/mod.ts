/**
 * The people who may use the consoles, and their layers (spec 5.1).
 *
 * @module
 */
import type { OpsConfig } from "./variables.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";

export type { OpsConfig };

/** Layers of a console (spec 5.1): L1 for full administrators, L2 for board members. */
export type Layer = "L1" | "L2";

/**
 * Returns the layer of an address: L1 if it is on both lists, null if it is on neither. Layers are
 * computed for each request and never stored, so removing an address takes effect at once.
 *
 * @param email normalised, as in sessions
 */
export function layerOf(email: string, { l1, l2 }: OpsConfig): Layer | null {
  if (l1.includes(email)) return "L1";
  return l2.includes(email) ? "L2" : null;
}

/** Returns whether a layer includes another. L1 includes L2. */
export const includesLayer = (layer: Layer, needed: Layer): boolean =>
  layer === "L1" || needed === "L2";

export const maySignIn = (email: string, { signIn }: Surface, ops: OpsConfig): boolean =>
  signIn !== null && (!signIn.operatorsOnly || layerOf(email, ops) !== null);
