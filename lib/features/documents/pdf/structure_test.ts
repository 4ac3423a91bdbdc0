import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  decodePDFRawStream,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { createPdf, DETAILS, readTags, taggedPdf } from "../testing/pdfs.ts";
import { fonts } from "../testing/run_here.ts";
import { coverSheet, stampPdf } from "./stamp.ts";

async function issue(pdf: PDFDocument): Promise<Uint8Array> {
  const stamped = await stampPdf(await pdf.save(), DETAILS, fonts);
  if (stamped.unchanged) throw new Error("It counts as signed.");
  return stamped.bytes;
}

const FIRST = 'Document(H1("Kop") P@nl-BE("Alinea") Link("Zie verder" object)';

Deno.test("the copy of a tagged PDF has its tags and its language, and a final page in English titled by what it is", async () => {
  const original = await taggedPdf();
  const tags = await readTags(await original.save());
  assertStringIncludes(tags[0], FIRST);
  const bytes = await issue(original);
  const [first, second, legal] = await readTags(bytes);
  // The field became a part of the page.
  assertStringIncludes(first, `${FIRST} Form[Naam]("Ada Lovelace")`);
  assertStringIncludes(second, 'P("Slot")');
  assertStringIncludes(
    legal,
    'P("Legal notice") H1("About this document") P("Certificate of conformity")',
  );
  assertStringIncludes(legal, 'H2("Issued on") P("22 Nov 2026, 14:05 UTC")');
  assertStringIncludes(
    legal,
    "Figure[QR code with the address https://trust.example/d/7K3M9Q2XB4TW01RA/1]()",
  );
  const { catalog } = await PDFDocument.load(bytes);
  assertEquals(catalog.lookup(PDFName.of("Lang"), PDFString).decodeText(), "nl");
  assertEquals(catalog.lookup(PDFName.of("MarkInfo"), PDFDict).toString(), "<<\n/Marked true\n>>");
});

Deno.test("screen readers skip the footer of a page", async () => {
  const bytes = await issue(await taggedPdf());
  assertEquals(/Page 1|SHA-256/.test((await readTags(bytes))[0]), false);
  const page = (await PDFDocument.load(bytes)).getPage(0);
  const content = decodePDFRawStream(page.node.Contents() as PDFRawStream).decode();
  const [footer] = new TextDecoder().decode(content).split(/\/Page-\w+ Do/);
  assertEquals(
    footer.startsWith("q 1 0 0 1 0 0 cm\n/Artifact <</Type /Pagination /Subtype /Footer>> BDC"),
    true,
  );
  assertEquals(
    footer.split("\nEMC\n").length,
    2,
    "everything before the content belongs to the footer",
  );
});

Deno.test("the copy of a PDF without tags has none, and cover sheets have tags and a language", async () => {
  const copy = await issue(await createPdf());
  assertEquals(await readTags(copy), ["", ""]);
  assertEquals((await PDFDocument.load(copy)).catalog.has(PDFName.of("MarkInfo")), false);
  const sheet = await coverSheet(DETAILS, { size: 10 });
  assertStringIncludes((await readTags(sheet))[0], 'Sect@en(P("Open Records');
  const { catalog } = await PDFDocument.load(sheet);
  assertEquals(catalog.lookup(PDFName.of("Lang"), PDFString).decodeText(), "en");
});

Deno.test("a structure tree that contains itself, and ids that are too large, are left out", async () => {
  const pdf = await taggedPdf();
  const root = pdf.catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict);
  const document = root.lookup(PDFName.of("K"), PDFDict);
  const { context } = pdf;
  const page = pdf.getPage(0).ref;
  const own = root.get(PDFName.of("K"))!;
  document.set(
    PDFName.of("K"),
    context.obj([own, { S: "P", Pg: page, K: [1e9, -1, 0.5, 0, 0, own] }]),
  );
  const [first] = await readTags(await issue(pdf));
  assertEquals(first.startsWith('Document(P("Kop")'), true, first);
});
