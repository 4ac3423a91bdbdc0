/**
 * Keeps what viewers need from the catalog of the original, such as the labels of pages.
 *
 * @module
 */
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFString,
  ReadingDirection,
} from "@cantoo/pdf-lib";
import type { ContentCopier } from "./copy.ts";
import { entry, itemsOf, nameOf, type Source, textIn } from "../read/source.ts";

/** The most nodes of the tree with the labels of pages. */
const MAX_NODES = 1_000;

/** The label of the final page, in a document whose pages have some. */
const FINAL_LABEL = "About";

/** Keeps what the catalog says of the pages: their labels, their direction, and the colours of a printer. */
export function keepCatalog(
  { catalog, pages }: Source,
  pdf: PDFDocument,
  copier: ContentCopier,
): void {
  const intents = entry(catalog, "OutputIntents", PDFArray);
  if (intents !== undefined) pdf.catalog.set(PDFName.of("OutputIntents"), copier.copy(intents));
  if (nameOf(entry(catalog, "ViewerPreferences", PDFDict), "Direction") === "R2L") {
    pdf.catalog.getOrCreateViewerPreferences().setReadingDirection(ReadingDirection.R2L);
  }
  const labels = labelsOf(entry(catalog, "PageLabels", PDFDict), pages.length);
  if (labels.length === 0) return;
  const { context } = pdf;
  const Nums = labels.flatMap(([page, label]) => [PDFNumber.of(page), context.obj(label)]);
  Nums.push(PDFNumber.of(pages.length), context.obj({ P: PDFString.of(FINAL_LABEL) }));
  pdf.catalog.set(PDFName.of("PageLabels"), context.obj({ Nums }));
}

type Label = Record<string, PDFObject>;

/** Returns the labels with the pages that they begin at, from 0. */
function labelsOf(tree: PDFDict | undefined, pages: number): [page: number, label: Label][] {
  const labels = new Map<number, Label>();
  const seen = new Set<PDFObject>();
  const left: (PDFObject | undefined)[] = [tree];
  while (left.length > 0 && seen.size < MAX_NODES) {
    const node = left.pop();
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    left.push(...itemsOf(entry(node, "Kids", PDFArray)));
    const pairs = itemsOf(entry(node, "Nums", PDFArray));
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const [page, label] = [pairs[i], pairs[i + 1]];
      if (!(page instanceof PDFNumber) || !(label instanceof PDFDict)) continue;
      if (page.asNumber() < pages) labels.set(page.asNumber(), labelOf(label));
    }
  }
  return [...labels].sort(([a], [b]) => a - b);
}

/** Returns the style, the prefix and the first number of a label. */
function labelOf(dict: PDFDict): Label {
  const [style, prefix, first] = ["S", "P", "St"].map((key) => dict.lookup(PDFName.of(key)));
  return {
    ...style instanceof PDFName && { S: style },
    ...prefix !== undefined && textIn(prefix) !== undefined && { P: prefix },
    ...first instanceof PDFNumber && { St: first },
  };
}
