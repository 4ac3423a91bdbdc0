import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
} from "@cantoo/pdf-lib";
import { transformBox } from "./geometry.ts";
import { boxOf, corners, entry, itemsOf, nameOf, numberOf, refOf } from "./objects.ts";
import type { CopiedPage } from "./pages.ts";
import type { TagTree } from "./tags.ts";

const ENTRIES = [
  "Type",
  "S",
  "P",
  "Pg",
  "ID",
  "A",
  "C",
  "T",
  "Lang",
  "Alt",
  "E",
  "ActualText",
  "NS",
];

const ROOT_ENTRIES = ["Type", "RoleMap", "ClassMap", "IDTree", "Namespaces"];

/** The largest id of marked content. */
const MAX_ID = 65_535;

/**
 * Adapts a structure tree to the copies of pages, in which the content is a form XObject, and form values
 * that were annotations are parts of the page.
 */
export class StructureAdapter {
  readonly elements: Set<PDFDict>;
  readonly #tree: TagTree;
  /** By the references to the original's pages. */
  readonly #pages: ReadonlyMap<PDFRef, CopiedPage>;
  /** Give ids to notes. */
  readonly #notes: (() => void)[] = [];

  constructor(tree: TagTree, pages: ReadonlyMap<PDFRef, CopiedPage>) {
    this.#tree = tree;
    this.#pages = pages;
    this.elements = new Set([tree.root]);
    this.#adapt(tree.root, tree.ref, ROOT_ENTRIES);
    // All other content has its ids.
    for (const note of this.#notes) note();
  }

  #adapt(element: PDFDict, ref: PDFRef, entries: readonly string[]): void {
    const page = this.#pages.get(refOf(element, "Pg")!);
    const array = entry(element, "K", PDFArray);
    const kids = array?.asArray() ?? [element.get(PDFName.of("K"))];
    for (const key of element.keys()) {
      if (!entries.includes(key.decodeText())) element.delete(key);
    }
    if (page !== undefined) moveBoxes(element, page);
    element.set(
      PDFName.of("K"),
      element.context.obj(kids.flatMap((kid) => this.#kid(kid, ref, page) ?? [])),
    );
  }

  /** @param page the page of the element that contains this */
  #kid(
    item: PDFObject | undefined,
    element: PDFRef,
    page: CopiedPage | undefined,
  ): PDFObject | undefined {
    const { context } = this.#tree.root;
    const kid = context.lookup(item);
    if (kid instanceof PDFNumber) return this.#content(element, page, kid.asNumber());
    if (!(kid instanceof PDFDict)) return undefined;
    const ownPage = this.#pages.get(refOf(kid, "Pg")!) ?? page;
    switch (nameOf(kid, "Type")) {
      case "MCR":
        return this.#content(element, ownPage, numberOf(kid, "MCID"), refOf(kid, "Stm"));
      case "OBJR":
        return this.#annotation(element, ownPage, refOf(kid, "Obj"));
    }
    // An element has one place. A tree that contains itself would have no end.
    if (this.elements.has(kid)) return undefined;
    this.elements.add(kid);
    kid.set(PDFName.of("P"), element);
    const ref = item instanceof PDFRef ? item : context.register(kid);
    this.#adapt(kid, ref, ENTRIES);
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
  for (const each of attributes instanceof PDFArray ? itemsOf(attributes) : [attributes]) {
    const box = each instanceof PDFDict ? boxOf(each, "BBox") : undefined;
    if (box === undefined) continue;
    const moved = element.context.obj(corners(transformBox(matrix, box)));
    (each as PDFDict).set(PDFName.of("BBox"), moved);
  }
}
