import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { encodeHex } from "../../../base/bytes.ts";
import { transformBox } from "./geometry.ts";
import { boxOf, corners, entry, itemsOf, nameOf, numberOf, refOf } from "./objects.ts";
import type { CopiedPage } from "./pages.ts";
import type { TagTree } from "./tags.ts";

/** Entries of elements, besides those that lead to other elements and to content. */
const ENTRIES = ["S", "ID", "A", "C", "T", "Lang", "Alt", "E", "ActualText", "NS"];

/** Entries of the root, besides those that lead to elements. */
const ROOT_ENTRIES = ["RoleMap", "ClassMap", "Namespaces"];

/** The largest id of marked content. */
const MAX_ID = 65_535;

/**
 * Copies the structure tree of the original. In the copies of pages, the content is a form XObject, and
 * form values that were annotations are parts of the page. The elements are new objects, because in a
 * crafted file, others use those of the original too, such as the states of layers.
 */
export class StructureCopier {
  readonly elements = new Set<PDFDict>();
  readonly #tree: TagTree;
  /** The copies of pages, by the references to the originals. */
  readonly #pages: ReadonlyMap<PDFRef, CopiedPage>;
  /** The elements of the original that were copied. */
  readonly #seen = new Set<PDFDict>();
  /** The ids of elements, in hexadecimal. */
  readonly #ids: [id: string, element: PDFRef][] = [];
  /** Functions that give ids to notes. */
  readonly #notes: (() => void)[] = [];

  constructor(tree: TagTree, original: PDFDict, pages: ReadonlyMap<PDFRef, CopiedPage>) {
    this.#tree = tree;
    this.#pages = pages;
    this.#copy(original, tree.root, tree.ref, ROOT_ENTRIES);
    // All other content has its ids.
    for (const note of this.#notes) note();
    const { context } = tree.root;
    const ids = this.#ids.sort(([a], [b]) => a < b ? -1 : 1);
    const names = ids.flatMap(([id, element]) => [PDFHexString.of(id), element]);
    tree.root.set(PDFName.of("IDTree"), context.obj({ Names: names }));
  }

  #copy(original: PDFDict, element: PDFDict, ref: PDFRef, entries: readonly string[]): void {
    this.#seen.add(original);
    this.elements.add(element);
    for (const key of entries.map(PDFName.of)) {
      const value = original.get(key);
      if (value !== undefined) element.set(key, value);
    }
    const page = this.#pages.get(refOf(original, "Pg")!);
    if (page !== undefined) {
      element.set(PDFName.of("Pg"), page.ref);
      moveBoxes(element, page);
    }
    const kids = entry(original, "K", PDFArray)?.asArray() ?? [original.get(PDFName.of("K"))];
    const copied = kids.flatMap((kid) => this.#kid(kid, ref, page) ?? []);
    element.set(PDFName.of("K"), element.context.obj(copied));
  }

  /** @param page the page of the element that contains this */
  #kid(
    item: PDFObject | undefined,
    parent: PDFRef,
    page: CopiedPage | undefined,
  ): PDFObject | undefined {
    const { context } = this.#tree.root;
    const kid = context.lookup(item);
    if (kid instanceof PDFNumber) return this.#content(parent, page, kid.asNumber());
    if (!(kid instanceof PDFDict)) return undefined;
    const ownPage = this.#pages.get(refOf(kid, "Pg")!) ?? page;
    switch (nameOf(kid, "Type")) {
      case "MCR":
        return this.#content(parent, ownPage, numberOf(kid, "MCID"), refOf(kid, "Stm"));
      case "OBJR":
        return this.#annotation(parent, ownPage, refOf(kid, "Obj"));
    }
    // An element has one place. A tree that contains itself would have no end.
    if (this.#seen.has(kid)) return undefined;
    const element: PDFDict = context.obj({ Type: "StructElem", P: parent });
    const ref = context.register(element);
    const id = kid.lookup(PDFName.of("ID"));
    if (id instanceof PDFString || id instanceof PDFHexString) {
      this.#ids.push([encodeHex(id.asBytes()), ref]);
    }
    this.#copy(kid, element, ref, ENTRIES);
    return ref;
  }

  /** Returns a reference to a part of a page's content, or of another stream. */
  #content(
    element: PDFRef,
    page: CopiedPage | undefined,
    id = NaN,
    ref = page?.content,
  ): PDFObject | undefined {
    const { context } = this.#tree.root;
    const stream = context.lookup(ref);
    if (page === undefined || !(stream instanceof PDFRawStream)) return undefined;
    if (!Number.isInteger(id) || id < 0 || id > MAX_ID) return undefined;
    // Viewers look for the elements of a page's content in those of the page.
    const owner = ref === page.content ? page.node : stream.dict;
    if (this.#tree.addContent(owner, element, id) === undefined) return undefined;
    const key = PDFName.of("StructParents");
    stream.dict.set(key, owner.get(key)!);
    return context.obj({ Type: "MCR", Pg: page.ref, Stm: ref, MCID: id });
  }

  /** Returns a reference to a link, or to the part of a page that was an annotation. */
  #annotation(
    element: PDFRef,
    page: CopiedPage | undefined,
    original: PDFRef | undefined,
  ): PDFObject | undefined {
    if (original === undefined || page === undefined) return undefined;
    const { context } = this.#tree.root;
    const link = page.links.get(original);
    if (link !== undefined) {
      this.#tree.addAnnotation(context.lookup(link, PDFDict), element);
      return context.obj({ Type: "OBJR", Pg: page.ref, Obj: link });
    }
    const note = page.notes.find(({ annotation }) => annotation === original);
    if (note === undefined) return undefined;
    const reference = context.obj({ Type: "MCR", Pg: page.ref });
    this.#notes.push(() => {
      note.id ??= this.#tree.addContent(page.node, element);
      reference.set(PDFName.of("MCID"), PDFNumber.of(note.id!));
    });
    return reference;
  }
}

/** Moves the boxes that an element's attributes state to where its content is in the copy. */
function moveBoxes(element: PDFDict, { matrix }: CopiedPage): void {
  const attributes = element.lookup(PDFName.of("A"));
  const moved = (attributes instanceof PDFArray ? itemsOf(attributes) : [attributes]).map(
    (each) => {
      const box = each instanceof PDFDict ? boxOf(each, "BBox") : undefined;
      if (box === undefined) return each;
      const copy = (each as PDFDict).clone();
      copy.set(PDFName.of("BBox"), element.context.obj(corners(transformBox(matrix, box))));
      return copy;
    },
  );
  if (attributes !== undefined) element.set(PDFName.of("A"), element.context.obj(moved));
}
