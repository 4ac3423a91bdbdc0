import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFRawStream,
  PDFStream,
} from "@cantoo/pdf-lib";
import type { Claims } from "../../../platform/pdf/xmp.ts";
import type { Metadata } from "./metadata.ts";
import { entry, hasText, itemsOf, nameOf } from "./source.ts";

/**
 * Returns what the copy of a PDF may claim: what its original claims, unless the copy shows that this is
 * untrue. Nobody has validated the original, and we do not.
 */
export function claimsOf(original: Metadata, copy: PDFDocument): Claims {
  const { pdfa = "", level = "", pdfua } = original;
  return {
    accessible: pdfua === "1" && isTagged(copy),
    // The other levels and the newer parts promise less of the text.
    archivable: /^[123]$/.test(pdfa) && /^[AU]$/.test(level) && isWhole(copy),
  };
}

/** Returns whether a PDF has what every accessible one has. */
function isTagged({ catalog, context }: PDFDocument): boolean {
  const marks = entry(catalog, "MarkInfo", PDFDict);
  const is = (key: string) => entry(marks, key, PDFBool)?.asBoolean() === true;
  if (!is("Marked") || is("Suspects") || !hasText(catalog, "Lang")) return false;
  // Headings are either numbered, as those of our page are, or not.
  const roles = entry(entry(catalog, "StructTreeRoot", PDFDict), "RoleMap", PDFDict);
  return !context.enumerateIndirectObjects().some(([, object]) => {
    if (!(object instanceof PDFDict) || nameOf(object, "Type") !== "StructElem") return false;
    const type = nameOf(object, "S")!;
    return (nameOf(roles, type) ?? type) === "H";
  });
}

/** The entries of a font's descriptor that contain the font. */
const FILES = ["FontFile", "FontFile2", "FontFile3"];

const SIMPLE = ["Type1", "MMType1", "TrueType", "CIDFontType0", "CIDFontType2"];

/** Filters that archives cannot read. */
const FILTERS = ["LZWDecode", "Crypt"];

/** Returns whether a PDF contains its fonts, in streams that archives can read. */
function isWhole({ context }: PDFDocument): boolean {
  return context.enumerateIndirectObjects().every(([, object]) => {
    if (object instanceof PDFStream) return !FILTERS.some((name) => hasFilter(object, name));
    if (!(object instanceof PDFDict) || !SIMPLE.includes(nameOf(object, "Subtype") ?? "")) {
      return true;
    }
    const descriptor = entry(object, "FontDescriptor", PDFDict);
    return FILES.some((key) => entry(descriptor, key, PDFRawStream) !== undefined);
  });
}

function hasFilter({ dict }: PDFStream, name: string): boolean {
  const filters = itemsOf(entry(dict, "Filter", PDFArray));
  return nameOf(dict, "Filter") === name || filters.includes(PDFName.of(name));
}
