/**
 * Copies the bookmarks.
 *
 * @module
 */
import { type PDFContext, PDFDict, PDFHexString, PDFName, PDFRef } from "@cantoo/pdf-lib";
import type { Destinations, Target } from "./links.ts";
import { entry, textIn } from "../read/source.ts";

/** The most bookmarks that are copied, the longest title, and the most levels. */
const MAX_ITEMS = 5000;
const MAX_TITLE = 500;
const MAX_DEPTH = 16;

/** A bookmark. Without a target it only holds others together. */
export interface Bookmark {
  title: string;
  /** The language of the title if it is not that of the document, as two letters. */
  language?: string;
  target: Target | undefined;
  children: Bookmark[];
}

/** Returns the bookmarks of the original that lead to its pages or to web addresses. */
export function readOutline(catalog: PDFDict, destinations: Destinations): Bookmark[] {
  const seen = new Set<PDFDict>();
  return children(entry(catalog, "Outlines", PDFDict), 0);

  function children(parent: PDFDict | undefined, depth: number): Bookmark[] {
    const found: Bookmark[] = [];
    let item = entry(parent, "First", PDFDict);
    while (item !== undefined && !seen.has(item) && seen.size < MAX_ITEMS && depth < MAX_DEPTH) {
      seen.add(item);
      const title = textIn(item.lookup(PDFName.of("Title")))?.slice(0, MAX_TITLE).trim() ?? "";
      const target = destinations.targetOf(item);
      const below = children(item, depth + 1);
      if (title !== "" && (target !== undefined || below.length > 0)) {
        found.push({ title, target, children: below });
      }
      item = entry(item, "Next", PDFDict);
    }
    return found;
  }
}

/** Writes bookmarks. Those at the first level are closed. */
export function writeOutline(
  context: PDFContext,
  catalog: PDFDict,
  bookmarks: readonly Bookmark[],
): void {
  const root = context.nextRef();
  const ends = write(root, bookmarks);
  context.assign(root, context.obj({ Type: "Outlines", ...ends, Count: bookmarks.length }));
  catalog.set(PDFName.of("Outlines"), root);

  function write(parent: PDFRef, items: readonly Bookmark[]): { First?: PDFRef; Last?: PDFRef } {
    const refs = items.map(() => context.nextRef());
    for (const [i, { title, language, target, children }] of items.entries()) {
      const entries = context.obj({
        Title: PDFHexString.fromText(inLanguage(title, language)),
        Parent: parent,
        ...target,
        ...i > 0 && { Prev: refs[i - 1] },
        ...i + 1 < refs.length && { Next: refs[i + 1] },
        ...children.length > 0 && { Count: -children.length, ...write(refs[i], children) },
      });
      context.assign(refs[i], entries);
    }
    return refs.length === 0 ? {} : { First: refs[0], Last: refs.at(-1)! };
  }
}

/** Returns a text that says which language it is in (ISO 32000-1, 14.9.2.2). */
const inLanguage = (text: string, language: string | undefined): string =>
  language === undefined ? text : `\u001b${language}\u001b${text}`;
