/** Hand-written PDFs of one page for tests, each with another kind of content. */
import { Buffer } from "node:buffer";

/** The size of the pages, which shrinks to whole pixels above the footer: to nine tenths of it. */
export const SIZE = { width: 600, height: 28 * 72 / 25.4 * 10, scale: 0.9, margin: 30 };

const PAGE = `/MediaBox [0 0 ${SIZE.width} ${SIZE.height}]`;

/** The bodies of the objects of a PDF, beginning with object 1. */
export type Bodies = string[];

const stream = (dict: string, text: string) =>
  `<< ${dict} /Length ${text.length} >> stream\n${text}\nendstream`;

const pdf = (
  resources: string,
  content: string,
  more: Bodies = [],
  page = "",
  catalog = "",
): Bodies => [
  `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
  "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
  `<< /Type /Page /Parent 2 0 R ${PAGE} /Contents 4 0 R /Resources << ${resources} >> ${page} >>`,
  stream("", content),
  ...more,
];

const HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const TEXT = "BT /F1 40 Tf 60 500 Td (Certificate) Tj ET";
const form = (entries: string, content: string) =>
  stream(`/Type /XObject /Subtype /Form /BBox [0 0 200 100] ${entries}`, content);

/** Small PDFs of one page, each with another kind of content. Object 3 is the page. */
export const SMALL_PDFS: Record<string, Bodies> = {
  text: pdf("/Font << /F1 5 0 R >>", TEXT, [HELVETICA]),
  transparency: pdf(
    "/ExtGState << /G1 5 0 R >>",
    "/G1 gs 1 0 0 rg 60 400 300 200 re f 0 0 1 rg 200 300 300 200 re f",
    [
      "<< /Type /ExtGState /ca 0.4 /BM /Multiply >>",
    ],
  ),
  image: pdf("/XObject << /I1 5 0 R >>", "q 200 0 0 200 60 400 cm /I1 Do Q", [
    stream(
      "/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /ASCIIHexDecode",
      "ff000000ff000000ffffff00>",
    ),
  ]),
  form: pdf("/XObject << /X1 5 0 R >>", "q 2 0 0 2 60 400 cm /X1 Do Q", [
    form(
      "/Resources << /Font << /F1 6 0 R >> >>",
      "0 0.6 0 rg 0 0 150 60 re f 1 g BT /F1 20 Tf 10 20 Td (Passed) Tj ET",
    ),
    HELVETICA,
  ]),
  shading: pdf("/Shading << /S1 5 0 R >>", "q 60 300 300 200 re W n /S1 sh Q", [
    "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [60 0 360 0] /Function 6 0 R /Extend [true true] >>",
    "<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>",
  ]),
  pattern: pdf("/Pattern << /P1 5 0 R >>", "/Pattern cs /P1 scn 60 300 300 200 re f", [
    stream(
      "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 40 40] /XStep 40 /YStep 40 /Resources << >>",
      "1 0 0 rg 0 0 20 20 re f",
    ),
  ]),
  glyphs: pdf("/Font << /T1 5 0 R >>", "BT /T1 60 Tf 60 400 Td (aba) Tj ET", [
    "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 97 /LastChar 98 /Widths [1000 1000] /Encoding << /Differences [97 /square /half] >> /CharProcs << /square 6 0 R /half 7 0 R >> /Resources << >> >>",
    stream("", "1000 0 0 0 750 750 d1 0 0 750 750 re f"),
    stream("", "1000 0 0 0 750 750 d1 0 0 750 350 re f"),
  ]),
  field: pdf(
    "",
    "0.9 g 0 700 600 80 re f",
    [
      "<< /Type /Annot /Subtype /Widget /FT /Tx /T (result) /V (PASS) /F 4 /Rect [60 400 260 500] /AP << /N 6 0 R >> /DA (/F1 20 Tf 0 g) >>",
      form(
        "/Resources << /Font << /F1 7 0 R >> >>",
        "/Tx BMC BT /F1 40 Tf 10 30 Td (PASS) Tj ET EMC",
      ),
      HELVETICA,
    ],
    "/Annots [5 0 R]",
    "/AcroForm << /Fields [5 0 R] /DR << /Font << /F1 7 0 R >> >> >>",
  ),
  stamp: pdf("", "0.9 g 0 700 600 80 re f", [
    "<< /Type /Annot /Subtype /Stamp /F 4 /Rect [60 400 460 600] /AP << /N 6 0 R >> >>",
    form("", "1 0 0 rg 0 0 200 100 re f 1 g 20 20 160 60 re f"),
  ], "/Annots [5 0 R]"),
  layer: pdf(
    "/Properties << /L1 5 0 R /L2 6 0 R >>",
    "/OC /L1 BDC 1 0 0 rg 60 400 200 200 re f EMC /OC /L2 BDC 0 0 1 rg 300 400 200 200 re f EMC",
    ["<< /Type /OCG /Name (Answers) >>", "<< /Type /OCG /Name (Questions) >>"],
    "",
    "/OCProperties << /OCGs [5 0 R 6 0 R] /D << /OFF [5 0 R] /Order [5 0 R 6 0 R] >> >>",
  ),
};

/** Returns a PDF with these objects and a cross-reference table. */
export function withTable(bodies: Bodies): Uint8Array {
  let text = "%PDF-1.7\n";
  const rows = bodies.map((body, i) => {
    const row = `${String(text.length).padStart(10, "0")} 00000 n \n`;
    text += `${i + 1} 0 obj ${body} endobj\n`;
    return row;
  });
  const size = bodies.length + 1;
  text +=
    `xref\n0 ${size}\n0000000000 65535 f \n${
      rows.join("")
    }trailer << /Root 1 0 R /Size ${size} >>\n` +
    `startxref\n${text.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, "latin1"));
}
