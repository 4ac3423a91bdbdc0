import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFInvalidObject,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import type { Box } from "./geometry.ts";
import { PdfError } from "./problem.ts";

/** The largest side of a page in units, according to PDF 1.7. */
const MAX_SIDE = 14_400;

/** Returns an entry of a dictionary, resolved, if it has this type. */
export function entry<T extends PDFObject>(
  dict: PDFDict | undefined,
  key: string,
  type: { prototype: T },
): T | undefined {
  const value = dict?.lookup(PDFName.of(key));
  // The parser could not read it, so the page would lack something.
  if (value instanceof PDFInvalidObject) throw new PdfError("damaged");
  // The constructors of pdf-lib are private, which `instanceof` does not accept in a variable.
  return value instanceof (type as unknown as new () => T) ? value : undefined;
}

/** Returns the name that an entry has, such as `Widget`. */
export const nameOf = (dict: PDFDict | undefined, key: string): string | undefined =>
  entry(dict, key, PDFName)?.decodeText();

/** Returns the number that an entry has. */
export const numberOf = (dict: PDFDict | undefined, key: string): number | undefined =>
  entry(dict, key, PDFNumber)?.asNumber();

/** Returns the text that an entry has. */
export function textOf(dict: PDFDict | undefined, key: string): string | undefined {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFString || value instanceof PDFHexString
    ? value.decodeText()
    : undefined;
}

/** Returns the object that an entry refers to, without resolving it. */
export const refOf = (dict: PDFDict, key: string): PDFRef | undefined => {
  const value = dict.get(PDFName.of(key));
  return value instanceof PDFRef ? value : undefined;
};

/** Returns the items of an array, resolved. */
export const itemsOf = (array: PDFArray | undefined): (PDFObject | undefined)[] =>
  Array.from({ length: array?.size() ?? 0 }, (_, i) => array!.lookup(i));

/** Returns the numbers of an entry that is an array; NaN for other items. */
export const numbersOf = (dict: PDFDict | undefined, key: string): number[] =>
  itemsOf(entry(dict, key, PDFArray))
    .map((item) => item instanceof PDFNumber ? item.asNumber() : NaN);

/** Returns a rectangle whose corners may be in any order; undefined if it is not one. */
export function boxOf(dict: PDFDict | undefined, key: string): Box | undefined {
  const [x1, y1, x2, y2, ...more] = numbersOf(dict, key);
  const isInside = (value: number) => Math.abs(value) <= 10 * MAX_SIDE;
  if (more.length > 0 || ![x1, y1, x2, y2].every(isInside)) return undefined;
  const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
  if (width === 0 || height === 0 || width > MAX_SIDE || height > MAX_SIDE) return undefined;
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), width, height };
}

/** Returns a rectangle as an entry has it. */
export const corners = ({ left, bottom, width, height }: Box): number[] => [
  left,
  bottom,
  left + width,
  bottom + height,
];
