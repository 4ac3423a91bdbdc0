import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { issuePdf } from "../issue_pdf.ts";
import { DETAILS } from "../testing/pdfs.ts";
import { runHere } from "../testing/run_here.ts";
import { type Bodies, SMALL_PDFS, withTable } from "../testing/small_pdfs.ts";
import { suffixOf } from "../../../../packages/pdf/stamp/pages.ts";

/** Issues a PDF. Returns `issued`, or the code and the sentence of the refusal. */
async function outcomeOf(bytes: Uint8Array): Promise<string> {
  const result = await issuePdf(bytes, DETAILS, runHere);
  return result.ok ? "issued" : `${result.error}: ${result.message}`;
}

const stream = (dict: string, text: string) =>
  `<< ${dict} /Length ${text.length} >> stream\n${text}\nendstream`;
const form = (entries: string, content: string) =>
  stream(`/Type /XObject /Subtype /Form /BBox [0 0 600 800] ${entries}`, content);

/** A page whose content draws the form `X1`, which is object 5. */
const drawing = (resources: string, ...more: Bodies): Bodies => [
  ...SMALL_PDFS.text.slice(0, 2),
  SMALL_PDFS.text[2].replace(/\/Resources << .* >> >>/, `/Resources << ${resources} >>`),
  stream("", "/X1 Do"),
  ...more,
];

const IMAGE = SMALL_PDFS.image[4];
const OTHER_IMAGE = IMAGE.replace("ffffff00>", "00ff00ff>");
const SHOWS_IMAGE = "q 200 0 0 200 60 400 cm /I1 Do Q";

/** Forms within each other. */
const nested = (depth: number): Bodies =>
  drawing(
    "/XObject << /X1 5 0 R >>",
    ...Array.from({ length: depth }, (_, i) =>
      i === depth - 1
        ? form("/Resources << >>", "0 0 100 100 re f")
        : form(`/Resources << /XObject << /X1 ${6 + i} 0 R >> >>`, "/X1 Do")),
  );

const hiddenStamp = (appearance: string): Bodies => [
  ...SMALL_PDFS.layer.with(2, SMALL_PDFS.layer[2].replace(/ >>$/, " /Annots [7 0 R] >>")),
  SMALL_PDFS.stamp[4].replace("/AP << /N 6 0 R >>", "/AP << /N 8 0 R >> /OC 5 0 R"),
  form("", appearance),
];

const SMALL_LAYERS = SMALL_PDFS.layer[0].replaceAll("6 0 R", "");
const LAYER = SMALL_PDFS.layer[4];
const OPENS = "/OC /L1 BDC 0 0 20 20 re f";

/** A page with a hidden layer, which is object 5, and `X1`, `P1`, `T1` or `G1`, which is object 6. */
const withLayer = (resources: string, content: string, ...more: Bodies): Bodies => [
  SMALL_LAYERS,
  SMALL_PDFS.layer[1],
  SMALL_PDFS.layer[2].replace(/\/Resources << .* >> >>/, `/Resources << ${resources} >>`),
  stream("", content),
  LAYER,
  ...more,
];

const LAYERS = "/Resources << /Properties << /L1 5 0 R >> >>";

const glyph = (content: string) =>
  withLayer(
    "/Font << /T1 6 0 R >>",
    "BT /T1 60 Tf 60 400 Td (a) Tj ET",
    SMALL_PDFS.glyphs[4].replaceAll("6 0 R", "7 0 R").replace("7 0 R >>", "8 0 R >>")
      .replace("/Resources << >>", LAYERS),
    stream("", `1000 0 d0 ${content}`),
    SMALL_PDFS.glyphs[6],
  );

const pattern = (content: string) =>
  withLayer(
    "/Pattern << /P1 6 0 R >>",
    "/Pattern cs /P1 scn 60 300 300 200 re f",
    SMALL_PDFS.pattern[4].replace("/Resources << >>", LAYERS)
      .replace(/\/Length.*/s, `/Length ${content.length} >> stream\n${content}\nendstream`),
  );

const mask = (content: string) =>
  withLayer(
    "/ExtGState << /G1 6 0 R >>",
    "/G1 gs 60 300 300 200 re f",
    "<< /Type /ExtGState /SMask << /S /Luminosity /G 7 0 R >> >>",
    form(`${LAYERS} /Group << /S /Transparency /CS /DeviceGray >>`, content),
  );

/** Patterns or forms that draw the next one twice. */
const doubling = (depth: number, kind: "Pattern" | "XObject"): Bodies => {
  const draws = { Pattern: "/Pattern cs /X1 scn 0 0 20 20 re f ", XObject: "/X1 Do " }[kind];
  const entries = {
    Pattern: "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 40 40] /XStep 40 /YStep 40 ",
    XObject: "/Subtype /Form /BBox [0 0 600 800] ",
  }[kind];
  return withLayer(
    `/${kind} << /X1 6 0 R >>`,
    draws,
    ...Array.from({ length: depth }, (_, i) => {
      const isLast = i === depth - 1;
      return stream(
        `${entries} /Resources << ${isLast ? "" : `/${kind} << /X1 ${7 + i} 0 R >>`} >>`,
        isLast ? "0 0 20 20 re f" : draws.repeat(2),
      );
    }),
  );
};

/** Two pages that draw the form. Only the second one has an image with the name `I1`. */
const twoPages = (shared: string): Bodies => {
  const [catalog, , page] = drawing("/XObject << /X1 5 0 R >>");
  return [
    catalog,
    "<< /Type /Pages /Count 2 /Kids [3 0 R 6 0 R] >>",
    page,
    stream("", "/X1 Do"),
    shared,
    page.replace("/X1 5 0 R", "/X1 5 0 R /I1 7 0 R"),
    IMAGE,
  ];
};

const REFUSED: Record<string, [bodies: Bodies, message: RegExp]> = {
  "content that does not end a layer, which would hide the footer": [
    SMALL_PDFS.layer.with(3, stream("", "/OC /L1 BDC 1 0 0 rg 0 0 9 9 re f")),
    /^damaged: Page 1: .*a layer that does not end/,
  ],
  "a glyph that does not end a layer": [glyph(OPENS), /^damaged: Page 1: .*does not end/],
  "a glyph that ends marked content of its text": [
    glyph("0 0 9 9 re f EMC"),
    /^damaged: Page 1: .*a glyph ends a layer/,
  ],
  "a glyph that ends states of its text": [
    glyph("0 0 9 9 re f QQQQQQ"),
    /^damaged: Page 1: .*a glyph ends states/,
  ],
  "a pattern that does not end a layer": [pattern(OPENS), /^damaged: Page 1: .*does not end/],
  "a mask that does not end a layer": [mask(OPENS), /^damaged: Page 1: .*does not end/],
  "a mask that ends states of its page": [mask("Q"), /^damaged: Page 1: .*a mask ends states/],
  "forms that draw each other a billion times": [doubling(30, "XObject"), /^too_complex/],
  "an image within a form, whose colour space only its page has": [
    drawing(
      "/ColorSpace << /CS0 [/CalRGB << /WhitePoint [1 1 1] >>] >> /XObject << /X1 5 0 R >>",
      form("/Resources << >>", "BI /W 1 /H 1 /BPC 8 /CS /CS0 /F /AHx ID ff0000> EI"),
    ),
    /^damaged: Page 1: a form uses resources of its page/,
  ],
  "a default colour space that is not one of those that all programs use": [
    drawing(
      "/ColorSpace << /DefaultRGB [/DeviceN [/A /B /C] /DeviceRGB 6 0 R] >> /XObject << /X1 5 0 R >>",
      IMAGE,
      stream("/FunctionType 4 /Domain [0 1 0 1 0 1] /Range [0 1 0 1 0 1]", "{ 3 1 roll }"),
    ),
    /^damaged: Page 1: it has a default colour space/,
  ],
  "a form that uses an image that only the second of its pages has": [
    twoPages(form("/Resources << >>", SHOWS_IMAGE)),
    /^damaged: Page 2: .*a form uses I1 of its page/,
  ],
  "a form without resources, for which two pages have different images": [
    twoPages(form("", SHOWS_IMAGE)),
    /^damaged: Page 2: a form or font without resources/,
  ],
  "a form that uses such an image after a comment in its content": [
    drawing(
      "/XObject << /X1 5 0 R /I1 6 0 R >>",
      form("/Resources << >>", SHOWS_IMAGE.replace("/I1", "/I1%\n")),
      IMAGE,
    ),
    /^damaged: Page 1: .*a form uses I1 of its page/,
  ],
  "a comment that ends its own layer, which would show it": [
    hiddenStamp("EMC 1 0 0 rg 0 0 99 99 re f"),
    /^not_flat: Page 1: .*ends a layer/,
  ],
  "a page with pages in it": [
    [
      ...SMALL_PDFS.image.with(2, SMALL_PDFS.image[2].replace(/ >>$/, " /Kids [6 0 R] >>")),
      SMALL_PDFS.image[2].replace("/I1 5 0 R", "/I1 7 0 R"),
      OTHER_IMAGE,
    ],
    /^damaged: Page 1: it contains other pages/,
  ],
  "an image with a file where some programs look for filters": [
    SMALL_PDFS.image.with(4, IMAGE.replace("/Filter", "/F")),
    /^damaged: Page 1: .*another file/,
  ],
  "content with a file where some programs look for filters": [
    SMALL_PDFS.text.with(3, SMALL_PDFS.text[3].replace("/Length", "/F /ASCIIHexDecode /Length")),
    /^damaged: Page 1: .*another file/,
  ],
  "a form without resources within one with other ones than the page": [
    drawing(
      "/XObject << /X1 5 0 R /I1 7 0 R >>",
      form("/Resources << /XObject << /X2 6 0 R /I1 8 0 R >> >>", "/X2 Do"),
      form("", SHOWS_IMAGE),
      IMAGE,
      OTHER_IMAGE,
    ),
    /^damaged: Page 1: .*Resources\/XObject\/X1\/Resources\/XObject\/X2/,
  ],
  "a form with resources that uses others of its page": [
    drawing("/XObject << /X1 5 0 R /I1 6 0 R >>", form("/Resources << >>", SHOWS_IMAGE), IMAGE),
    /^damaged: Page 1: a form uses resources of its page/,
  ],
  "a comment with resources that uses others of its page": [
    [
      ...SMALL_PDFS.stamp.slice(0, 2),
      SMALL_PDFS.stamp[2].replace("/Resources <<  >>", "/Resources << /XObject << /I1 7 0 R >> >>"),
      ...SMALL_PDFS.stamp.slice(3, 5),
      form("/Resources << >>", SHOWS_IMAGE),
      IMAGE,
    ],
    /^damaged: Page 1: a form uses resources of its page/,
  ],
  "a comment without an appearance for its state": [
    SMALL_PDFS.stamp.with(4, SMALL_PDFS.stamp[4].replace("/N 6 0 R", "/N << /On 6 0 R >>")),
    /^not_flat: Page 1: a comment \(Stamp\) has no appearance/,
  ],
  "a page whose resources are null": [
    [
      SMALL_PDFS.image[0],
      SMALL_PDFS.image[1].replace(" >>", " /Resources << /XObject << /I1 5 0 R >> >> >>"),
      SMALL_PDFS.image[2].replace(/\/Resources << .* >> >>/, "/Resources null"),
      ...SMALL_PDFS.image.slice(3),
    ],
    /^damaged: Page 1: some programs ignore the resources above it/,
  ],
  "forms within 21 others": [nested(21), /^damaged: Page 1: .*too many nested forms/],
};

for (const [name, [bodies, message]] of Object.entries(REFUSED)) {
  Deno.test(`${name}: refused`, async () => {
    assertMatch(await outcomeOf(withTable(bodies)), message);
  });
}

const ISSUED: Record<string, Bodies> = {
  "a form without resources on the page": drawing(
    "/XObject << /X1 5 0 R /I1 6 0 R >>",
    form("", SHOWS_IMAGE),
    IMAGE,
  ),
  "forms within 19 others": nested(20),
  "patterns that draw each other a billion times": doubling(30, "Pattern"),
  "a glyph that ends its layer": glyph(`${OPENS} EMC`),
  "a pattern that ends its layer": pattern(`${OPENS} EMC`),
  "a default colour space in a form of its own": drawing(
    "/ColorSpace << /DefaultRGB [/CalRGB << /WhitePoint [1 1 1] >>] >> /XObject << /X1 5 0 R >>",
    form("", "1 0 0 rg 0 0 100 100 re f"),
  ),
  "a form without resources on two pages that differ in other names": twoPages(
    form("", SHOWS_IMAGE),
  ).with(2, twoPages("")[5].replace("/I1 7", "/I2 7 0 R /I1 7")).with(3, stream("", "/X1 Do")),
  "a comment that draws nothing": SMALL_PDFS.stamp.with(
    5,
    stream("/Subtype /Form /BBox [0 0 0 0]", "q 1 w Q"),
  ),
  "a field without a value and without an appearance": SMALL_PDFS.field.with(
    4,
    SMALL_PDFS.field[4].replace("/V (PASS)", "").replace("/AP << /N 6 0 R >>", ""),
  ),
  "an appearance that does not say that it is a form": SMALL_PDFS.stamp.with(
    5,
    stream("/BBox [0 0 200 100]", "1 0 0 rg 0 0 200 100 re f"),
  ),
  "a highlight whose appearance has no graphics state": SMALL_PDFS.stamp.with(
    4,
    SMALL_PDFS.stamp[4].replace(
      "/Subtype /Stamp",
      "/Subtype /Highlight /C [1 1 0] /QuadPoints [60 600 460 600 60 400 460 400]",
    ),
  ),
  "an artifact of the type Page": drawing("/Properties << /P0 << /Type /Page >> >>").with(
    3,
    stream("", "/Artifact /P0 BDC 0 0 9 9 re f EMC"),
  ),
  "a comment in a hidden layer": hiddenStamp("1 0 0 rg 0 0 99 99 re f"),
};

for (const [name, bodies] of Object.entries(ISSUED)) {
  Deno.test(`${name}: issued`, async () => {
    assertEquals(await outcomeOf(withTable(bodies)), "issued");
  });
}

Deno.test("an object with a number that some programs ignore: refused", async () => {
  const bodies = SMALL_PDFS.image.with(2, SMALL_PDFS.image[2].replace("5 0 R", "4194305 0 R"));
  const text = new TextDecoder("latin1").decode(withTable(bodies.slice(0, 4)));
  const at = text.indexOf("xref\n");
  const changed = `${text.slice(0, at)}4194305 0 obj ${IMAGE} endobj\n${text.slice(at)}`;
  const start = changed.indexOf("xref\n0");
  const row = `4194305 1\n${String(at).padStart(10, "0")} 00000 n \n`;
  const whole = changed.replace("trailer", `${row}trailer`)
    .replace(/startxref\n\d+/, `startxref\n${start}`);
  assertMatch(await outcomeOf(Buffer.from(whole, "latin1")), /^damaged: .*large numbers/);
});

Deno.test("a form that only programs with cross-reference streams see: refused", async () => {
  const bodies = drawing("/XObject << /X1 5 0 R >>", form("", "0 0 100 100 re f"));
  const text = new TextDecoder("latin1").decode(withTable(bodies));
  const [form5, table] = [text.indexOf("5 0 obj"), text.indexOf("xref\n0")];
  const entry = `01${form5.toString(16).padStart(8, "0")}00>`;
  const xref = `6 0 obj ${
    stream("/Type /XRef /Size 7 /W [1 4 1] /Index [5 1] /Filter /ASCIIHexDecode", entry)
  } endobj\n`;
  const whole = (text.slice(0, table) + xref + text.slice(table))
    .replace(/\d{10} 00000 n \ntrailer <</, `0000000000 65535 f \ntrailer << /XRefStm ${table}`)
    .replace(/startxref\n\d+/, `startxref\n${table + xref.length}`);
  assertMatch(await outcomeOf(Buffer.from(whole, "latin1")), /^damaged: .*cannot be read/);
});

Deno.test("the names of what a copy adds depend on the original's hash, so that no content can use them", async () => {
  const details = { ...DETAILS, test: true };
  const result = await issuePdf(withTable(SMALL_PDFS.text), details, runHere);
  if (!result.ok || result.unchanged) throw new Error("It was not issued.");
  const pdf = await PDFDocument.load(result.bytes);
  const resources = pdf.getPage(0).node.Resources()!;
  const names = resources.values().flatMap((value) =>
    pdf.context.lookup(value, PDFDict).keys().map((key) => key.decodeText())
  );
  assertEquals(names.filter((name) => !name.endsWith(suffixOf(DETAILS.sha256))), []);
  assertEquals(resources.lookup(PDFName.of("XObject"), PDFDict).keys().length, 1);
});

Deno.test("an old form value on the second of three pages, the first of which is large: refused", async () => {
  const field = SMALL_PDFS.field;
  const noise = Array.from({ length: 30_000 }, (_, i) => `${(i * 7919) % 9973} 0 m`).join(" ");
  const bodies = [
    field[0].replace("/Fields", "/NeedAppearances true /Fields"),
    "<< /Type /Pages /Count 3 /Kids [8 0 R 3 0 R 10 0 R] >>",
    ...field.slice(2, 5),
    field[5].replace("(PASS)", "(FAIL)"),
    field[6],
    field[2].replace("4 0 R", "9 0 R").replace("/Annots [5 0 R]", ""),
    stream("", `${noise} n`),
    field[2].replace("/Annots [5 0 R]", ""),
  ];
  assertMatch(await outcomeOf(withTable(bodies)), /^not_flat: Page 2: .*PASS.*FAIL/);
});

Deno.test("one page of 40 large ones ends states of the copy around it: refused", async () => {
  const lines = stream("", "0 0 m 9 9 l S ".repeat(6_000));
  const page = SMALL_PDFS.text[2];
  const bodies = [
    SMALL_PDFS.text[0],
    `<< /Type /Pages /Count 40 /Kids [${
      Array.from({ length: 40 }, (_, i) => i === 22 ? "3 0 R" : "5 0 R").join(" ")
    }] >>`,
    page.replace(/\/Resources << .* >> >>/, "/Resources << >>"),
    stream("", "q BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q\n0 0 9 9 re f QQQQ"),
    page.replace("4 0 R", "6 0 R").replace(/\/Resources << .* >> >>/, "/Resources << >>"),
    lines,
  ];
  assertEquals(await outcomeOf(withTable(bodies)), "issued");
  for (
    const content of [
      "Q ".repeat(9),
      "QQQQQQQQQ",
      "0Q".repeat(9),
      // The image ends at the second place, because no operator follows the first one.
      `BI /W 1 /H 1 /BPC 8 /CS /G ID x EI 1 foo ${"q ".repeat(9)} EI ${"Q ".repeat(9)}`,
    ]
  ) {
    const wrong = bodies.with(3, stream("", `0 0 9 9 re f ${content}`));
    assertMatch(await outcomeOf(withTable(wrong)), /^damaged: Page 23: .*too many states/);
  }
});

Deno.test("a copy's page has the default colour spaces of the original, which some programs use for images", async () => {
  const bodies = ISSUED["a default colour space in a form of its own"];
  const result = await issuePdf(withTable(bodies), DETAILS, runHere);
  if (!result.ok || result.unchanged) throw new Error("It was not issued.");
  const pdf = await PDFDocument.load(result.bytes);
  const spaces = pdf.getPage(0).node.Resources()!.lookup(PDFName.of("ColorSpace"), PDFDict);
  assertEquals(spaces.keys().map((key) => key.decodeText()), ["DefaultRGB"]);
});

Deno.test("the footer is drawn before the content of its page, which could hide it in some programs", async () => {
  const bodies = SMALL_PDFS.text.with(3, stream("", "BT /F1 20 Tf 7 Tr 10 10 Td (x) Tj"));
  const result = await issuePdf(withTable(bodies), DETAILS, runHere);
  if (!result.ok || result.unchanged) throw new Error("It was not issued.");
  const pdf = await PDFDocument.load(result.bytes);
  const content = decodePDFRawStream(pdf.getPage(0).node.Contents() as PDFRawStream).decode();
  const [footer, page] = ["/Subtype /Footer", `/Page${suffixOf(DETAILS.sha256)} Do`]
    .map((text) => Buffer.from(content).indexOf(text));
  assert(footer !== -1 && footer < page);
});
