import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import {
  decodePDFRawStream,
  degrees,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import {
  A4,
  createPdf,
  DETAILS,
  LETTER,
  type PageSpec,
  readOutline,
  type ReadPage,
  readPdf,
  signedPdf,
  textOf,
} from "../testing/pdfs.ts";
import { fonts } from "../testing/run_here.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import { MM, PdfError } from "../../../../packages/pdf/mod.ts";
import type { IssueDetails } from "../new_version.ts";
import { coverSheet, stampPdf } from "./stamp.ts";

/** The details of a test whose issuer is not the organisation that would register it. */
const TEST: IssueDetails = { ...DETAILS, registrar: { name: "Attest Systems" }, test: true };

async function issue(pdf: PDFDocument, details = DETAILS): Promise<Uint8Array> {
  const stamped = await stampPdf(await pdf.save(), details, fonts);
  if (stamped.unchanged) throw new Error("It counts as signed.");
  return stamped.bytes;
}

const find = ({ texts }: ReadPage, text: string) => texts.find((one) => one.text === text)!;

for (
  const [name, spec] of Object.entries<PageSpec>({
    "A4": {},
    "Letter": { size: LETTER },
    "A6": { size: [297.64, 419.53] },
    "A3 across": { size: [1190.55, 841.89] },
    "turned by 90°": { rotation: 90 },
    "turned by 180°": { rotation: 180 },
    "turned by 270°": { rotation: 270 },
    "turned by -90°": { rotation: -90 },
    "an origin other than 0, 0, turned by 90°": { origin: [-30, 700], rotation: 90 },
    "a crop box, turned by 270°": { origin: [10, 20], cropped: 40, rotation: 270 },
    "a user unit of 2": { size: [400, 500], userUnit: 2 },
  })
) {
  Deno.test(`a page keeps its size and rotation above a strip of 28 mm: ${name}`, async () => {
    const pdf = await createPdf([spec]);
    const [before] = await readPdf(await pdf.save());
    const [after, legal, ...more] = await readPdf(await issue(pdf));
    assertEquals(more, []);
    assertAlmostEquals(after.width, before.width, 0.01);
    assertAlmostEquals(after.height, before.height, 0.01);
    assertEquals(after.rotation, before.rotation);

    const strip = 28 * MM;
    const scale = (before.height - strip) / before.height;
    const [old, moved] = [find(before, "Page 1"), find(after, "Page 1")];
    assertAlmostEquals(moved.x, before.width * (1 - scale) / 2 + scale * old.x, 0.01);
    assertAlmostEquals(moved.y, strip + scale * old.y, 0.01);

    const footer = after.texts.filter((one) => one !== moved);
    for (const { x, y } of footer) assert(y > 4 * MM && y < strip - 2 && x > 11.9 * MM);
    const line = footer.map(({ text }) => text).join(" ").replaceAll("/ ", "/");
    assertStringIncludes(line, "Open Records Foundation Page 1 of 1");
    assertStringIncludes(line, "https://trust.example/d/7K3M-9Q2X-B4TW-01RA/1");
    assertStringIncludes(line, "first 16 of 64:");
    assertStringIncludes(line, "3f5a 9c01 77de 0b12");
    assertAlmostEquals(legal.width, name === "Letter" ? 612 : 210 * MM, 0.01);
  });
}

for (
  const spec of [
    {},
    { size: [1190.55, 841.89] },
    { size: [297.64, 300] },
    { rotation: 90, origin: [-30, 700] },
    { size: [400, 500], userUnit: 2, rotation: 270 },
  ] as PageSpec[]
) {
  Deno.test(`TEST is written across each page of a test: ${JSON.stringify(spec)}`, async () => {
    const pages = await readPdf(await issue(await createPdf([spec, spec]), TEST));
    assertEquals(pages.length, 3);
    for (const [i, page] of pages.entries()) {
      const marks = page.texts.filter(({ text }) => text === "TEST");
      assertEquals(marks.length, 1, textOf(page));
      // It begins at the lower left, within what is above the footer.
      const [{ x, y }] = marks;
      const strip = i === 2 ? 0 : 28 * MM;
      assert(x > 0 && x < page.width / 3, `x ${x}`);
      assert(y > strip && y < strip + (page.height - strip) / 2, `y ${y}`);
      assertStringIncludes(
        textOf(page),
        i === 2 ? "TEST · Legal notice" : `TEST · Page ${i + 1} of 2`,
      );
    }
    const [first, , legal] = pages.map(textOf);
    assertStringIncludes(first, "A test, which is not registered and proves nothing");
    assertStringIncludes(legal, "It is not registered and proves nothing.");
    for (const wrong of ["· registered with", "Registered with", "are registered"]) {
      for (const page of pages) assert(!textOf(page).includes(wrong), wrong);
    }
  });
}

Deno.test("a cover sheet of a test says so, in its title too, and other documents do not", async () => {
  const sheet = await coverSheet(TEST, { size: 10 });
  const [page] = await readPdf(sheet);
  assert(page.texts.some(({ text }) => text === "TEST"));
  assertStringIncludes(textOf(page), "It is not registered and proves nothing.");
  const title = (await PDFDocument.load(sheet)).getTitle();
  assertEquals(title, `TEST: Cover sheet: ${DETAILS.title}`);
  for (const page of await readPdf(await issue(await createPdf()))) {
    assert(!/test/i.test(textOf(page)), textOf(page));
  }
});

Deno.test("a signed PDF stays unchanged, live and as a test", async () => {
  for (const details of [DETAILS, TEST]) {
    assertEquals(await stampPdf(await signedPdf(2), details), { unchanged: true, pages: 2 });
  }
});

Deno.test("the final page names the issuer's domain and when it was verified", async () => {
  const domain = { name: "harbour.example", verifiedOn: "2026-11-23T09:00:00.000Z" };
  const details: IssueDetails = {
    ...DETAILS,
    issuer: { name: "Harbour College", domain },
    registrar: { name: "Attest Systems" },
  };
  const [, legal] = await readPdf(await issue(await createPdf(), details));
  assertStringIncludes(
    textOf(legal),
    "Issued by Harbour College (harbour.example, verified 23 Nov 2026) · registered with Attest Systems",
  );
  assertStringIncludes(textOf(legal), "Harbour College harbour.example, verified 23 Nov 2026");
});

Deno.test("the final page has the complete hash and explains what it covers", async () => {
  const pdf = await createPdf([{}, {}]);
  const size = (await pdf.save()).length;
  const [, second, legal] = await readPdf(await issue(pdf));
  assertStringIncludes(textOf(second), "Page 2 of 2");
  const text = textOf(legal);
  for (
    const part of [
      "Certificate of conformity",
      "It follows page 2 of 2.",
      "Open Records Foundation No. 12345, Keizersgracht 1, Amsterdam",
      "22 Nov 2026, 14:05 UTC",
      "3f5a 9c01 77de 0b12 3f5a 9c01 77de 0b12 3f5a 9c01 77de 0b12 3f5a 9c01 77de 0b12",
      `All ${size.toLocaleString("en-US")} bytes of the original PDF.`,
      "https://trust.example/d/7K3M-9Q2X-B4TW-01RA/1",
      "Check that the address begins with https://trust.example/",
      "https://trust.example/check",
      "A print proves nothing by itself.",
    ]
  ) assertStringIncludes(text, part);
});

for (
  const [organisation, names] of Object.entries({
    foundation: ["Mono-Regular", "Newsreader-Display", "Sans-Regular", "Sans-Semibold"],
    commercial: ["Geist-Regular", "Geist-Semibold", "GeistMono-Regular"],
  })
) {
  Deno.test(`the parts that we add to a copy are in the embedded fonts of the brand: ${organisation}`, async () => {
    const details = { ...DETAILS, organisation: organisation as OrganisationKey };
    const copy = await PDFDocument.load(await issue(await createPdf(), details));
    for (const page of copy.getPages()) {
      const fonts = page.node.Resources()!.lookup(PDFName.of("Font"), PDFDict);
      const found = fonts.values().map((ref) => {
        const font = copy.context.lookup(ref, PDFDict);
        const letters = font.lookup(PDFName.of("DescendantFonts"), PDFArray).lookup(0, PDFDict);
        const descriptor = letters.lookup(PDFName.of("FontDescriptor"), PDFDict);
        const file = descriptor.lookup(PDFName.of("FontFile2")) as PDFRawStream;
        assertEquals(decodePDFRawStream(file).decode().slice(0, 4), new Uint8Array([0, 1, 0, 0]));
        return font.lookup(PDFName.of("BaseFont"), PDFName).decodeText().replace(/^[A-Z]{6}\+/, "");
      });
      assertEquals(found.sort(), names);
    }
  });
}

Deno.test("a copy keeps bookmarks to pages and web addresses, and adds one for its final page", async () => {
  const pdf = await createPdf([{}, {}]);
  const { context, catalog } = pdf;
  const [first, second] = pdf.getPages();
  const refs = Array.from({ length: 5 }, () => context.nextRef());
  const [root, part, chapter, script, web] = refs;
  const item = (ref: PDFRef, title: string, entries: Record<string, unknown>) =>
    context.assign(ref, context.obj({ Title: PDFString.of(title), ...entries } as never));
  context.assign(root, context.obj({ Type: "Outlines", First: part, Last: web }));
  item(part, "Part", { Dest: [first.ref, "Fit"], First: chapter, Last: chapter, Next: script });
  item(chapter, "Chapter", { A: { S: "GoTo", D: [second.ref, "Fit"] }, Next: part });
  item(script, "Script", { A: { S: "JavaScript", JS: PDFString.of("app.alert(1)") }, Next: web });
  item(web, "Site", { A: { S: "URI", URI: PDFString.of("https://example.com/") }, Next: web });
  catalog.set(PDFName.of("Outlines"), root);
  assertEquals(await readOutline(await issue(pdf)), [
    "Part → 1",
    "  Chapter → 2",
    "Site → https://example.com/",
    "About this document → 3",
  ]);
  assertEquals(await readOutline(await issue(await createPdf())), ["About this document → 2"]);
});

Deno.test("equal input gives equal bytes, and a different time gives different ones", async () => {
  const pdf = await createPdf([{}, { size: LETTER }]);
  const first = await issue(pdf);
  assertEquals(await issue(pdf), first);
  const later = await issue(pdf, { ...DETAILS, issuedAt: "2026-11-22T14:06:00.000Z" });
  assert(first.length !== later.length || first.some((byte, i) => byte !== later[i]));
  const read = await PDFDocument.load(first, { updateMetadata: false });
  assertEquals(read.getTitle(), DETAILS.title);
  assertEquals(read.getCreationDate()?.toISOString(), DETAILS.issuedAt);
  assertEquals(read.getModificationDate()?.toISOString(), DETAILS.issuedAt);
});

Deno.test("titles and names of other scripts, and long ones, are issued", async () => {
  const issuer = { name: "Łódź Ltd. ".repeat(40), registration: "登録番号 𓂀" };
  const title = "Договор 契約書 🙂";
  const bytes = await issue(await createPdf(), { ...DETAILS, title, issuer });
  const [page, legal] = await readPdf(bytes);
  assertStringIncludes(textOf(page), "Łódź Ltd. Łódź");
  assertStringIncludes(textOf(legal), "Title in a script that this page cannot print");

  assertStringIncludes(textOf(legal), "Registration details in a script that this page cannot");
  assertEquals((await PDFDocument.load(bytes, { updateMetadata: false })).getTitle(), title);

  const others = { ...DETAILS, organisation: "commercial" as const, title: "Договор Ελλάδα 契約" };
  const [, second] = await readPdf(await issue(await createPdf(), others));
  assertStringIncludes(textOf(second), "Договор Ελλάδα 契約");

  const long = await readPdf(
    await issue(await createPdf(), { ...DETAILS, title: "word ".repeat(500) }),
  );
  assert(long[1].texts.every(({ y }) => y > 20));
});

Deno.test("a long host is broken into lines that stay in the strip", async () => {
  const host = "documents.trust.records-foundation.example";
  const address = `https://${host}/d/7K3M9Q2XB4TW01RA`;
  const pdf = await createPdf([{ size: [297.64, 419.53] }]);
  const [page] = await readPdf(await issue(pdf, { ...DETAILS, address }));
  assertStringIncludes(
    textOf(page).replaceAll(" ", ""),
    `https://${host}/d/7K3M-9Q2X-B4TW-01RA/1`,
  );
  const room = 297.64 - 12 * MM - 23.3 * MM;
  for (const { x, y, text } of page.texts.filter(({ text }) => text !== "Page 1")) {
    assert(y > 4 * MM && y < 28 * MM && x < room, text);
  }
});

Deno.test("form values and notes become part of the page, printed or not; hidden notes do not", async () => {
  const pdf = await createPdf([{ rotation: 90 }]);
  const page = pdf.getPage(0);
  const field = pdf.getForm().createTextField("name");
  field.setText("Ada Lovelace");
  field.addToPage(page, { x: 200, y: 300, width: 200, height: 30 });
  const appearance = (text: string) =>
    pdf.context.register(pdf.context.flateStream(`BT /F 12 Tf 0 0 Td (${text}) Tj ET`, {
      Type: "XObject",
      Subtype: "Form",
      BBox: [0, 0, 100, 20],
      Resources: { Font: { F: { Type: "Font", Subtype: "Type1", BaseFont: "Helvetica" } } },
    }));
  for (
    const [text, flags] of [["Printed", 4], ["Hidden", 6], ["Shown", 0], ["NoView", 32]] as const
  ) {
    page.node.addAnnot(pdf.context.register(pdf.context.obj({
      Type: "Annot",
      Subtype: "Stamp",
      Rect: [50, 400, 250, 440],
      F: flags,
      AP: { N: appearance(text) },
    })));
  }
  const [before] = await readPdf(await pdf.save());
  const copy = await issue(pdf);
  const [after] = await readPdf(copy);
  assert(!textOf(before).includes("Ada"), "the viewer reads annotations apart");
  assertStringIncludes(textOf(after), "Ada Lovelace");
  assertStringIncludes(textOf(after), "Printed");
  assertStringIncludes(textOf(after), "Shown");
  assert(!/Hidden|NoView/.test(textOf(after)));
  // The stamp is drawn twice as large as its appearance, at 50, 400 of a page turned by 90°.
  const scale = (after.height - 28 * MM) / after.height;
  const stamp = find(after, "Printed");
  assertAlmostEquals(stamp.x, after.width * (1 - scale) / 2 + scale * 400, 0.01);
  assertAlmostEquals(stamp.y, 28 * MM + scale * (A4[0] - 50), 0.01);
  assertEquals((await PDFDocument.load(copy)).getPage(0).node.Annots(), undefined);
});

Deno.test("content that leaves the graphics state changed, in several streams, is issued", async () => {
  const pdf = await createPdf();
  const { node } = pdf.getPage(0);
  const stream = (text: string) => pdf.context.register(pdf.context.flateStream(text));
  const resources = node.Resources()!.lookup(PDFName.of("Font"))!;
  const [font] = (resources as unknown as { keys(): PDFName[] }).keys();
  node.set(
    PDFName.of("Contents"),
    pdf.context.obj([
      stream(`q 3 0 0 3 0 0 cm 1 0 0 rg BT ${font} 10 Tf 20 30 Td (Half`),
      stream(`) Tj ET q q`),
    ]),
  );
  const [page] = await readPdf(await issue(pdf));
  const scale = (A4[1] - 28 * MM) / A4[1];
  assertAlmostEquals(find(page, "Half").y, 28 * MM + scale * 90, 0.01);
  assertEquals(find(page, "Page 1 of 1").x > 300, true);
});

Deno.test("hidden layers stay hidden", async () => {
  const pdf = await createPdf();
  const layer = pdf.context.register(pdf.context.obj({ Type: "OCG" }));
  pdf.getPage(0).node.Resources()!.set(
    PDFName.of("Properties"),
    pdf.context.obj({ Draft: layer }),
  );
  pdf.catalog.set(
    PDFName.of("OCProperties"),
    pdf.context.obj({ OCGs: [layer], D: { OFF: [layer], Order: [layer] } }),
  );
  const copy = await PDFDocument.load(await issue(pdf));
  const [group] = copy.getOptionalContentGroups();
  assertEquals(copy.getOptionalContentGroups().length, 1);
  assertEquals(group.visible, false);
});

Deno.test("hidden layers stay hidden if their states are also an element, the root of all or a page", async () => {
  const uses: Record<string, (pdf: PDFDocument, states: PDFDict) => void> = {
    element: ({ catalog, context }, states) => {
      catalog.set(PDFName.of("StructTreeRoot"), context.obj({ K: context.getObjectRef(states)! }));
    },
    root: ({ catalog, context }, states) => {
      catalog.set(PDFName.of("StructTreeRoot"), context.getObjectRef(states)!);
    },
    page: ({ catalog, context }) => {
      const kids = catalog.Pages().Kids();
      const layers = catalog.lookup(PDFName.of("OCProperties"), PDFDict);
      layers.set(PDFName.of("MediaBox"), context.obj([0, 0, 600, 800]));
      kids.push(catalog.get(PDFName.of("OCProperties")) as PDFRef);
    },
  };
  for (const [name, use] of Object.entries(uses)) {
    const pdf = await createPdf();
    const { context, catalog } = pdf;
    const layer = context.register(context.obj({ Type: "OCG" }));
    const states = context.obj({ OFF: [layer] });
    const layers = context.obj({ OCGs: [layer], D: context.register(states) });
    catalog.set(PDFName.of("OCProperties"), context.register(layers));
    use(pdf, states);
    const copy = await PDFDocument.load(await issue(pdf));
    const copied = copy.catalog.lookup(PDFName.of("OCProperties"), PDFDict);
    const off = copied.lookup(PDFName.of("D"), PDFDict).lookup(PDFName.of("OFF"), PDFArray);
    const groups = copied.lookup(PDFName.of("OCGs"), PDFArray);
    assertEquals(off.asArray().includes(groups.get(0)), true, name);
  }
});

Deno.test("layers, or their states, that are also an action are damaged", async () => {
  for (const part of ["layer", "states"]) {
    const pdf = await createPdf();
    const { context, catalog } = pdf;
    const action = (is: boolean) => is ? { S: "JavaScript" } : {};
    const layer = context.register(context.obj({ Type: "OCG", ...action(part === "layer") }));
    const D = { OFF: [layer], ...action(part === "states") };
    catalog.set(PDFName.of("OCProperties"), context.obj({ OCGs: [layer], D }));
    await assertRejects(() => issue(pdf), PdfError, "not content", part);
  }
});

Deno.test("fonts, graphics states and layers that are also elements stay what they are", async () => {
  const parts: Record<string, Record<string, string | number>> = {
    Font: { Type: "Font", Subtype: "Type1", BaseFont: "Helvetica" },
    ExtGState: { Type: "ExtGState", ca: 0 },
    Properties: { Type: "OCG" },
  };
  for (const [category, part] of Object.entries(parts)) {
    const pdf = await createPdf();
    const { context, catalog } = pdf;
    const ref = context.register(context.obj(part));
    pdf.getPage(0).node.Resources()!.set(PDFName.of(category), context.obj({ Part: ref }));
    catalog.set(PDFName.of("StructTreeRoot"), context.obj({ K: ref }));
    assertEquals(
      String((await resourcesOf(pdf, category)).lookup(PDFName.of("Part"))),
      String(context.lookup(ref)),
    );
  }
});

Deno.test("a shading whose box is also that of an element's attributes keeps it", async () => {
  const pdf = await createPdf();
  const { context, catalog } = pdf;
  const { node, ref: Pg } = pdf.getPage(0);
  const shading = context.register(context.obj({ ShadingType: 2, BBox: [0, 0, 600, 850] }));
  node.Resources()!.set(PDFName.of("Shading"), context.obj({ Part: shading }));
  const K = ["P", "P"].map((S) => context.register(context.obj({ S, A: shading, Pg })));
  catalog.set(PDFName.of("StructTreeRoot"), context.obj({ K }));
  const copied = (await resourcesOf(pdf, "Shading")).lookup(PDFName.of("Part"), PDFDict);
  assertEquals(String(copied.get(PDFName.of("BBox"))), "[ 0 0 600 850 ]");
});

Deno.test("resources, names or uses of layers that are also an action are damaged", async () => {
  for (const part of ["resources", "properties", "usage"]) {
    const pdf = await createPdf();
    const { context, catalog } = pdf;
    const action = (name: string) => name === part ? { S: "JavaScript" } : {};
    const layer = context.register(context.obj({ Type: "OCG", Usage: action("usage") }));
    catalog.set(PDFName.of("OCProperties"), context.obj({ OCGs: [layer], D: { OFF: [layer] } }));
    const resources = {
      Properties: { Layer: layer, ...action("properties") },
      ...action("resources"),
    };
    pdf.getPage(0).node.set(PDFName.of("Resources"), context.obj(resources));
    await assertRejects(() => issue(pdf), PdfError, "not content", part);
  }
});

/** Issues a PDF and returns the resources of its first page's content. */
async function resourcesOf(pdf: PDFDocument, category: string): Promise<PDFDict> {
  const copy = await PDFDocument.load(await issue(pdf));
  const drawn = copy.getPage(0).node.Resources()!.lookup(PDFName.of("XObject"), PDFDict);
  const content = drawn.lookup(
    drawn.keys().find((name) => name.decodeText().startsWith("Page"))!,
  ) as PDFRawStream;
  return content.dict.lookup(PDFName.of("Resources"), PDFDict).lookup(
    PDFName.of(category),
    PDFDict,
  );
}

Deno.test("a note that is larger than its page is drawn inside the page only", async () => {
  const pdf = await createPdf();
  const { context } = pdf;
  const black = context.register(context.stream("0 g 0 0 100 100 re f", {
    Type: "XObject",
    Subtype: "Form",
    BBox: [0, 0, 100, 100],
  }));
  pdf.getPage(0).node.addAnnot(context.register(context.obj({
    Type: "Annot",
    Subtype: "Stamp",
    Rect: [-200, -400, 900, 0],
    F: 4,
    AP: { N: black },
  })));
  const copy = await PDFDocument.load(await issue(pdf));
  const content = copy.getPage(0).node.Contents() as PDFRawStream;
  const operators = new TextDecoder().decode(decodePDFRawStream(content).decode());
  const clipped = operators.indexOf("re W n", operators.search(/\/Page-\w+ Do/));
  const note = operators.search(/\/Note0-\w+ Do/);
  assert(clipped !== -1 && clipped < note, operators.slice(0, 200));
});

Deno.test("references to objects that do not exist lead to nothing in the copy", async () => {
  const pdf = await createPdf([{}, {}]);
  const [first] = pdf.getPages();
  const numbers = Array.from({ length: 40 }, (_, i) => 9_000 + i);
  const ghosts = Object.fromEntries(
    numbers.map((number) => [`Ghost${number}`, PDFRef.of(number)]),
  );
  first.node.Resources()!.set(PDFName.of("XObject"), pdf.context.obj(ghosts));
  const copy = await PDFDocument.load(await issue(pdf));
  const forms = copy.context.enumerateIndirectObjects().flatMap(([, object]) =>
    object instanceof PDFRawStream ? object.dict.lookup(PDFName.of("Resources")) ?? [] : []
  );
  const found = forms.flatMap((resources) =>
    (resources as PDFDict).lookup(PDFName.of("XObject")) ?? []
  ) as PDFDict[];
  assertEquals(found.length > 0, true);
  for (const dict of found) {
    for (const key of dict.keys()) assert(!(dict.lookup(key) instanceof PDFRawStream), `${key}`);
  }
});

Deno.test("a page inherits what its own reference does not lead to", async () => {
  const pdf = await createPdf();
  const { node } = pdf.getPage(0);
  node.Parent()!.set(PDFName.of("Rotate"), PDFNumber.of(90));
  node.set(PDFName.of("Rotate"), PDFRef.of(9_999));
  const [page] = await readPdf(await issue(pdf));
  assertEquals(page.rotation, 90);
});

Deno.test("a page that is used twice, and pages that share resources, are issued", async () => {
  const pdf = await createPdf([{}]);
  const copy = await pdf.copy();
  const [page] = await copy.copyPages(copy, [0]);
  copy.addPage(page).setRotation(degrees(90));
  const bytes = await issue(copy);
  assertEquals((await readPdf(bytes)).map(({ rotation }) => rotation), [0, 90, 0]);
  const read = await PDFDocument.load(bytes);
  const forms = read.context.enumerateIndirectObjects().filter(([, object]) =>
    object instanceof PDFRawStream &&
    object.dict.lookup(PDFName.of("Subtype")) === PDFName.of("Form")
  );
  for (const [, form] of forms) {
    assert(decodePDFRawStream(form as PDFRawStream).decode().length > 0);
  }
});
