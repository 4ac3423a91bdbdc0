/**
 * Copies links, and where they lead.
 *
 * @module
 */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { apply, intersection, transformBox } from "../write/geometry.ts";
import { borderOf } from "./border.ts";
import type { CopiedPage } from "./pages.ts";
import { isShown, layerOf } from "./annotations.ts";
import type { ContentCopier } from "./copy.ts";
import { boxOf, entry, hasText, itemsOf, nameOf, textIn } from "../read/source.ts";

const WEB_OR_MAIL = /^(https?|mailto):$/;

/** The most nodes of the tree with the names of destinations. */
const MAX_NODES = 20_000;

/**
 * Adds the links of the original to the copied pages: those to another page, and those to web and mail
 * addresses. Each stays on its text, and none can be outside of the original's page, such as on the
 * footer. Borders are kept even without their links.
 *
 * @returns the copies of links by the references to their originals
 */
export function addLinks(
  context: PDFContext,
  pages: readonly CopiedPage[],
  destinations: Destinations,
  copier: ContentCopier,
): Map<PDFRef, PDFRef> {
  const links = new Map<PDFRef, PDFRef>();
  for (const { source, page: { node }, matrix } of pages) {
    const annotations = entry(source.dict, "Annots", PDFArray);
    for (const [i, annotation] of itemsOf(annotations).entries()) {
      if (!(annotation instanceof PDFDict) || nameOf(annotation, "Subtype") !== "Link") continue;
      const rect = boxOf(entry(annotation, "Rect", PDFArray));
      const visible = rect && intersection(rect, source.box);
      const target = destinations.targetOf(annotation);
      if (visible === undefined || !isShown(annotation, false)) continue;
      const { border, isDrawn } = borderOf(annotation, Math.hypot(matrix[0], matrix[1]));
      if (target === undefined && !isDrawn) continue;
      const { left, bottom, width, height } = transformBox(matrix, visible);
      const link = context.obj({
        Type: "Annot",
        Subtype: "Link",
        Rect: [left, bottom, left + width, bottom + height],
        F: 4,
        ...border,
        ...target,
      });
      const text = annotation.lookup(PDFName.of("Contents"));
      if (text !== undefined && hasText(annotation, "Contents")) {
        link.set(PDFName.of("Contents"), text);
      }
      const layer = layerOf(annotation);
      if (layer !== undefined) link.set(PDFName.of("OC"), copier.content(layer));
      const ref = context.register(link);
      node.addAnnot(ref);
      node.set(PDFName.of("Tabs"), PDFName.of("S"));
      const original = annotations!.get(i);
      if (target !== undefined && original instanceof PDFRef) links.set(original, ref);
    }
  }
  return links;
}

/** The entries of a link or bookmark that tell where it leads to. */
export type Target = Record<string, PDFObject | PDFObject[]>;

/** Where links and bookmarks lead to. */
export class Destinations {
  readonly #context: PDFContext;
  readonly #pages: ReadonlyMap<PDFRef, CopiedPage>;
  readonly #named: Map<string, PDFObject>;

  constructor(catalog: PDFDict, context: PDFContext, pages: ReadonlyMap<PDFRef, CopiedPage>) {
    this.#context = context;
    this.#pages = pages;
    this.#named = namedDestinations(catalog);
  }

  /** Returns where a link or bookmark leads to; undefined for another kind of action. */
  targetOf(link: PDFDict): Target | undefined {
    const action = entry(link, "A", PDFDict);
    const kind = nameOf(action, "S");
    if (kind === "URI") {
      const url = URL.parse(textOf(action!.lookup(PDFName.of("URI"))) ?? "");
      return url !== null && WEB_OR_MAIL.test(url.protocol)
        ? { A: this.#context.obj({ S: "URI", URI: asciiString(url.href) }) }
        : undefined;
    }
    if (action !== undefined && kind !== "GoTo") return undefined;
    const place = this.#resolve(
      action?.lookup(PDFName.of("D")) ?? link.lookup(PDFName.of("Dest")),
    );
    return place && { Dest: place };
  }

  #resolve(value: PDFObject | undefined): PDFObject[] | undefined {
    const name = textOf(value);
    const found = name === undefined ? value : this.#named.get(name);
    const place = found instanceof PDFDict ? found.lookup(PDFName.of("D")) : found;
    if (!(place instanceof PDFArray)) return undefined;
    const ref = place.get(0);
    const page = ref instanceof PDFRef ? this.#pages.get(ref) : undefined;
    if (page === undefined) return undefined;
    if (place.lookup(1) !== PDFName.of("XYZ")) return [page.page.ref, PDFName.of("Fit")];
    const [x, y] = [place.lookup(2), place.lookup(3)]
      .map((item) => item instanceof PDFNumber ? item.asNumber() : undefined);
    const [newX, newY] = apply(page.matrix, [x ?? 0, y ?? 0]);
    return [
      page.page.ref,
      PDFName.of("XYZ"),
      x === undefined ? PDFNull : PDFNumber.of(newX),
      y === undefined ? PDFNull : PDFNumber.of(newY),
      PDFNull,
    ];
  }
}

/** Returns the places in a document that have names. */
function namedDestinations(catalog: PDFDict): Map<string, PDFObject> {
  const named = new Map<string, PDFObject>();
  const old = entry(catalog, "Dests", PDFDict);
  for (const key of old?.keys() ?? []) {
    const place = old!.lookup(key);
    if (place !== undefined) named.set(key.decodeText(), place);
  }
  const seen = new Set<PDFObject>();
  const left: (PDFObject | undefined)[] = [
    entry(entry(catalog, "Names", PDFDict), "Dests", PDFDict),
  ];
  while (left.length > 0 && seen.size < MAX_NODES) {
    const node = left.pop();
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    left.push(...itemsOf(entry(node, "Kids", PDFArray)));
    const pairs = itemsOf(entry(node, "Names", PDFArray));
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const [name, place] = [textOf(pairs[i]), pairs[i + 1]];
      if (name !== undefined && place !== undefined) named.set(name, place);
    }
  }
  return named;
}

const textOf = (value: PDFObject | undefined): string | undefined =>
  value instanceof PDFName ? value.decodeText() : textIn(value);

const asciiString = (text: string): PDFString => PDFString.of(text.replace(/[\\()]/g, "\\$&"));
