/**
 * The borders of links.
 *
 * @module
 */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject } from "@cantoo/pdf-lib";
import { PdfError } from "../problem.ts";
import { entry, itemsOf, nameOf, numberOf } from "../read/source.ts";

/** The widest border of a link, in units of the page. A wider one could cover the footer. */
const MAX_WIDTH = 12;

/** The entries with which viewers draw the border of a link; `Border` is always one of them. */
type Border = Record<string, PDFObject>;

/**
 * Returns the border of a link, scaled, and whether viewers draw one.
 *
 * @throws {PdfError} if it is too wide
 */
export function borderOf(link: PDFDict, scale: number): { border: Border; isDrawn: boolean } {
  const { context } = link;
  const numbers = (array: PDFArray | undefined) =>
    itemsOf(array).flatMap((item) => item instanceof PDFNumber ? [item.asNumber()] : []);
  const scaled = (values: number[]) => values.map((value) => value * scale);
  const style = entry(link, "BS", PDFDict);
  const given = entry(link, "Border", PDFArray);
  const [, , plainWidth = 1] = given === undefined ? [] : numbers(given);
  const width = style === undefined ? plainWidth : numberOf(style, "W") ?? 1;
  if (width <= 0) return { border: { Border: context.obj([0, 0, 0]) }, isDrawn: false };
  if (width > MAX_WIDTH) throw new PdfError("not_flat", "the border of a link is too wide");
  const [x = 0, y = 0] = numbers(given);
  const dashes = style === undefined
    ? numbers(itemsOf(given).find((item) => item instanceof PDFArray) as PDFArray | undefined)
    : numbers(entry(style, "D", PDFArray));
  const color = numbers(entry(link, "C", PDFArray));
  const border: Border = {
    Border: context.obj([
      ...scaled([x, y, width]),
      ...dashes.length > 0 && (style === undefined || nameOf(style, "S") === "D")
        ? [scaled(dashes)]
        : [],
    ]),
    ...color.length > 0 && { C: context.obj(color) },
  };
  if (style !== undefined) {
    border.BS = context.obj({
      W: width * scale,
      S: PDFName.of(nameOf(style, "S") ?? "S"),
      ...dashes.length > 0 && { D: scaled(dashes) },
    });
  }
  return { border, isDrawn: true };
}
