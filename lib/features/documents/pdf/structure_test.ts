import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  decodePDFRawStream,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { Buffer } from "node:buffer";
import { createPdf, DETAILS, readOutline, readTags, taggedPdf } from "../testing/pdfs.ts";
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

Deno.test("a copy has one document below the root of its tags, whatever its original has", async () => {
  const pdf = await taggedPdf();
  const { catalog, context } = pdf;
  const root = catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict);
  const document = root.lookup(PDFName.of("K"), PDFDict);
  const tagsAs = async (type: string, roles: Record<string, string>) => {
    document.set(PDFName.of("S"), PDFName.of(type));
    root.set(PDFName.of("RoleMap"), context.obj(roles));
    return (await readTags(await issue(pdf)))[0];
  };
  assertStringIncludes(await tagsAs("Part", {}), 'Document(Part(Kop("Kop")');
  assertMatch(await tagsAs("Stuk", { Stuk: "Document" }), /^Document\(Kop/);
});

Deno.test("a field that is a part of its page says what kind of field it is", async () => {
  const pdf = await taggedPdf();
  const form = pdf.getForm();
  const [page] = pdf.getPages();
  form.createCheckBox("one").addToPage(page, { x: 50, y: 200 });
  const checked = form.createCheckBox("two");
  checked.addToPage(page, { x: 80, y: 200 });
  checked.check();
  const copy = await PDFDocument.load(await issue(pdf));
  const kinds = copy.context.enumerateIndirectObjects().flatMap(([, object]) => {
    if (!(object instanceof PDFDict) || String(object.get(PDFName.of("S"))) !== "/Form") return [];
    return [String(object.lookup(PDFName.of("A"))).replace(/[\s[\]<>]+/g, " ").trim()];
  });
  assertEquals(kinds.sort(), [
    "/O /PrintField /Role /cb /checked /off",
    "/O /PrintField /Role /cb /checked /on",
    "/O /PrintField /Role /tv",
  ]);
});

Deno.test("the bookmark of the final page has a language in a document in another one", async () => {
  const pdf = await taggedPdf();
  for (const [language, begins] of [["nl", "\u001ben\u001bAbout"], ["en-AU", "About"]]) {
    pdf.catalog.set(PDFName.of("Lang"), PDFString.of(language));
    const bytes = await issue(pdf);
    const { context, catalog } = await PDFDocument.load(bytes);
    const outlines = catalog.lookup(PDFName.of("Outlines"), PDFDict);
    const item = context.lookup(outlines.get(PDFName.of("Last")), PDFDict);
    const title = item.lookup(PDFName.of("Title"), PDFHexString);
    assertEquals(
      Buffer.from(title.asBytes()).swap16().toString("utf16le").slice(1),
      `${begins} this document`,
    );
    assertEquals(await readOutline(bytes), ["About this document → 3"]);
  }
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
