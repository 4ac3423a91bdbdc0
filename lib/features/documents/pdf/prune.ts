import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { entry, nameOf } from "./objects.ts";
import { PdfError } from "./problem.ts";

/** Entries of streams that lead to something other than what a page shows. */
const DROPPED_FROM_STREAMS = new Set([
  "AF",
  "Alternates",
  "F",
  "FDecodeParms",
  "FFilter",
  "Measure",
  "Metadata",
  "OPI",
  "PieceInfo",
  "PtData",
  "Ref",
].map(PDFName.of));

/** Types of objects that are not part of a page's content. */
const DROPPED_TYPES = new Set([
  "Action",
  "Annot",
  "Catalog",
  "EmbeddedFile",
  "Filespec",
  "Metadata",
  "ObjStm",
  "Outlines",
  "Page",
  "Pages",
  "Sig",
  "StructElem",
  "StructTreeRoot",
  "XRef",
]);

/** Actions that run or open something. They have no `Type`, as a rule. */
const ACTIONS = new Set([
  "GoToE",
  "GoToR",
  "ImportData",
  "JavaScript",
  "Launch",
  "Movie",
  "Rendition",
  "RichMediaExecute",
  "Sound",
  "SubmitForm",
]);

/**
 * Removes everything that the catalog does not lead to, and actions, embedded files, structure and
 * metadata even where a page's content refers to them.
 *
 * @param kept objects of types that are otherwise removed
 * @param visit called once with each array that stays
 */
export function prune(
  context: PDFContext,
  kept: ReadonlySet<PDFObject>,
  visit: (array: PDFArray) => void,
): void {
  const reached = new Set<PDFObject>();
  /** A list rather than recursion, because a chain of references can be longer than the stack. */
  const waiting: PDFObject[] = [context.trailerInfo.Root!];
  const keeps = (item: PDFObject): boolean => {
    const value = context.lookup(item);
    return value !== undefined && (kept.has(value) || isContent(value)) && waiting.push(item) > 0;
  };
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (reached.has(item)) continue;
    reached.add(item);
    const dict = item instanceof PDFRawStream ? item.dict : item;
    if (item instanceof PDFRef) waiting.push(context.lookup(item)!);
    else if (item instanceof PDFArray) {
      visit(item);
      for (const [i, each] of item.asArray().entries()) if (!keeps(each)) item.set(i, PDFNull);
    } else if (dict instanceof PDFDict) {
      for (const [key, each] of dict.entries()) {
        if (dict !== item && DROPPED_FROM_STREAMS.has(key) || !keeps(each)) dict.delete(key);
      }
    }
  }
  for (const [ref] of context.enumerateIndirectObjects()) {
    if (!reached.has(ref)) context.delete(ref);
  }
}

function isContent(value: PDFObject): boolean {
  // Its bytes could contain anything.
  if (value instanceof PDFInvalidObject) throw new PdfError("damaged");
  const dict = value instanceof PDFStream ? value.dict : value;
  return !(dict instanceof PDFDict) ||
    !DROPPED_TYPES.has(nameOf(dict, "Type") ?? "") && !ACTIONS.has(nameOf(dict, "S") ?? "") &&
      entry(dict, "EF", PDFDict) === undefined &&
      !(value instanceof PDFStream && nameOf(dict, "Subtype") === "PS");
}
