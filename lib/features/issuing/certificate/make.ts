import { PDFDocument, PDFHexString, PDFName, PDFString } from "@cantoo/pdf-lib";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { fail, type Failure } from "../../../base/result.ts";
import { Drawing } from "../../../platform/pdf/drawing.ts";
import { OUR_LANGUAGE, TagTree } from "../../../platform/pdf/tags.ts";
import { FontSet } from "../../../platform/pdf/wide/font_set.ts";
import { WideFonts } from "../../../platform/pdf/wide/fonts.ts";
import {
  type CertificateFields,
  type CertificateIssuer,
  type CertificateTexts,
  issuesOf,
  textsOf,
} from "./fields.ts";
import { type Logo, readLogo } from "./logo.ts";
import { CERTIFICATE_FONTS, type CertificateFont, drawCertificate, PAPER } from "./page.ts";

/** What is printed on a certificate. */
export interface CheckInput {
  fields: CertificateFields;
  issuer: CertificateIssuer;
}

/** The input of a certificate. Equal input gives equal bytes. */
export interface CertificateInput extends CheckInput {
  /** The issuer's picture as a PNG or JPEG file. */
  logo?: Uint8Array;
  /** True if the page says that it is a test. */
  test?: boolean;
  /** When it is made, as ISO 8601 in UTC. */
  at: string;
  /** A random text, without which somebody could find the fields by trying whose hash is the published one. */
  random?: string;
}

export type CertificateResult = { ok: true; bytes: Uint8Array<ArrayBuffer> } | Failure;

/** Checks and makes certificates, one after the other. */
export interface Maker {
  /** Returns what is wrong with the fields of each certificate, by field; nothing if it can be made. */
  check(all: readonly CheckInput[]): Record<string, string>[];
  make(input: CertificateInput): Promise<CertificateResult>;
}

/** Creates the maker of a thread. It keeps the fonts, and the logo of the last certificate. */
export function createMaker(): Maker {
  const fonts = new WideFonts();
  const missing = (text: string) => fonts.line(CERTIFICATE_FONTS.text, text).missing;
  let last: { bytes: Uint8Array; logo: Logo | null } | undefined;
  const make: Maker["make"] = async (
    { fields, issuer, logo: bytes, at, test = false, random = "" },
  ) => {
    const issues = issuesOf(fields, issuer, missing);
    if (bytes !== undefined && (last === undefined || !Buffer.from(last.bytes).equals(bytes))) {
      last = { bytes: bytes.slice(), logo: await readLogo(bytes) };
    }
    const logo = bytes === undefined ? undefined : last!.logo;
    if (logo === null) issues.logo = "The logo is not a PNG or JPEG file that can be read.";
    if (logo === null || Object.keys(issues).length > 0) return fail("invalid_request", { issues });
    const texts = textsOf(fields, issuer);
    const id = createHash("sha256").update(JSON.stringify([texts, at, test, random])).update(
      bytes ?? "",
    )
      .digest("hex").slice(0, 32);
    return { ok: true, bytes: await draw({ texts, logo, at, test, id }, fonts) };
  };
  return {
    check: (all) => all.map(({ fields, issuer }) => issuesOf(fields, issuer, missing)),
    make,
  };
}

async function draw(
  { texts, logo, at, test, id }: {
    texts: CertificateTexts;
    test: boolean;
    logo: Logo | undefined;
    at: string;
    id: string;
  },
  fonts: WideFonts,
): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const { context, catalog } = pdf;
  describe(pdf, {
    title: `${test ? "TEST: " : ""}${texts.title}: ${texts.name}`,
    author: texts.issuer,
    at,
  });
  context.trailerInfo.ID = context.obj([PDFHexString.of(id), PDFHexString.of(id)]);
  const { domain } = texts;
  const fontSet = new FontSet(context, fonts, CERTIFICATE_FONTS, { domain });
  const drawing = new Drawing<CertificateFont>(fontSet, 0);
  drawCertificate(drawing, texts, { logo, test });
  const page = pdf.addPage([PAPER.width, PAPER.height]);
  page.node.set(
    PDFName.of("Resources"),
    context.obj({
      Font: drawing.fonts.ref,
      ...logo && { XObject: { Logo: logo.addTo(context) } },
    }),
  );
  page.node.set(PDFName.of("Contents"), context.register(context.flateStream(String(drawing))));
  const tags = new TagTree(context);
  tags.appendSection(page, drawing.tags);
  tags.write(catalog);
  drawing.fonts.write();
  return new Uint8Array(await pdf.save({ objectsPerTick: Infinity }));
}

/** Sets what programs show about a PDF. */
function describe(
  pdf: PDFDocument,
  { title, author, at }: { title: string; author: string; at: string },
): void {
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setAuthor(author);
  pdf.setProducer("Gatehouse");
  pdf.setCreationDate(new Date(at));
  pdf.setModificationDate(new Date(at));
  pdf.catalog.set(PDFName.of("Lang"), PDFString.of(OUR_LANGUAGE));
  pdf.catalog.set(PDFName.of("MarkInfo"), pdf.context.obj({ Marked: true }));
}
