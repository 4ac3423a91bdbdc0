/**
 * Reads, writes and stamps PDFs. It loads large libraries, so it belongs into threads; `light.ts` has what the site's
 * own process needs. `README.md` says what the package guarantees.
 *
 * @module
 */
export { checkCopy, type CheckResult } from "./check/check.ts";
export { type Face, FACES, type WideFile } from "./fonts/faces.ts";
export { FontSet } from "./fonts/font_set.ts";
export { WideFonts } from "./fonts/fonts.ts";
export * from "./light.ts";
export { PdfError } from "./problem.ts";
export { FOOTER_MM } from "./stamp/pages.ts";
export {
  type Additions,
  onePagePdf,
  type OwnPage,
  type Paper,
  type Stamped,
  stampPdf,
} from "./stamp/stamp.ts";
export { describe } from "./write/describe.ts";
export { Drawing, type TextStyle } from "./write/drawing.ts";
export { type Box, MM } from "./write/geometry.ts";
export { num } from "./write/number.ts";
export { drawQr, QR_MM } from "./write/qr.ts";
export { OUR_LANGUAGE, TagTree } from "./write/tags.ts";
export { isRightToLeft, printable, wrap } from "./write/text.ts";
export { PRODUCER, writeXmp } from "./write/xmp.ts";
