/** Makes the PDF of the standard accessible, by completing the tags of Chromium. */
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
} from "@cantoo/pdf-lib";

/**
 * Completes the tags that Chromium writes, as PDF/UA requires them: it leaves footers and backgrounds without
 * a mark, links without a description, and list items without a body.
 *
 * @param titles what links to a place in the document say, by the place's name
 */
export function completeTags(pdf: PDFDocument, titles: Readonly<Record<string, string>>): void {
  for (const page of pdf.getPages()) {
    const ref = page.node.get(PDFName.of("Contents"));
    const contents = page.node.Contents();
    if (!(ref instanceof PDFRef && contents instanceof PDFRawStream)) {
      throw new Error("A page has several contents.");
    }
    const text = new TextDecoder("latin1").decode(decodePDFRawStream(contents).decode());
    pdf.context.assign(ref, pdf.context.flateStream(withArtifacts(text)));
    for (const ref of page.node.Annots()?.asArray() ?? []) {
      const link = pdf.context.lookup(ref, PDFDict);
      const place = link.lookupMaybe(PDFName.of("Dest"), PDFName)?.decodeText() ?? "";
      if (titles[place] === undefined) throw new Error(`A link leads to ${place || "the web"}.`);
      link.set(PDFName.of("Contents"), PDFHexString.fromText(titles[place]));
    }
  }
  const root = pdf.catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict);
  root.set(PDFName.of("RoleMap"), pdf.context.obj({ Em: "Span", Strong: "Span" })); // new in PDF 2.0
  addBodies(pdf);
}

const FOOTER = "/Artifact <</Type /Pagination /Subtype /Footer>> BDC";

/** Marks what is drawn outside of all marks. Only footers have text there. */
export function withArtifacts(content: string): string {
  const lines: string[] = [];
  let depth = 0;
  /** Where the path begins that is not drawn yet. */
  let path: number | undefined;
  for (const line of content.split("\n")) {
    const operator = line.match(/[A-Za-z*]+$/)?.[0] ?? "";
    if (/^(BDC|BMC)$/.test(operator)) depth++;
    if (operator === "EMC") depth--;
    if (depth > 0) {
      lines.push(line);
      continue;
    }
    if (/^(re|m)$/.test(operator)) path ??= lines.length;
    if (operator === "BT") lines.push(FOOTER);
    if (/^(Do|sh)$/.test(operator)) lines.push("/Artifact BMC");
    lines.push(line);
    const isDrawn = /^([fFBb]\*?|[Ss])$/.test(operator);
    if (isDrawn && path !== undefined) lines.splice(path, 0, "/Artifact BMC");
    if (isDrawn || /^(ET|Do|sh)$/.test(operator)) lines.push("EMC");
    if (isDrawn || operator === "n") path = undefined;
  }
  return lines.join("\n");
}

/** Puts what list items contain besides their labels into a body. */
function addBodies({ context }: PDFDocument): void {
  const kidsKey = PDFName.of("K");
  for (const [ref, item] of context.enumerateIndirectObjects()) {
    if (!(item instanceof PDFDict) || item.get(PDFName.of("S")) !== PDFName.of("LI")) continue;
    const kids = item.lookup(kidsKey);
    const all = kids instanceof PDFArray ? kids.asArray() : [item.get(kidsKey)!];
    const isLabel = (kid: PDFObject) => {
      const element = context.lookup(kid);
      return element instanceof PDFDict && element.get(PDFName.of("S")) === PDFName.of("Lbl");
    };
    const content = all.filter((kid) => !isLabel(kid));
    const body = context.register(
      context.obj({ Type: "StructElem", S: "LBody", P: ref, K: content }),
    );
    for (const kid of content) {
      const element = context.lookup(kid);
      if (kid instanceof PDFRef && element instanceof PDFDict) {
        element.set(PDFName.of("P"), body);
      }
    }
    item.set(kidsKey, context.obj([...all.filter(isLabel), body]));
  }
}
