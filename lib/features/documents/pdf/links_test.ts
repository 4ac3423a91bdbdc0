import { assertAlmostEquals, assertEquals } from "@std/assert";
import { type PDFDocument, type PDFPage, PDFString } from "@cantoo/pdf-lib";
import { createPdf, DETAILS, type PageSpec, readPdf } from "../testing/pdfs.ts";
import { fonts } from "../testing/run_here.ts";
import { stampPdf } from "./stamp.ts";

async function issue(pdf: PDFDocument): Promise<Uint8Array> {
  const stamped = await stampPdf(await pdf.save(), DETAILS, fonts);
  if (stamped.unchanged) throw new Error("It counts as signed.");
  return stamped.bytes;
}

type Rect = [x1: number, y1: number, x2: number, y2: number];

function addLink(pdf: PDFDocument, page: PDFPage, Rect: Rect, entries: object): void {
  page.node.addAnnot(pdf.context.register(
    pdf.context.obj({ Type: "Annot", Subtype: "Link", Rect, Border: [0, 0, 0], ...entries }),
  ));
}

const to = (address: string) => ({ A: { S: "URI", URI: PDFString.of(address) } });

for (
  const [name, spec] of Object.entries<PageSpec>({
    "upright": {},
    "turned by 90°, with a crop box": { rotation: 90, cropped: 40, origin: [10, 20] },
    "turned by 180°": { rotation: 180 },
    "turned by 270°": { rotation: 270, origin: [-30, 700] },
    "with a user unit of 2": { size: [400, 500], userUnit: 2 },
  })
) {
  Deno.test(`a link stays on its text on a page that is ${name}`, async () => {
    const pdf = await createPdf([spec, {}]);
    const page = pdf.getPage(0);
    const { x, y } = page.getCropBox();
    const at: Rect = [x + 50, y + 100, x + 100, y + 120];
    addLink(pdf, page, at, to("https://example.org/a(1)?q=%20"));
    addLink(pdf, page, at, { Dest: [pdf.getPage(1).ref, "XYZ", 50, 120, 0] });
    const [before] = await readPdf(await pdf.save());
    const [after] = await readPdf(await issue(pdf));
    assertEquals(after.links.map(({ to }) => to), ["https://example.org/a(1)?q=%20", 2]);
    // As far from the text as in the original, in the scale of the copy.
    const scale = (after.height - 28 * 72 / 25.4) / after.height;
    for (const [i, link] of after.links.entries()) {
      const [old, text] = [before.texts[0], after.texts.find(({ text }) => text === "Page 1")!];
      assertAlmostEquals(link.x - text.x, (before.links[i].x - old.x) * scale, 0.01);
      assertAlmostEquals(link.y - text.y, (before.links[i].y - old.y) * scale, 0.01);
    }
  });
}

Deno.test("links to named places lead to their pages", async () => {
  const pdf = await createPdf([{}, {}, {}]);
  const { context, catalog } = pdf;
  const place = (page: number) => [pdf.getPage(page).ref, "Fit"];
  catalog.set(context.obj("Dests"), context.obj({ second: place(1) }));
  catalog.set(
    context.obj("Names"),
    context.obj({
      Dests: { Kids: [{ Names: [PDFString.of("third"), { D: place(2) }] }] },
    }),
  );
  const [page] = pdf.getPages();
  addLink(pdf, page, [50, 100, 60, 110], { Dest: "second" });
  addLink(pdf, page, [50, 120, 60, 130], { A: { S: "GoTo", D: PDFString.of("third") } });
  addLink(pdf, page, [50, 140, 60, 150], { Dest: "nowhere" });
  const [{ links }] = await readPdf(await issue(pdf));
  assertEquals(links.map(({ to }) => to), [2, 3]);
});

Deno.test("hidden links, links on the footer, and links that run something are left out", async () => {
  const pdf = await createPdf();
  const [page] = pdf.getPages();
  const at: Rect = [50, 100, 100, 120];
  addLink(pdf, page, [0, -90, 595, -1], to("https://evil.example/"));
  addLink(pdf, page, at, { ...to("https://evil.example/"), F: 2 });
  addLink(pdf, page, at, to("javascript:alert(1)"));
  addLink(pdf, page, at, to("file:///etc/passwd"));
  addLink(pdf, page, at, { A: { S: "Launch", F: PDFString.of("a.exe") } });
  addLink(pdf, page, at, { A: { S: "JavaScript", JS: PDFString.of("alert(1)") } });
  addLink(pdf, page, at, { A: { S: "GoToR", F: PDFString.of("other.pdf") } });
  // The part on the page stays.
  addLink(pdf, page, [50, -90, 100, 120], to("mailto:ada@example.org"));
  const [{ links }] = await readPdf(await issue(pdf));
  assertEquals(links.map(({ to }) => to), ["mailto:ada@example.org"]);
  assertAlmostEquals(links[0].y, 28 * 72 / 25.4, 0.01);
});
