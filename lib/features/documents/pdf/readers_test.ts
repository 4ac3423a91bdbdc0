import { assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { PDFArray, PDFDict, PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { issuePdf } from "../issue_pdf.ts";
import { createPdf, DETAILS, signedPdf } from "../testing/pdfs.ts";
import { SMALL_PDFS, withTable } from "../testing/small_pdfs.ts";
import { runJob } from "./job.ts";

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

async function outcomeOf(text: string | Uint8Array): Promise<string> {
  const bytes = typeof text === "string" ? new Uint8Array(Buffer.from(text, "latin1")) : text;
  const result = await issuePdf(bytes, DETAILS, runJob);
  return result.ok ? "issued" : `${result.error}: ${result.message}`;
}

/** Adds an update that defines the content again. */
function updated(text: string): string {
  const at = text.length;
  const content = "BT /F1 40 Tf 60 500 Td (Diploma) Tj ET";
  const object = `4 0 obj << /Length ${content.length} >> stream\n${content}\nendstream endobj\n`;
  const before = /startxref\n(\d+)/.exec(text)![1];
  return `${text}${object}xref\n4 1\n${
    String(at).padStart(10, "0")
  } 00000 n \ntrailer << /Root 1 0 R /Size 7 /Prev ${before} >>\n` +
    `startxref\n${at + object.length}\n%%EOF\n`;
}

const PLAIN = latin1(withTable([...SMALL_PDFS.text, "null"]));
const row = (number: number) => RegExp(`(?<=xref\n0 7\n(?:.{20}){${number}})\\d{10}`, "s");

/** Ways in which a file deviates from the standard, without an update and with one. */
const DEVIATIONS: Record<
  string,
  [change: (text: string) => string, plain: RegExp, update: RegExp]
> = {
  "nothing": [(text) => text, /^issued/, /^issued/],
  "an entry in use at offset 0, of an object that is nowhere": [
    (text) => text.replace("0 7\n", "0 8\n").replace("trailer", "0000000000 00000 n \ntrailer"),
    /^issued/,
    /^issued/,
  ],
  "an entry in use at offset 0, of an object that is somewhere": [
    (text) => text.replace(row(6), "0000000000"),
    /^damaged/,
    /^damaged/,
  ],
  "objects that are numbered from 1": [
    (text) => text.replace("xref\n0 7", "xref\n1 7"),
    /^issued/,
    /^issued/,
  ],
  "a wrong offset, so that viewers search the file": [
    (text) => text.replace(row(5), "0000000007"),
    /^issued/,
    /^damaged/,
  ],
  "a page without a size": [
    (text) => text.replace(/\/MediaBox \[[^\]]*\]/, (box) => " ".repeat(box.length)),
    /^damaged: Page 1: it has no size/,
    /^damaged: Page 1: it has no size/,
  ],
};

for (const [name, [change, plain, update]] of Object.entries(DEVIATIONS)) {
  const [first, second] = [plain, update].map(({ source }) => source.slice(1, 8));
  Deno.test(`a PDF with ${name}: ${first}, and with an update: ${second}`, async () => {
    const text = change(PLAIN);
    assertEquals(name === "nothing" || text !== PLAIN, true);
    assertMatch(await outcomeOf(text), plain);
    assertMatch(await outcomeOf(updated(text)), update);
  });
}

Deno.test("pages that are too large or turned, and signed files that are encrypted, say what is wrong", async () => {
  const large = await createPdf([{}, { size: [14_401, 500] }]);
  assertMatch(await outcomeOf(await large.save()), /^page_too_large: A page is larger than 14,400/);
  const turned = await createPdf([{}, {}]);
  turned.getPage(1).node.set(PDFName.of("Rotate"), turned.context.obj(45));
  assertMatch(await outcomeOf(await turned.save()), /^damaged: Page 2: it is turned by 45°/);
  const signed = await PDFDocument.load(await signedPdf(1));
  await signed.encrypt({ userPassword: "", ownerPassword: "owner" });
  assertMatch(
    await outcomeOf(await signed.save({ useObjectStreams: false })),
    /^encrypted_signed: .*removing the protection would break/,
  );
});

Deno.test("a content that is missing, or that ends in a damaged endstream, is refused", async () => {
  assertMatch(await outcomeOf(PLAIN.replace("\nendstream", "\nendstreax")), /^damaged/);
  assertMatch(await outcomeOf(PLAIN.replace("/Contents 4 0 R", "/Contents 9 0 R")), /^damaged/);
});

Deno.test("a form without resources has those of its page", async () => {
  const bodies = SMALL_PDFS.form.map((body) =>
    body.replace("/Resources << /Font << /F1 6 0 R >> >>", "")
  )
    .with(2, SMALL_PDFS.form[2].replace("/XObject", "/Font << /F1 6 0 R >> /XObject"));
  assertEquals(await outcomeOf(withTable(bodies)), "issued");
});

Deno.test("the transparency group of a page is that of its copy", async () => {
  const bodies = SMALL_PDFS.transparency.with(
    2,
    SMALL_PDFS.transparency[2].replace(
      "/Contents",
      "/Group << /S /Transparency /CS /DeviceCMYK >> /Contents",
    ),
  );
  const copy = await copyOf(withTable(bodies));
  const group = copy.getPage(0).node.lookup(PDFName.of("Group"), PDFDict);
  assertEquals(String(group.get(PDFName.of("CS"))), "/DeviceCMYK");
});

async function copyOf(original: Uint8Array): Promise<PDFDocument> {
  const result = await issuePdf(original, DETAILS, runJob);
  if (!result.ok || result.unchanged) throw new Error("It was not issued.");
  return await PDFDocument.load(result.bytes, { updateMetadata: false });
}

Deno.test("labels of pages, the direction of reading and output intents are kept", async () => {
  const pdf = await createPdf([{}, {}]);
  const { context, catalog } = pdf;
  const entries = {
    PageLabels: { Nums: [0, { S: "r" }, 1, { S: "D", St: 5 }] },
    ViewerPreferences: { Direction: "R2L" },
    OutputIntents: [{ Type: "OutputIntent", S: "GTS_PDFA1" }],
  };
  for (const [key, value] of Object.entries(entries)) {
    catalog.set(PDFName.of(key), context.obj(value as never));
  }
  const copy = await copyOf(await pdf.save());
  assertEquals(
    String(copy.catalog.lookup(PDFName.of("PageLabels"), PDFDict).lookup(PDFName.of("Nums")))
      .replace(/\s+/g, " "),
    "[ 0 << /S /r >> 1 << /S /D /St 5 >> 2 << /P (About) >> ]",
  );
  assertEquals(copy.catalog.getViewerPreferences()?.getReadingDirection(), "R2L");
  assertEquals(copy.catalog.lookup(PDFName.of("OutputIntents"), PDFArray).size(), 1);
});

Deno.test("a copy names what it leaves out, and nothing if it leaves nothing out", async () => {
  const leftOut = async (pdf: PDFDocument) => {
    const result = await issuePdf(await pdf.save(), DETAILS, runJob);
    return result.ok && !result.unchanged ? result.leftOut : result;
  };
  assertEquals(await leftOut(await createPdf()), []);
  const pdf = await createPdf();
  const { context } = pdf;
  await pdf.attach(new Uint8Array([1]), "data.xml");
  pdf.addJavaScript("main", "app.beep()");
  pdf.catalog.set(
    PDFName.of("Metadata"),
    context.register(context.stream("<x/>", { Type: "Metadata" })),
  );
  pdf.getForm().createTextField("name").addToPage(pdf.getPage(0));
  pdf.getPage(0).node.addAnnot(context.register(context.obj({
    Type: "Annot",
    Subtype: "Link",
    Rect: [0, 0, 10, 10],
    Border: [0, 0, 0],
    A: { S: "GoToR", F: "other.pdf" },
  })));
  assertEquals(await leftOut(pdf), ["attachments", "scripts", "links", "fields", "metadata"]);
});

Deno.test("the border of a link is kept in the scale of the page, and one that could cover the footer is refused", async () => {
  const withBorder = async (Border: number[]) => {
    const pdf = await createPdf();
    pdf.getPage(0).node.addAnnot(pdf.context.register(
      pdf.context.obj({
        Type: "Annot",
        Subtype: "Link",
        Rect: [50, 100, 90, 120],
        Border,
        C: [1, 0, 0],
      }),
    ));
    return await pdf.save();
  };
  const [link] = (await copyOf(await withBorder([0, 0, 2]))).getPage(0).node.Annots()!.asArray();
  const copy = await copyOf(await withBorder([0, 0, 2]));
  const border = (copy.context.lookup(link) as PDFDict).lookup(PDFName.of("Border"), PDFArray);
  assertEquals(Number(String(border.get(2))).toFixed(2), "1.81");
  assertMatch(await outcomeOf(await withBorder([0, 0, 40])), /^not_flat: .*border/);
});

Deno.test("a form in XFA is issued if its fields are on its pages, and refused if a program makes its pages", async () => {
  const { field } = SMALL_PDFS;
  const withXfa = (entries: string, fields = "[5 0 R]") =>
    withTable(
      field.with(
        0,
        field[0].replace("/Fields [5 0 R]", `/XFA 8 0 R /Fields ${fields}`)
          .replace("/Catalog", `/Catalog ${entries}`),
      )
        .concat("<< /Length 0 >> stream\n\nendstream"),
    );
  assertEquals(await outcomeOf(withXfa("")), "issued");
  assertMatch(await outcomeOf(withXfa("", "[]")), /^not_flat: .*made by a program/);
  assertMatch(
    await outcomeOf(withXfa("/NeedsRendering true")),
    /^not_flat: .*made by a program/,
  );
});
