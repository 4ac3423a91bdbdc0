import {
  type Drawing,
  printable,
  type TextStyle,
  type WideFile,
} from "../../../../packages/pdf/mod.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";

/** The fonts of what we add to a copy, by their place. `display` and `mono` show only ASCII. */
export type CopyFont = "display" | "regular" | "bold" | "mono";

export type CopyDrawing = Drawing<CopyFont>;
export type CopyStyle = TextStyle<CopyFont>;

/** The brand's fonts, as in `static/styles/tokens.css`, and those for letters that they lack. Other scripts have their own. */
export const COPY_FONTS: Record<OrganisationKey, Record<CopyFont, readonly WideFile[]>> = {
  foundation: {
    display: ["Newsreader-Display"],
    regular: ["Sans-Regular", "Letters-Regular"],
    bold: ["Sans-Semibold", "Letters-Regular"],
    mono: ["Mono-Regular"],
  },
  commercial: {
    display: ["Geist-Semibold"],
    regular: ["Geist-Regular", "Sans-Regular", "Letters-Regular"],
    bold: ["Geist-Semibold", "Sans-Semibold", "Letters-Regular"],
    mono: ["GeistMono-Regular"],
  },
};

/**
 * Returns a text with the letters that the fonts have, as `printable` does.
 *
 * @returns null if the text has characters of another script
 */
export const printableIn = ({ fonts }: CopyDrawing, text: string): string | null =>
  printable(text, (letter) => fonts.covers("regular", letter) && fonts.covers("bold", letter));
