import { PDFDocument, PDFHexString, PDFName, PDFString } from "@cantoo/pdf-lib";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { fail, type Failure } from "../../../base/result.ts";
import { describe } from "../../../platform/pdf/describe.ts";
import { Drawing } from "../../../platform/pdf/drawing.ts";
import { OUR_LANGUAGE, TagTree } from "../../../platform/pdf/tags.ts";
import { type WideFont, WideFonts } from "../../../platform/pdf/wide/embed.ts";
import { FontSet } from "../../../platform/pdf/wide/font_set.ts";
import {
  type CertificateFields,
  type CertificateIssuer,
  type CertificateTexts,
  issuesOf,
  textsOf,
} from "./fields.ts";
import { type Logo, readLogo } from "./logo.ts";
import { type CertificateFont, drawCertificate, PAPER } from "./page.ts";

/** The input of a certificate. Equal input gives equal bytes. */
export interface CertificateInput {
  fields: CertificateFields;
  issuer: CertificateIssuer;
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

type CertificateFonts = Record<CertificateFont, readonly WideFont[]>;

/** Returns the function that makes certificates. It keeps the fonts, and the logo of the last one. */
export async function createMaker(): Promise<
  (input: CertificateInput) => Promise<CertificateResult>
> {
  const opened = new WideFonts();
  const display = await opened.open("SourceSerif-Display");
  const text = await opened.open("SourceSerif-Regular");
  const other = await opened.open("SourceSans-Regular");
  const fonts = { display: [display], text: [text], other: [other] };
  let last: { bytes: Uint8Array; logo: Awaited<ReturnType<typeof readLogo>> } | undefined;
  return async ({ fields, issuer, logo: bytes, at, test = false, random = "" }) => {
    const issues = issuesOf(fields, issuer, [text.face, other.face]);
    if (bytes !== undefined && (last === undefined || !Buffer.from(last.bytes).equals(bytes))) {
      last = { bytes: bytes.slice(), logo: await readLogo(bytes) };
    }
    const logo = bytes === undefined ? undefined : last!.logo;
    if (logo === null) issues.logo = "The logo is not a PNG or JPEG file that can be read.";
    if (logo === "cmyk") issues.logo = IN_CMYK;
    if (logo === null || logo === "cmyk" || Object.keys(issues).length > 0) {
      return fail("invalid_request", { issues });
    }
    const texts = textsOf(fields, issuer);
    const id = createHash("sha256").update(JSON.stringify([texts, at, test, random])).update(
      bytes ?? "",
    )
      .digest("hex").slice(0, 32);
    return { ok: true, bytes: await draw({ texts, logo, at, test, id }, fonts) };
  };
}

const IN_CMYK =
  "The logo has the colours of a printer (CMYK). Save it in RGB, and upload it again.";

async function draw(
  { texts, logo, at, test, id }: {
    texts: CertificateTexts;
    test: boolean;
    logo: Logo | undefined;
    at: string;
    id: string;
  },
  fonts: CertificateFonts,
): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const { context, catalog } = pdf;
  describe(pdf, {
    title: `${test ? "TEST: " : ""}${texts.title}: ${texts.name}`,
    author: texts.issuer,
    at,
    claims: { accessible: true, archivable: true },
  });
  catalog.set(PDFName.of("Lang"), PDFString.of(OUR_LANGUAGE));
  catalog.set(PDFName.of("MarkInfo"), context.obj({ Marked: true }));
  context.trailerInfo.ID = context.obj([PDFHexString.of(id), PDFHexString.of(id)]);
  const drawing = new Drawing<CertificateFont>(new FontSet(context, fonts), 0);
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
