import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFString } from "@cantoo/pdf-lib";
import { srgbProfile } from "./srgb.ts";
import { type Description, inXml, PRODUCER, writeXmp } from "./xmp.ts";

/** Sets what a PDF says about itself: to viewers and, in XMP, to archives. */
export function describe(pdf: PDFDocument, description: Description): void {
  const { context, catalog } = pdf;
  const { subject, keywords, at, changedAt = at, claims } = description;
  const [title, author] = [inXml(description.title), inXml(description.author)];
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setAuthor(author);
  if (subject !== undefined) pdf.setSubject(subject);
  if (keywords !== undefined) pdf.setKeywords([keywords]);
  pdf.setProducer(PRODUCER);
  pdf.setCreationDate(new Date(at));
  pdf.setModificationDate(new Date(changedAt));
  const xmp = new TextEncoder().encode(writeXmp({ ...description, title, author }));
  // Uncompressed, so that programs find it that know nothing of PDF.
  const metadata = context.stream(xmp, { Type: "Metadata", Subtype: "XML" });
  catalog.set(PDFName.of("Metadata"), context.register(metadata));
  if (claims.archivable) addIntent(catalog);
}

/** Says that the colours are those of sRGB, unless the PDF says what they are. */
function addIntent(catalog: PDFDict): void {
  const { context } = catalog;
  const key = PDFName.of("OutputIntents");
  const intents = catalog.lookupMaybe(key, PDFArray) ?? context.obj([]);
  const isForArchives = intents.asArray().some((_, i) =>
    intents.lookupMaybe(i, PDFDict)?.get(PDFName.of("S")) === PDFName.of("GTS_PDFA1")
  );
  if (isForArchives) return;
  intents.push(context.obj({
    Type: "OutputIntent",
    S: "GTS_PDFA1",
    OutputConditionIdentifier: PDFString.of("sRGB"),
    DestOutputProfile: context.register(context.flateStream(srgbProfile(), { N: 3 })),
  }));
  catalog.set(key, intents);
}
