import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFPage,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { entry, nameOf } from "./objects.ts";

/** The language of the text that we add to a document. */
export const OUR_LANGUAGE = "en";

/** A part of a page for screen readers, such as a heading (`H1`) or a paragraph (`P`). */
export interface Tag {
  type: string;
  /** A description of a picture in words. */
  alt?: string;
}

/**
 * The structure tree of a PDF, in which screen readers find headings, paragraphs and links in their
 * order. Elements refer to parts of pages by ids, and pages to their elements by keys.
 */
export class TagTree {
  readonly root: PDFDict;
  readonly ref: PDFRef;
  /** The element of an annotation, or the elements of a page or another stream by id; by their key. */
  readonly #parents: (PDFRef | PDFRef[])[] = [];
  readonly #keys = new Map<PDFDict, number>();

  constructor(context: PDFContext) {
    this.root = context.obj({ Type: "StructTreeRoot", K: [] });
    this.ref = context.register(this.root);
  }

  /** Sets the element of an annotation. */
  addAnnotation(annotation: PDFDict, element: PDFRef): void {
    const key = this.#parents.push(element) - 1;
    annotation.set(PDFName.of("StructParent"), PDFNumber.of(key));
  }

  /**
   * Sets the element of a part of a page or another stream.
   *
   * @param id by default, the next one
   * @returns the id; undefined if it is in use
   */
  addContent(owner: PDFDict, element: PDFRef, id?: number): number | undefined {
    let key = this.#keys.get(owner);
    if (key === undefined) {
      this.#keys.set(owner, key = this.#parents.push([]) - 1);
      owner.set(PDFName.of("StructParents"), PDFNumber.of(key));
    }
    const elements = this.#parents[key] as PDFRef[];
    const at = id ?? elements.length;
    if (elements[at] !== undefined) return undefined;
    elements[at] = element;
    return at;
  }

  /** Appends a section in our language with the tags of a page that is ours. */
  appendSection({ ref: page, node }: PDFPage, tags: readonly Tag[]): void {
    const { context } = this.root;
    const { ref: parent, kids: sections } = this.#top();
    const kids: PDFArray = context.obj([]);
    const entries = { S: "Sect", P: parent, Lang: PDFString.of(OUR_LANGUAGE), K: kids };
    const section = context.register(context.obj({ Type: "StructElem", ...entries }));
    sections.push(section);
    for (const { type, alt } of tags) {
      const element = context.nextRef();
      const id = this.addContent(node, element)!;
      const dict = context.obj({ Type: "StructElem", S: type, P: section, Pg: page, K: id });
      if (alt !== undefined) dict.set(PDFName.of("Alt"), PDFHexString.fromText(alt));
      context.assign(element, dict);
      kids.push(element);
    }
  }

  /** Returns the only element below the root, which is the document as a rule, or else the root. */
  #top(): { ref: PDFRef; kids: PDFArray } {
    const kids = entry(this.root, "K", PDFArray)!;
    const document = kids.lookup(0);
    return kids.size() === 1 && document instanceof PDFDict && nameOf(document, "S") === "Document"
      ? { ref: kids.get(0) as PDFRef, kids: entry(document, "K", PDFArray)! }
      : { ref: this.ref, kids };
  }

  /** Adds the tree to a catalog. */
  write(catalog: PDFDict): void {
    const { context } = this.root;
    const nums = this.#parents.flatMap((value, key) => [
      PDFNumber.of(key),
      Array.isArray(value) ? Array.from(value, (element) => element ?? PDFNull) : value,
    ]);
    this.root.set(PDFName.of("ParentTree"), context.register(context.obj({ Nums: nums })));
    this.root.set(PDFName.of("ParentTreeNextKey"), PDFNumber.of(this.#parents.length));
    catalog.set(PDFName.of("StructTreeRoot"), this.ref);
  }
}
