import type { PdfFile } from "./file.ts";
import { type Dict, type Stream, Stream as PdfStream, type Value } from "./syntax.ts";

/** A page with what it inherits. */
export interface Page {
  dict: Dict;
  resources: Value;
  /** The streams of its content. */
  contents: Stream[];
}

const MAX_NODES = 40_000;

/** Returns the pages of a PDF. */
export function pagesOf(file: PdfFile): Page[] {
  const pages: Page[] = [];
  const left: [Value, inherited: Value][] = [[file.catalog.get("Pages") ?? null, null]];
  for (let count = 0; left.length > 0 && count < MAX_NODES; count++) {
    const [node, inherited] = left.pop()!;
    const dict = file.dict(node);
    if (dict === undefined) continue;
    const resources = file.dict(dict.get("Resources")) ? dict.get("Resources")! : inherited;
    const kids = file.get(dict.get("Kids"));
    if (Array.isArray(kids)) {
      for (const kid of kids.toReversed()) left.push([kid, resources]);
    } else pages.push({ dict, resources, contents: streamsOf(file, dict.get("Contents")) });
  }
  return pages;
}

function streamsOf(file: PdfFile, value: Value | undefined): Stream[] {
  const found = file.get(value);
  const items = Array.isArray(found) ? found.map((item) => file.get(item)) : [found];
  return items.filter((item) => item instanceof PdfStream);
}
