/**
 * Finds out what a copy leaves out.
 *
 * @module
 */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRef } from "@cantoo/pdf-lib";
import type { CopiedPage } from "./pages.ts";
import { PRODUCER } from "../write/xmp.ts";
import type { Metadata } from "../read/metadata.ts";
import { LEFT_OUT_NAMES, type LeftOut } from "./left_out_names.ts";
import { entry, itemsOf, nameOf, type Source } from "../read/source.ts";

const MEDIA = new Set(["3D", "Movie", "RichMedia", "Screen", "Sound"]);

/** Returns what the copy of a PDF leaves out. */
export function leftOutOf(
  { catalog, form }: Source,
  { producer }: Metadata,
  copies: readonly CopiedPage[],
  links: ReadonlyMap<PDFRef, PDFRef>,
): LeftOut[] {
  const found = new Set<LeftOut>();
  const add = (name: LeftOut, is: boolean) => is && found.add(name);
  const has = (dict: PDFDict, ...keys: string[]) =>
    keys.some((key) => dict.lookup(PDFName.of(key)) instanceof PDFDict);
  const names = entry(catalog, "Names", PDFDict);
  const isAction = (value: PDFObject | undefined) =>
    value instanceof PDFDict && nameOf(value, "S") !== "GoTo";
  add("attachments", isListed(names, "EmbeddedFiles") || catalog.has(PDFName.of("AF")));
  add("scripts", isListed(names, "JavaScript") || has(catalog, "AA"));
  add("scripts", isAction(catalog.lookup(PDFName.of("OpenAction"))));
  // Those of our own PDFs say nothing else than those of the copy.
  add("metadata", catalog.has(PDFName.of("Metadata")) && producer !== PRODUCER);
  add("fields", (entry(form, "Fields", PDFArray)?.size() ?? 0) > 0);
  for (const { source: { dict } } of copies) {
    add("scripts", has(dict, "AA"));
    add("attachments", dict.has(PDFName.of("AF")));
    const annotations = entry(dict, "Annots", PDFArray);
    for (const [i, annotation] of itemsOf(annotations).entries()) {
      if (!(annotation instanceof PDFDict)) continue;
      const subtype = nameOf(annotation, "Subtype") ?? "";
      if (subtype === "Link") {
        const ref = annotations!.get(i);
        add("links", has(annotation, "A") && !(ref instanceof PDFRef && links.has(ref)));
      } else if (subtype === "FileAttachment") found.add("attachments");
      else if (MEDIA.has(subtype)) found.add("media");
      else if (subtype === "Widget") add("scripts", has(annotation, "A", "AA"));
      else add("comments", annotation.has(PDFName.of("Contents")));
    }
  }
  return LEFT_OUT_NAMES.filter((name) => found.has(name));
}

/** Returns whether a tree of names is not empty. */
function isListed(names: PDFDict | undefined, key: string): boolean {
  const tree = entry(names, key, PDFDict);
  return ["Names", "Kids"].some((kids) => (entry(tree, kids, PDFArray)?.size() ?? 0) > 0);
}
