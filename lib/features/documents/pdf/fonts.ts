import type { PDFContext } from "@cantoo/pdf-lib";
import { type Drawing, FontSet, printable, type TextStyle, type WideFile, type WideFonts } from "../../../../packages/pdf/mod.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";

/** The fonts of what we add to a copy, by their place. `display` and `mono` show only ASCII. */
export type CopyFont = "display" | "regular" | "bold" | "mono";

export type CopyDrawing = Drawing<CopyFont>;
export type CopyStyle = TextStyle<CopyFont>;

/** The brand's fonts, as in `static/styles/tokens.css`, and those for letters that they lack. Other scripts have their own. */
const FILES: Record<OrganisationKey, Record<CopyFont, readonly WideFile[]>> = {
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
 * Prepares an organisation's fonts for a PDF, which contains those that are used.
 *
 * @param suffix what the names of the fonts in the resources end with
 */
export const fontsOf = (
  organisation: OrganisationKey,
  context: PDFContext,
  fonts: WideFonts,
  suffix: string,
): FontSet<CopyFont> => new FontSet(context, fonts, FILES[organisation], { suffix });

/**
 * Returns a text with the letters that the fonts have, as `printable` does.
 *
 * @returns null if the text has characters of another script
 */
export const printableIn = ({ fonts }: CopyDrawing, text: string): string | null =>
  printable(text, (letter) => fonts.covers("regular", letter) && fonts.covers("bold", letter));
