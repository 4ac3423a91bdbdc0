import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  decodePDFRawStream,
  PDFArray,
  PDFBool,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { parseXml } from "@rgrove/parse-xml";
import { Buffer } from "node:buffer";
import { createMaker } from "../../issuing/certificate/make.ts";
import { writeXmp } from "../../../../packages/pdf/mod.ts";
import { readMetadata } from "../../../../packages/pdf/read/metadata.ts";
import { readSource } from "../../../../packages/pdf/read/source.ts";
import { type Claims, inXml } from "../../../../packages/pdf/write/xmp.ts";
import { DETAILS, readTags } from "../testing/pdfs.ts";
import { fonts } from "../testing/run_here.ts";
import { coverSheet, stampPdf } from "./stamp.ts";

const ALL: Claims = { accessible: true, archivable: true };
const NONE: Claims = { accessible: false, archivable: false };

const certificate = await (async () => {
  const made = await createMaker().make({
    fields: { name: "Ada <Lovelace> & Co", title: "Analysis", date: "2026-11-20" },
    issuer: { name: "Harbour College" },
    at: "2026-11-28T15:00:00.789Z",
  });
  if (!made.ok) throw new Error(made.error);
  return made.bytes;
})();

const XMP = writeXmp({ title: "T", author: "A", at: DETAILS.issuedAt, claims: ALL });

/** Returns a PDF with other metadata. */
async function withXmp(pdf: Uint8Array, xmp: string | Uint8Array) {
  const changed = await PDFDocument.load(pdf, { updateMetadata: false });
  const bytes = typeof xmp === "string" ? new TextEncoder().encode(xmp) : xmp;
  // A stream as large as the limit is not compressed, because the limits of both kinds are others.
  const make = bytes.length > 1024 * 1024 ? "stream" : "flateStream";
  const stream = changed.context[make](bytes, { Type: "Metadata", Subtype: "XML" });
  changed.catalog.set(PDFName.of("Metadata"), changed.context.register(stream));
  return await changed.save();
}

async function copyOf(original: Uint8Array): Promise<Uint8Array> {
  const copy = await stampPdf(original, DETAILS, fonts);
  if (copy.unchanged) throw new Error("It counts as signed.");
  return copy.bytes;
}

/** Returns what a PDF claims. */
async function claimsIn(bytes: Uint8Array): Promise<Claims> {
  const { pdfa, level, pdfua } = readMetadata(await readSource(bytes));
  assertEquals([undefined, "2U"].includes(pdfa && `${pdfa}${level}`), true);
  return { accessible: pdfua === "1", archivable: pdfa !== undefined };
}

const xmpOf = ({ catalog }: PDFDocument): string => {
  const stream = catalog.lookup(PDFName.of("Metadata")) as PDFRawStream;
  assertEquals(stream.dict.has(PDFName.of("Filter")), false, "it is not compressed");
  return new TextDecoder().decode(stream.contents);
};

for (
  const [what, make] of [
    ["a certificate", () => Promise.resolve(certificate)],
    ["its copy", () => copyOf(certificate)],
    ["a cover sheet", () => coverSheet({ ...DETAILS, title: "A & <B>\u0001" }, { size: 1 }, fonts)],
  ] as const
) {
  Deno.test(`${what} claims PDF/UA and PDF/A, and says the same in XMP and Info`, async () => {
    const bytes = await make();
    assertEquals(await claimsIn(bytes), ALL);
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
    const xmp = xmpOf(pdf);
    const root = parseXml(xmp).root!;
    const text = (tag: string) => xmp.match(new RegExp(`<${tag}>(.*?)</${tag}>`))![1];
    assertMatch(root.text, new RegExp(`^\\s*application/pdf\\s+${RegExp.escape(pdf.getTitle()!)}`));
    assertEquals(text("pdf:Producer"), pdf.getProducer());
    assertEquals(text("dc:creator").replace(/<[^>]*>/g, ""), pdf.getAuthor());
    assertEquals(Date.parse(text("xmp:CreateDate")), pdf.getCreationDate()!.getTime());
    assertEquals(Date.parse(text("xmp:ModifyDate")), pdf.getModificationDate()!.getTime());
    const intents = pdf.catalog.lookup(PDFName.of("OutputIntents"), PDFArray);
    assertEquals(intents.size(), 1);
    const profile = intents.lookup(0, PDFDict).lookup(PDFName.of("DestOutputProfile"));
    const icc = Buffer.from(decodePDFRawStream(profile as PDFRawStream).decode());
    assertEquals(icc.readUInt32BE(0), icc.length);
    assertEquals(icc.toString("latin1", 12, 24), "mntrRGB XYZ ");
    for (const tags of await readTags(bytes)) assertMatch(tags, /^Document\(.*\)$/);
    const marks = pdf.catalog.lookup(PDFName.of("MarkInfo"), PDFDict);
    assertEquals(String(marks.get(PDFName.of("Marked"))), "true");
    for (const page of pdf.getPages()) assertEquals(unmarked(page.node.Contents()), "");
  });
}

/** Returns the operators of a content that draw something outside of all marks, besides forms. */
function unmarked(content: unknown): string {
  const text = new TextDecoder().decode(decodePDFRawStream(content as PDFRawStream).decode());
  const open: string[] = [];
  return text.split("\n").flatMap((line) => {
    if (/ (BDC|BMC)$/.test(line)) open.push(line);
    else if (line === "EMC") open.pop();
    else if (open.length === 0 && !/^(q|Q|.* (cm|re W n|Do Q Q Q))$/.test(line)) return [line];
    return [];
  }).join("\n");
}

Deno.test("a copy claims PDF/UA if its original does, and PDF/A-2u if it claims level A or U", async () => {
  for (
    const [claim, accessible, archivable] of [
      ["1A 1", true, true],
      ["1B 1", true, false],
      ["2A 1", true, true],
      ["2B 1", true, false],
      ["2U 2", false, true],
      ["3U 1", true, true],
      ["3a 1", true, false],
      ["4U 1", true, false],
      ["22U 11", false, false],
    ] as const
  ) {
    const [, part, level, ua] = claim.match(/^(\d+)(\w) (\d+)$/)!;
    const xmp = XMP.replace("<pdfaid:part>2", `<pdfaid:part>${part}`)
      .replace("<pdfaid:conformance>U", `<pdfaid:conformance>${level}`)
      .replace("<pdfuaid:part>1", `<pdfuaid:part>${ua}`);
    const copy = await copyOf(await withXmp(certificate, xmp));
    assertEquals(await claimsIn(copy), { accessible, archivable }, claim);
  }
});

const body = (spaces: string, attributes: string, kids = "") =>
  `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ${spaces}>` +
  `<r:Description ${attributes}>${kids}</r:Description></r:RDF>`;
const A = 'xmlns:a="http://www.aiim.org/pdfa/ns/id/"';

Deno.test("claims are read in every form of XMP, and not in one that is malformed, twofold or too large", async () => {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16();
  const claimed = { accessible: false, archivable: true };
  for (
    const [what, xmp, claims] of [
      ["attributes", body(A, 'a:part="2" a:conformance="U"'), claimed],
      [
        "other prefixes",
        body("", A, "<a:part> 2 </a:part><a:conformance>U</a:conformance>"),
        claimed,
      ],
      ["UTF-16", utf16(XMP), ALL],
      ["after 1,000 spaces", " ".repeat(1000) + XMP, ALL],
      [
        "another namespace",
        body('xmlns:pdfaid="x:"', 'pdfaid:part="2" pdfaid:conformance="U"'),
        NONE,
      ],
      ["in a comment", `<!--${XMP.replaceAll("--", "")}--><x/>`, NONE],
      ["two parts", body(A, 'a:part="2" a:conformance="U"', "<a:part>3</a:part>"), NONE],
      ["without an end", XMP.replace("</rdf:RDF>", ""), NONE],
      [
        "an entity",
        `<!DOCTYPE x [<!ENTITY u "U">]>${body(A, 'a:part="2" a:conformance="&u;"')}`,
        NONE,
      ],
      ["invalid UTF-8", Buffer.concat([Buffer.from(XMP), Buffer.from([0xff])]), NONE],
      ["nothing", "", NONE],
      ["of more than 1 MiB", XMP + " ".repeat(1024 * 1024), NONE],
      ["100,000 levels deep", "<a>".repeat(100_000), NONE],
    ] as const
  ) {
    const copy = await copyOf(await withXmp(certificate, xmp));
    assertEquals(await claimsIn(copy), claims, what);
  }
});

const entriesOf = (pdf: PDFDocument, key: string) => pdf.catalog.lookup(PDFName.of(key), PDFDict);

function addLink(pdf: PDFDocument, { contents, tag }: { contents?: string; tag: boolean }): void {
  const { context } = pdf;
  const page = pdf.getPage(0);
  const link = context.register(context.obj({
    Type: "Annot",
    Subtype: "Link",
    Rect: [50, 50, 100, 100],
    Border: [0, 0, 0],
    A: { S: "URI", URI: PDFString.of("https://trust.example") },
    ...contents !== undefined && { Contents: PDFString.of(contents) },
  }));
  page.node.addAnnot(link);
  if (!tag) return;
  const document = entriesOf(pdf, "StructTreeRoot").lookup(PDFName.of("K"), PDFDict);
  const reference = { Type: "OBJR", Obj: link, Pg: page.ref };
  const element = context.obj({ Type: "StructElem", S: "Link", P: document, K: [reference] });
  document.lookup(PDFName.of("K"), PDFArray).push(context.register(element));
}

/** Changes of a certificate after which it is no longer accessible, or can no longer be archived. */
const UNTRUE: [what: string, change: (pdf: PDFDocument) => void, left: Claims][] = [
  ["nothing", () => {}, ALL],
  [
    "no language",
    ({ catalog }) => catalog.delete(PDFName.of("Lang")),
    { accessible: false, archivable: true },
  ],
  [
    "no marks",
    ({ catalog }) => catalog.delete(PDFName.of("MarkInfo")),
    { accessible: false, archivable: true },
  ],
  [
    "suspect marks",
    (pdf) => entriesOf(pdf, "MarkInfo").set(PDFName.of("Suspects"), PDFBool.True),
    { accessible: false, archivable: true },
  ],
  [
    "no tags",
    ({ catalog }) => catalog.delete(PDFName.of("StructTreeRoot")),
    { accessible: false, archivable: true },
  ],
  [
    "headings of both kinds",
    (pdf) =>
      entriesOf(pdf, "StructTreeRoot").set(PDFName.of("RoleMap"), pdf.context.obj({ H2: "H" })),
    { accessible: false, archivable: true },
  ],
  [
    "a link without a tag",
    (pdf) => addLink(pdf, { contents: "Trust", tag: false }),
    { accessible: false, archivable: true },
  ],
  [
    "a link without a description",
    (pdf) => addLink(pdf, { tag: true }),
    { accessible: false, archivable: true },
  ],
  ["a link with both", (pdf) => addLink(pdf, { contents: "Trust", tag: true }), ALL],
  [
    "a filter that archives cannot read",
    (pdf) => {
      const { dict } = pdf.getPage(0).node.Contents() as PDFRawStream;
      dict.set(PDFName.of("Filter"), pdf.context.obj(["LZWDecode"]));
    },
    { accessible: true, archivable: false },
  ],
  [
    "a font without its file",
    ({ context }) =>
      context.enumerateIndirectObjects().forEach(([, object]) =>
        object instanceof PDFDict && object.delete(PDFName.of("FontFile2"))
      ),
    NONE,
  ],
];

for (const [what, change, left] of UNTRUE) {
  Deno.test(`a copy of an original with ${what} claims ${JSON.stringify(left)}`, async () => {
    const pdf = await PDFDocument.load(certificate, { updateMetadata: false });
    change(pdf);
    assertEquals(await claimsIn(await copyOf(await pdf.save())), left);
  });
}

Deno.test("the colours of an original that says what they are stay as it says", async () => {
  const pdf = await PDFDocument.load(certificate, { updateMetadata: false });
  const intents = pdf.catalog.lookup(PDFName.of("OutputIntents"), PDFArray);
  intents.lookup(0, PDFDict).set(PDFName.of("OutputConditionIdentifier"), PDFString.of("Mine"));
  intents.push(pdf.context.obj({ Type: "OutputIntent", S: "GTS_PDFX" }));
  const copy = await PDFDocument.load(await copyOf(await pdf.save()));
  const copied = copy.catalog.lookup(PDFName.of("OutputIntents"), PDFArray);
  assertEquals(copied.size(), 2);
  assert(String(copied.lookup(0)).includes("(Mine)"));
});

Deno.test("a text of XMP and Info has no characters that XML cannot have", () => {
  assertEquals(inXml("a\u0000\u000b\ud800b\uffff é😀\n"), "a\ufffdb é😀\n");
});

Deno.test("metadata with thousands of prefixes and properties are read in a moment", async () => {
  const spaces = Array.from({ length: 8_000 }, (_, i) => `xmlns:a${i}="b"`).join(" ");
  const properties = '<a0:x xmlns:q="r"/>'.repeat(8_000);
  const rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
  const xmp =
    `<rdf:RDF xmlns:rdf="${rdf}" ${spaces}><rdf:Description>${properties}</rdf:Description></rdf:RDF>`;
  const source = await readSource(await withXmp(certificate, xmp));
  const start = performance.now();
  readMetadata(source);
  // It took 20 seconds; the limit leaves room for a busy machine.
  assert(performance.now() - start < 3_000);
});
