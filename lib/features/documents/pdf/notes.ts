import { PDFDict, PDFRawStream, type PDFRef } from "@cantoo/pdf-lib";
import { type Matrix, transformBox } from "./geometry.ts";
import { boxOf, entry, nameOf, numberOf, numbersOf, refOf, textOf } from "./objects.ts";
import { PdfError } from "./problem.ts";

/** An annotation or a field that becomes part of its page. */
export interface Note {
  annotation: PDFRef;
  /** The form XObject that shows it, and the matrix to draw it with. */
  form: PDFRef;
  matrix: Matrix;
  /** Its role for screen readers. */
  role: "Form" | "P";
  /** Its id in the structure tree; undefined if the tree does not have it. */
  id?: number;
}

/** Flags of annotations. */
const HIDDEN = 2;
const PRINTED = 4;

/** Returns whether no viewer shows an annotation. */
export const isHidden = (annotation: PDFDict): boolean =>
  ((numberOf(annotation, "F") ?? 0) & HIDDEN) !== 0;

/** Returns an annotation of a page as a note if it is printed and looks like anything. */
export function noteOf(annotation: PDFDict, ref: PDFRef): Note | undefined {
  const subtype = nameOf(annotation, "Subtype");
  const isPrinted = ((numberOf(annotation, "F") ?? 0) & PRINTED) !== 0;
  const rect = boxOf(annotation, "Rect");
  if (
    subtype === "Link" || subtype === "Popup" || isHidden(annotation) || !isPrinted ||
    rect === undefined
  ) return undefined;
  const form = appearanceOf(annotation);
  const stream = form && annotation.context.lookup(form);
  if (!(stream instanceof PDFRawStream)) {
    // Some viewers would draw it, others would not.
    if (subtype !== "Widget" || fieldHasText(annotation)) throw new PdfError("not_flat");
    return undefined;
  }
  const bbox = boxOf(stream.dict, "BBox");
  if (bbox === undefined) return undefined;
  const matrix = numbersOf(stream.dict, "Matrix");
  const isMatrix = matrix.length === 6 && !matrix.some(Number.isNaN);
  const at = isMatrix ? transformBox(matrix as unknown as Matrix, bbox) : bbox;
  if (at.width === 0 || at.height === 0) return undefined;
  const [x, y] = [rect.width / at.width, rect.height / at.height];
  return {
    annotation: ref,
    form: form!,
    matrix: [x, 0, 0, y, rect.left - x * at.left, rect.bottom - y * at.bottom],
    role: subtype === "Widget" ? "Form" : "P",
  };
}

/** Returns what an annotation looks like in its current state. */
function appearanceOf(annotation: PDFDict): PDFRef | undefined {
  const appearances = entry(annotation, "AP", PDFDict);
  const states = entry(appearances, "N", PDFDict);
  if (states !== undefined) return refOf(states, nameOf(annotation, "AS") ?? "Off");
  return appearances && refOf(appearances, "N");
}

/** Returns whether a field, or the one that it belongs to, contains text. */
function fieldHasText(field: PDFDict, depth = 0): boolean {
  if (textOf(field, "V")) return true;
  const parent = entry(field, "Parent", PDFDict);
  return parent !== undefined && depth < 32 && fieldHasText(parent, depth + 1);
}
