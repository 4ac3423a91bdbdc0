import { WideFace } from "./face.ts";
import serifDisplay from "./SourceSerif-Display.json" with { type: "json" };
import serifRegular from "./SourceSerif-Regular.json" with { type: "json" };

const METRICS = {
  "SourceSerif-Display": serifDisplay,
  "SourceSerif-Regular": serifRegular,
};

/** The files in this folder, which `tools/wide_fonts.ts` makes. */
export type WideFile = keyof typeof METRICS;

/** Prepares a font for measuring. This takes longer than measuring many texts. */
export const openFace = (file: WideFile): WideFace => new WideFace(METRICS[file]);
