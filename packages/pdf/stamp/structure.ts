/**
 * Copies the structure tree, by which screen readers read a PDF.
 *
 * @module
 */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
} from "@cantoo/pdf-lib";
import type { ContentCopier } from "./copy.ts";
import { transformBox } from "../write/geometry.ts";
import type { CopiedPage } from "./pages.ts";
import { boxOf, entry, nameOf, numberOf, refOf } from "../read/source.ts";
import type { TagTree } from "../write/tags.ts";

/** Entries of elements, besides those that lead to other elements and to content. */
const ENTRIES = ["ID", "A", "C", "T", "Lang", "Alt", "E", "ActualText", "NS"];

/** Entries of the root, besides those that lead to elements. */
const ROOT_ENTRIES = ["RoleMap", "ClassMap", "IDTree", "Namespaces"];

interface StructureOptions {
  from: PDFContext;
  to: PDFContext;
  copier: ContentCopier;
  tags: TagTree;
  copies: readonly CopiedPage[];
  /** The copies by the references to the original's pages. */
  pages: ReadonlyMap<PDFRef, CopiedPage>;
  /** The copies of links by the references to their originals. */
  links: ReadonlyMap<PDFRef, PDFRef>;
}

/**
 * Copies the structure tree of a PDF, in which screen readers find headings, paragraphs and links. In
 * the copy, the content of a page is a form XObject, and so are form values that were annotations.
 */
export class StructureCopier {
  readonly #options: StructureOptions;
  /** The keys of pages, and of streams that are a part of one. */
  readonly #keys = new Map<PDFRef, number>();
  /** The references to notes, which have no ids before all other content has. */
  readonly #notes: { page: CopiedPage; index: number; element: PDFRef; reference: PDFDict }[] = [];
  readonly #seen = new Set<PDFDict>();

  constructor(options: StructureOptions) {
    this.#options = options;
  }

  /** Copies everything below the root of the original's tree. */
  copy(root: PDFDict): void {
    const { copier, tags, copies } = this.#options;
    for (const key of ROOT_ENTRIES) {
      const value = root.get(PDFName.of(key));
      if (value !== undefined) tags.set(key, copier.copy(value));
    }
    const { document } = tags;
    const kids = this.#kids(root, document.ref);
    const own = kids.length === 1 ? this.#documentAt(kids[0], root) : undefined;
    if (own === undefined) kids.forEach((kid) => document.kids.push(kid));
    else tags.document = own;
    for (const copy of copies) this.#addNotes(copy);
  }

  /** Returns the only element below the root if it is the document, as it is as a rule. */
  #documentAt(ref: PDFObject, root: PDFDict): TagTree["document"] | undefined {
    const { to, tags } = this.#options;
    const dict = to.lookup(ref);
    if (!(ref instanceof PDFRef && dict instanceof PDFDict)) return undefined;
    const type = nameOf(dict, "S")!;
    const role = nameOf(entry(root, "RoleMap", PDFDict), type) ?? type;
    if (role !== "Document") return undefined;
    dict.set(PDFName.of("P"), tags.root);
    return { ref, kids: entry(dict, "K", PDFArray)! };
  }

  /** Gives ids to the notes of a page, and elements to those that have none. */
  #addNotes(copy: CopiedPage): void {
    copy.firstNote = 0;
    if (copy.notes.length === 0) return;
    const { tags } = this.#options;
    const key = this.#pageKey(copy);
    copy.firstNote = tags.nextId(key);
    for (const { page, index, element, reference } of this.#notes) {
      if (page !== copy) continue;
      const id = copy.firstNote + index;
      reference.set(PDFName.of("MCID"), PDFNumber.of(id));
      tags.addContent(key, id, element);
    }
    tags.append(copy.page.ref, key, copy.notes.map(({ tag }) => tag), { firstId: copy.firstNote });
  }

  #kids(dict: PDFDict, parent: PDFRef): PDFObject[] {
    const kids = dict.lookup(PDFName.of("K"));
    const items = kids instanceof PDFArray ? kids.asArray() : [dict.get(PDFName.of("K"))];
    return items.flatMap((item) => this.#kid(item, parent, refOf(dict, "Pg")) ?? []);
  }

  /** @param page the page of the element that contains this */
  #kid(
    item: PDFObject | undefined,
    element: PDFRef,
    page: PDFRef | undefined,
  ): PDFObject | undefined {
    const kid = this.#options.from.lookup(item);
    if (kid instanceof PDFNumber) return this.#content(element, page, kid.asNumber());
    if (!(kid instanceof PDFDict)) return undefined;
    const ownPage = refOf(kid, "Pg") ?? page;
    switch (nameOf(kid, "Type")) {
      case "MCR":
        return this.#content(element, ownPage, numberOf(kid, "MCID"), refOf(kid, "Stm"));
      case "OBJR":
        return this.#annotation(element, ownPage, refOf(kid, "Obj"));
      default:
        return this.#element(item, kid, element);
    }
  }

  #element(
    item: PDFObject | undefined,
    dict: PDFDict,
    parent: PDFRef,
  ): PDFRef | undefined {
    // An element has one place. A tree that contains itself would have no end.
    if (this.#seen.has(dict)) return undefined;
    this.#seen.add(dict);
    const { to, copier, pages } = this.#options;
    const claimed = item instanceof PDFRef ? copier.claim(item) : to.nextRef();
    // In a crafted file, an element can also be a layer, or a font that a page uses.
    const ref = to.lookup(claimed) instanceof PDFDict ? to.nextRef() : claimed;
    const copied = to.obj({ Type: "StructElem", S: nameOf(dict, "S") ?? "NonStruct", P: parent });
    for (const key of ENTRIES) {
      const value = dict.get(PDFName.of(key));
      if (value !== undefined) copied.set(PDFName.of(key), copier.copy(value));
    }
    const page = pages.get(refOf(dict, "Pg")!);
    if (page !== undefined) {
      copied.set(PDFName.of("Pg"), page.page.ref);
      moveBoxes(copied, page);
    }
    to.assign(ref, copied);
    copied.set(PDFName.of("K"), to.obj(this.#kids(dict, ref)));
    return ref;
  }

  /** Returns a reference to a part of a page's content, or of another stream. */
  #content(
    element: PDFRef,
    pageRef: PDFRef | undefined,
    id: number | undefined,
    stream?: PDFRef,
  ): PDFObject | undefined {
    const { to, copier, tags, pages } = this.#options;
    const page = pages.get(pageRef!);
    const copied = stream === undefined ? page?.content : copier.copy(stream);
    if (page === undefined || id === undefined || !(copied instanceof PDFRef)) return undefined;
    if (!(to.lookup(copied) instanceof PDFRawStream)) return undefined;
    const key = stream === undefined ? this.#pageKey(page) : this.#streamKey(copied);
    if (!tags.addContent(key, id, element)) return undefined;
    return to.obj({ Type: "MCR", Pg: page.page.ref, Stm: copied, MCID: id });
  }

  /** Returns a reference to a link, or to the part of the page that was an annotation. */
  #annotation(
    element: PDFRef,
    pageRef: PDFRef | undefined,
    annotation: PDFRef | undefined,
  ): PDFObject | undefined {
    const { to, tags, pages, links } = this.#options;
    const page = pages.get(pageRef!);
    if (page === undefined) return undefined;
    const link = links.get(annotation!);
    if (link !== undefined) {
      (to.lookup(link) as PDFDict).set(
        PDFName.of("StructParent"),
        PDFNumber.of(tags.addAnnotation(element)),
      );
      return to.obj({ Type: "OBJR", Pg: page.page.ref, Obj: link });
    }
    const index = page.notes.findIndex(({ original }) => original === annotation);
    if (annotation === undefined || index === -1) return undefined;
    const reference = to.obj({ Type: "MCR", Pg: page.page.ref });
    const { attributes } = page.notes[index].tag;
    if (attributes !== undefined) addAttributes(to.lookup(element, PDFDict), attributes);
    this.#notes.push({ page, index, element, reference });
    return reference;
  }

  /** Returns the key of a page and its content. Some viewers only know the keys of pages. */
  #pageKey({ page: { ref, node }, content }: CopiedPage): number {
    const key = this.#keys.get(ref) ?? this.#options.tags.addStream();
    this.#keys.set(ref, key);
    node.set(PDFName.of("StructParents"), PDFNumber.of(key));
    if (content !== undefined) this.#streamKey(content, key);
    return key;
  }

  #streamKey(ref: PDFRef, key = this.#keys.get(ref) ?? this.#options.tags.addStream()): number {
    this.#keys.set(ref, key);
    const stream = this.#options.to.lookup(ref) as PDFRawStream;
    stream.dict.set(PDFName.of("StructParents"), PDFNumber.of(key));
    return key;
  }
}

function addAttributes(element: PDFDict, attributes: Record<string, string>): void {
  const before = element.lookup(PDFName.of("A"));
  const all = before instanceof PDFArray ? before.asArray() : before === undefined ? [] : [before];
  element.set(PDFName.of("A"), element.context.obj([...all, attributes]));
}

/** Moves the boxes that an element's attributes state to where its content is in the copy. */
function moveBoxes(element: PDFDict, { matrix }: CopiedPage): void {
  const { context } = element;
  const key = PDFName.of("A");
  /** Returns a new object, because attributes in a crafted file can also be what a page shows. */
  const moved = (item: PDFObject): PDFObject => {
    const attributes = context.lookup(item);
    const box = attributes instanceof PDFDict
      ? boxOf(entry(attributes, "BBox", PDFArray))
      : undefined;
    if (box === undefined) return item;
    const { left, bottom, width, height } = transformBox(matrix, box);
    const copied = (attributes as PDFDict).clone();
    copied.set(PDFName.of("BBox"), context.obj([left, bottom, left + width, bottom + height]));
    return copied;
  };
  const value = element.lookup(key);
  if (value instanceof PDFArray) element.set(key, context.obj(value.asArray().map(moved)));
  else if (value !== undefined) element.set(key, moved(element.get(key)!));
}
