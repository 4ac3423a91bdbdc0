import {
  type PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { apply, intersection, type Matrix, transformBox } from "./geometry.ts";
import { isHidden } from "./notes.ts";
import { boxOf, corners, entry, nameOf, textOf } from "./objects.ts";
import type { SourcePage } from "./source.ts";

const WEB_OR_MAIL = /^(https?|mailto):$/;

/**
 * Returns the copy of a link to a place in the document, or to a web or mail address. It stays on its
 * text, and cannot be outside of the original's page, such as on the footer.
 *
 * @param matrix from the coordinates of the original's page to those of the copy
 */
export function linkOf(
  annotation: PDFDict,
  { box }: SourcePage,
  matrix: Matrix,
): PDFDict | undefined {
  const rect = boxOf(annotation, "Rect");
  const visible = rect && intersection(rect, box);
  const target = targetOf(annotation);
  if (
    nameOf(annotation, "Subtype") !== "Link" || isHidden(annotation) || visible === undefined ||
    target === undefined
  ) return undefined;
  const link: PDFDict = annotation.context.obj({
    Subtype: "Link",
    Rect: corners(transformBox(matrix, visible)),
    Border: [0, 0, 0],
    F: 4,
    ...target,
  });
  const text = textOf(annotation, "Contents");
  if (text) link.set(PDFName.of("Contents"), PDFHexString.fromText(text));
  return link;
}

/** Returns the entries of a link that say where it leads; undefined for another kind of link. */
function targetOf(annotation: PDFDict): Record<string, PDFObject> | undefined {
  const action = entry(annotation, "A", PDFDict);
  const kind = nameOf(action, "S");
  if (kind === "URI") {
    const url = URL.parse(textOf(action, "URI") ?? "");
    return url !== null && WEB_OR_MAIL.test(url.protocol)
      ? { A: annotation.context.obj({ S: "URI", URI: asciiString(url.href) }) }
      : undefined;
  }
  if (action !== undefined && kind !== "GoTo") return undefined;
  const place = action?.get(PDFName.of("D")) ?? annotation.get(PDFName.of("Dest"));
  return place && { Dest: place };
}

const asciiString = (text: string): PDFString => PDFString.of(text.replace(/[\\()]/g, "\\$&"));

/**
 * Moves a place in the document, such as `[12 0 R /XYZ 50 700 0]`, to where it is in the copy. Other
 * arrays stay as they are.
 */
export function moveDestination(
  place: PDFArray,
  pages: ReadonlyMap<PDFRef, { ref: PDFRef; node: PDFDict; matrix: Matrix }>,
): void {
  const [ref, kind, ...numbers] = place.asArray();
  const page = pages.get(ref as PDFRef);
  const isPlace = kind instanceof PDFName &&
    numbers.every((item) => item instanceof PDFNumber || item === PDFNull);
  if (page === undefined || !isPlace) return;
  const [x = null, y = null] = numbers
    .map((item) => item instanceof PDFNumber ? item.asNumber() : null);
  const [newX, newY] = apply(page.matrix, [x ?? 0, y ?? 0]);
  const view = kind === PDFName.of("XYZ")
    ? ["XYZ", x === null ? null : newX, y === null ? null : newY, null]
    : ["Fit"];
  while (place.size() > 0) place.remove(0);
  place.push(page.ref);
  for (const item of page.node.context.obj(view).asArray()) place.push(item);
}
