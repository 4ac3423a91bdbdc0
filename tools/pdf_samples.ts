/**
 * Writes PDFs of every kind that the site makes, for programs that validate PDF/UA and PDF/A: certificates
 * and their issued copies, copies of other originals, cover sheets, and the standard.
 *
 *     deno task pdf:samples <folder>
 *
 * @module
 */
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { join } from "node:path";
import { PNG } from "pngjs";
import { coverSheet, stampPdf } from "../lib/features/documents/pdf/stamp.ts";
import { createPdf, DETAILS, taggedPdf } from "../lib/features/documents/testing/pdfs.ts";
import type { CertificateFields } from "../lib/features/issuing/certificate/mod.ts";
import { type CertificateInput, createMaker } from "../lib/features/issuing/certificate/make.ts";
import { PDF_FILE } from "../lib/features/standard/mod.ts";
import { writeXmp } from "../packages/pdf/mod.ts";

const NAMES = [
  "Ada Lovelace",
  "Maximiliane Wolfeschlegelsteinhausenbergerdorff",
  "Nguyễn Thị Ánh Đặng",
  "Ọlájùmọ̀kẹ́ Adébáyọ̀",
  "Ļajuan J̌emļo̧k",
  "Αλέξανδρος Παπαδόπουλος",
  "Дмитро Щербань",
  "محمد بن عبد الله",
  "דוד (דודי) כהן",
  "आकांक्षा क्षत्रिय",
  "তৃষ্ণা চট্টোপাধ্যায়",
  "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ",
  "தமிழ்ச்செல்வி",
  "สมหญิง น้ำผึ้ง",
  "សុភ័ក្ត្រ ខ្មែរ",
  "မြန်မာ ကျော်",
  "ქეთევან ბერიძე",
  "Müller 王小明",
  "佐藤 さくら",
  "김민준",
];

const FIELDS: Omit<CertificateFields, "name"> = {
  title: "Certificate III in Early Childhood Education and Care",
  date: "2026-11-20",
  subtitle: "Specialisation in inclusive practice",
  body:
    "Has met all requirements of the qualification, including 160 hours of work placement, and " +
    "has shown sound knowledge of children’s development, safety and wellbeing.",
  grade: "With distinction",
  signatory: "Dr Maria Schmidt",
  signatory_title: "Director of Studies",
};

const picture = new PNG({ width: 120, height: 60 });
picture.data.fill(0x60);

/** Yields the inputs of the certificates: with all fields, and with the fewest. */
function* inputs(): Generator<CertificateInput> {
  const about = {
    issuer: { name: "Harbour College", domain: "harbour.example" },
    at: "2026-11-28T15:00:00.000Z",
  };
  const logo = new Uint8Array(PNG.sync.write(picture));
  for (const [i, name] of NAMES.entries()) {
    yield i % 2 === 0
      ? { ...about, fields: { ...FIELDS, name }, logo, test: i === 0 }
      : { ...about, fields: { name, title: "Welding", date: "2026-11-20" } };
  }
}

/** Returns a PDF that claims parts and levels of PDF/A and PDF/UA, true or not. */
async function claiming(bytes: Uint8Array, pdfa: string, pdfua: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const [, part, level] = pdfa.match(/^(\d)(\w)$/)!;
  const xmp = writeXmp({
    title: pdf.getTitle() ?? "Sample",
    author: pdf.getAuthor() ?? "",
    at: DETAILS.issuedAt,
    claims: { accessible: true, archivable: true },
  })
    .replace("<pdfaid:part>2", `<pdfaid:part>${part}`)
    .replace("<pdfaid:conformance>U", `<pdfaid:conformance>${level}`)
    .replace("<pdfuaid:part>1", `<pdfuaid:part>${pdfua}`);
  const stream = pdf.context.stream(new TextEncoder().encode(xmp), {
    Type: "Metadata",
    Subtype: "XML",
  });
  pdf.catalog.set(PDFName.of("Metadata"), pdf.context.register(stream));
  return await pdf.save();
}

const [folder] = Deno.args;
if (folder === undefined) {
  console.error("Usage: deno task pdf:samples <folder>");
  Deno.exit(2);
}
await Deno.mkdir(folder, { recursive: true });
let count = 0;
const write = async (name: string, bytes: Uint8Array) => {
  await Deno.writeFile(join(folder, `${name}.pdf`), bytes);
  count++;
};
/** Writes an original and its issued copy. */
const writeBoth = async (name: string, original: Uint8Array) => {
  await write(name, original);
  const copy = await stampPdf(original, DETAILS);
  if (!copy.unchanged) await write(`${name}-copy`, copy.bytes);
};

const maker = createMaker();
let certificate = new Uint8Array();
for (const [i, input] of [...inputs()].entries()) {
  const made = await maker.make(input);
  if (!made.ok) throw new Error(JSON.stringify(made));
  await writeBoth(`certificate-${String(i + 1).padStart(2, "0")}`, certificate = made.bytes);
}
for (const level of ["1A", "1B", "2A", "2B", "2U", "3A", "3B", "3U", "4E"]) {
  await writeBoth(`claims-${level}-ua1`, await claiming(certificate, level, "1"));
}
await writeBoth("claims-2U-ua2", await claiming(certificate, "2U", "2"));
const untagged = await (await createPdf([{}, {}])).save();
const tagged = await (await taggedPdf()).save();
await writeBoth("untagged", untagged);
await writeBoth("untagged-untrue", await claiming(untagged, "2U", "1"));
await writeBoth("tagged", tagged);
await writeBoth("tagged-untrue", await claiming(tagged, "2U", "1"));
for (const organisation of ["foundation", "commercial"] as const) {
  const details = { ...DETAILS, organisation };
  await write(`cover-sheet-${organisation}`, await coverSheet(details, { size: 10 }));
}
await write("cover-sheet-test", await coverSheet({ ...DETAILS, test: true }, { size: 10 }));
await writeBoth("standard", await Deno.readFile(PDF_FILE));
console.log(`${count} files in ${folder}`);
