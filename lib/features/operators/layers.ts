/** Layers of a console (spec 5.1): L1 for full administrators, L2 for board members. */
export const LAYERS = ["L1", "L2"] as const;

export type Layer = typeof LAYERS[number];

/** Returns whether a layer includes another. L1 includes L2. */
export const includesLayer = (layer: Layer, needed: Layer): boolean =>
  layer === "L1" || needed === "L2";
