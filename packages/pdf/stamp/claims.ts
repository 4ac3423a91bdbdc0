/**
 * Decides which standards a copy claims to fulfil.
 *
 * @module
 */
import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFStream,
} from "@cantoo/pdf-lib";
import type { Claims } from "../write/xmp.ts";
import type { Metadata } from "../read/metadata.ts";
import { entry, hasText, itemsOf, nameOf } from "../read/source.ts";

/**
 * Returns what the copy of a PDF may claim: what its original claims, unless the copy shows that this is
 * untrue. Nobody has validated the original, and we do not.
 */
export function claimsOf(original: Metadata, copy: PDFDocument): Claims {
  const { pdfa = "", level = "", pdfua } = original;
  const accessible = pdfua === "1";
  // The other levels and the newer parts promise less of the text.
  const archivable = /^[123]$/.test(pdfa) && /^[AU]$/.test(level);
  if (!accessible && !archivable) return { accessible, archivable };
  const objects = copy.context.enumerateIndirectObjects().map(([, object]) => object);
  const dicts = objects.filter((object) => object instanceof PDFDict);
  const hasFonts = dicts.every(isEmbedded);
  return {
    accessible: accessible && hasFonts && isTagged(copy, dicts),
    archivable: archivable && hasFonts && !objects.some(isUnreadable),
  };
}

/** Returns whether a PDF has what every accessible one has. */
function isTagged({ catalog }: PDFDocument, dicts: readonly PDFDict[]): boolean {
  const marks = entry(catalog, "MarkInfo", PDFDict);
  const is = (key: string) => entry(marks, key, PDFBool)?.asBoolean() === true;
  if (!is("Marked") || is("Suspects") || !hasText(catalog, "Lang")) return false;
  const roles = entry(entry(catalog, "StructTreeRoot", PDFDict), "RoleMap", PDFDict);
  return dicts.every((dict) => {
    if (nameOf(dict, "Subtype") === "Link") {
      return hasText(dict, "Contents") && dict.has(PDFName.of("StructParent"));
    }
    if (nameOf(dict, "Type") !== "StructElem") return true;
    const type = nameOf(dict, "S")!;
    // Headings are either numbered, as those of our page are, or not.
    return (nameOf(roles, type) ?? type) !== "H";
  });
}

/** The entries of a font's descriptor that contain the font. */
const FILES = ["FontFile", "FontFile2", "FontFile3"];

/** Fonts that need a file. */
const FONTS = ["Type1", "MMType1", "TrueType", "CIDFontType0", "CIDFontType2"];

/** Returns whether a font is in the PDF, or something is not a font. */
function isEmbedded(dict: PDFDict): boolean {
  if (!FONTS.includes(nameOf(dict, "Subtype") ?? "")) return true;
  const descriptor = entry(dict, "FontDescriptor", PDFDict);
  return FILES.some((key) => entry(descriptor, key, PDFRawStream) !== undefined);
}

/** Returns whether an object is a stream that archives cannot read. */
const isUnreadable = (object: PDFObject): boolean =>
  object instanceof PDFStream &&
  ["LZWDecode", "Crypt"].some((filter) =>
    nameOf(object.dict, "Filter") === filter ||
    itemsOf(entry(object.dict, "Filter", PDFArray)).includes(PDFName.of(filter))
  );
