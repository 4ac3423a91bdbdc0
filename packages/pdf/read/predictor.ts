/**
 * Undoes the predictors of cross-reference streams, which pdf-lib ignores.
 *
 * @module
 */
import { PDFDict, PDFName, PDFNumber, type PDFObject } from "@cantoo/pdf-lib";

/**
 * Undoes the predictor of a stream's compression. Most programs write cross-reference streams with
 * one of PNG's predictors, which pdf-lib ignores.
 *
 * @param parameters the entry `DecodeParms` of the filter
 * @throws {RangeError} if it is a predictor for images
 */
export function withoutPredictor(bytes: Uint8Array, parameters: PDFObject | undefined): Uint8Array {
  const numberOf = (key: string, otherwise: number): number => {
    const value = parameters instanceof PDFDict ? parameters.lookup(PDFName.of(key)) : undefined;
    return value instanceof PDFNumber ? value.asNumber() : otherwise;
  };
  const predictor = numberOf("Predictor", 1);
  if (predictor <= 1) return bytes;
  const width = numberOf("Columns", 1);
  const isBytes = numberOf("Colors", 1) === 1 && numberOf("BitsPerComponent", 8) === 8;
  if (predictor < 10 || !isBytes || !Number.isSafeInteger(width) || width < 1) {
    throw new RangeError("The predictor is not for bytes.");
  }
  const rows = Math.ceil(bytes.length / (width + 1));
  const decoded = new Uint8Array(Math.max(bytes.length - rows, 0));
  for (let row = 0; row < rows; row++) {
    const kind = bytes[row * (width + 1)];
    const to = row * width;
    const end = Math.min(to + width, decoded.length);
    for (let at = to; at < end; at++) {
      const left = at > to ? decoded[at - 1] : 0;
      const above = row > 0 ? decoded[at - width] : 0;
      const corner = at > to && row > 0 ? decoded[at - width - 1] : 0;
      decoded[at] = bytes[at + row + 1] + predicted(kind, left, above, corner);
    }
  }
  return decoded;
}

/** Returns what a filter of PNG adds to a byte. */
function predicted(kind: number, left: number, above: number, corner: number): number {
  switch (kind) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const estimate = left + above - corner;
      const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value));
      return a <= b && a <= c ? left : b <= c ? above : corner;
    }
    default:
      return 0;
  }
}
