/**
 * Writes the structure tree of what is drawn, by which screen readers read a PDF.
 *
 * @module
 */
import {
  type PDFArray,
  type PDFContext,
  type PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  type PDFObject,
  type PDFPage,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";

/** The language of the text that we add to a document. */
export const OUR_LANGUAGE = "en";

/** A part of a page for screen readers, such as a heading (`H1`) or a paragraph (`P`). */
export interface Tag {
  type: string;
  /** A description of a picture in words. */
  alt?: string;
  /** Further attributes, as names (ISO 32000-1, 14.8.5). */
  attributes?: Record<string, string>;
  /** The language of its text, if it is not {@link OUR_LANGUAGE}. */
  language?: string;
}

/** The largest id of marked content. The tree has an entry for each id up to a stream's largest one. */
const MAX_ID = 65_535;

/**
 * The structure tree of a PDF, in which screen readers find headings, paragraphs and links in their
 * order. Streams and annotations refer to it by keys, and parts of streams by ids.
 */
export class TagTree {
  readonly #context: PDFContext;
  readonly #root: PDFDict;
  /** By key: the element of an annotation, or the elements of a stream by id. */
  readonly #parents: (PDFRef | PDFRef[])[] = [];
  readonly root: PDFRef;
  /** The document, which is the only element below the root and contains all others. */
  document: { ref: PDFRef; kids: PDFArray };

  constructor(context: PDFContext) {
    this.#context = context;
    this.#root = context.obj({ Type: "StructTreeRoot" });
    this.root = context.register(this.#root);
    this.document = { ref: context.nextRef(), kids: context.obj([]) };
  }

  set(key: string, value: PDFObject): void {
    this.#root.set(PDFName.of(key), value);
  }

  /** Returns the key of a new stream, which becomes its entry `StructParents`. */
  addStream(): number {
    return this.#parents.push([]) - 1;
  }

  /** Returns the key of a new annotation, which becomes its entry `StructParent`. */
  addAnnotation(element: PDFRef): number {
    return this.#parents.push(element) - 1;
  }

  /** Registers the element of a part of a stream. Returns false if the id is invalid or in use. */
  addContent(stream: number, id: number, element: PDFRef): boolean {
    const elements = this.#parents[stream] as PDFRef[];
    if (!Number.isInteger(id) || id < 0 || id > MAX_ID || elements[id] !== undefined) return false;
    elements[id] = element;
    return true;
  }

  /** Returns the smallest id that is larger than all of a stream. */
  nextId(stream: number): number {
    return (this.#parents[stream] as PDFRef[]).length;
  }

  /** Appends an element for each part of a page that has none. */
  append(
    page: PDFRef,
    stream: number,
    tags: readonly Tag[],
    { firstId = 0, to: { ref, kids } = this.document } = {},
  ): void {
    for (const [i, { type, alt, language, attributes }] of tags.entries()) {
      const id = firstId + i;
      const element = this.#context.nextRef();
      if (!this.addContent(stream, id, element)) continue;
      const dict = this.#context.obj({ Type: "StructElem", S: type, P: ref, Pg: page, K: id });
      if (alt !== undefined) dict.set(PDFName.of("Alt"), PDFHexString.fromText(alt));
      if (language !== undefined) dict.set(PDFName.of("Lang"), PDFString.of(language));
      if (attributes !== undefined) dict.set(PDFName.of("A"), this.#context.obj(attributes));
      this.#context.assign(element, dict);
      kids.push(element);
    }
  }

  /** Appends a section in our language with the tags of a page that is ours. */
  appendSection({ ref: page, node }: PDFPage, tags: readonly Tag[]): void {
    const stream = this.addStream();
    node.set(PDFName.of("StructParents"), this.#context.obj(stream));
    const kids: PDFArray = this.#context.obj([]);
    const section = this.#context.register(this.#context.obj({
      Type: "StructElem",
      S: "Sect",
      P: this.document.ref,
      Lang: PDFString.of(OUR_LANGUAGE),
      K: kids,
    }));
    this.document.kids.push(section);
    this.append(page, stream, tags, { to: { ref: section, kids } });
  }

  write(catalog: PDFDict): void {
    const context = this.#context;
    const nums = this.#parents.flatMap((value, key) => [
      context.obj(key),
      Array.isArray(value)
        ? context.register(context.obj(Array.from(value, (element) => element ?? PDFNull)))
        : value,
    ]);
    const { ref: document, kids } = this.document;
    if (context.lookup(document) === undefined) {
      const element = { Type: "StructElem", S: "Document", P: this.root, K: kids };
      context.assign(document, context.obj(element));
    }
    this.set("K", document);
    this.set("ParentTree", context.register(context.obj({ Nums: nums })));
    this.set("ParentTreeNextKey", context.obj(this.#parents.length));
    catalog.set(PDFName.of("StructTreeRoot"), this.root);
  }
}
