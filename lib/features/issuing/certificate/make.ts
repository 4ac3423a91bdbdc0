/** Makes the PDF of a certificate from its texts and pictures. */
import { PDFDocument, PDFHexString, PDFName, type PDFRef, PDFString } from "@cantoo/pdf-lib";
import { createHash } from "node:crypto";
import { fail, type Failure } from "../../../base/result.ts";
import {
  describe,
  Drawing,
  FontSet,
  OUR_LANGUAGE,
  TagTree,
  WideFonts,
} from "../../../../packages/pdf/mod.ts";
import {
  type CertificateFields,
  type CertificateIssuer,
  type CertificateTexts,
  issuesOf,
  textsOf,
} from "./fields.ts";
import { drawCertificate, SIZES } from "./page.ts";
import { CERTIFICATE_FONTS, type CertificateFont } from "./parts.ts";
import { keepLast, type Picture } from "./picture.ts";

/** The texts of a certificate, and its issuer. */
export interface CheckInput {
  fields: CertificateFields;
  issuer: CertificateIssuer;
}

/** The input of a certificate. Equal input gives equal bytes. */
export interface CertificateInput extends CheckInput {
  /** The issuer's picture, and the signature of the signatory, as PNG or JPEG files. */
  logo?: Uint8Array;
  signature?: Uint8Array;
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

/** Creates the maker of a thread. It keeps the fonts, and the pictures of the last certificate. */
export function createMaker(): Maker {
  const fonts = new WideFonts();
  const missing = (text: string) => fonts.line(CERTIFICATE_FONTS.text, text).missing;
  const readers = { logo: keepLast(), signature: keepLast() };
  const make: Maker["make"] = async (
    { fields, issuer, at, test = false, random = "", ...files },
  ) => {
    const issues = issuesOf(fields, issuer, missing);
    const pictures: Pictures = {};
    for (const kind of PICTURES) {
      const bytes = files[kind];
      const picture = bytes && await readers[kind](bytes);
      if (typeof picture === "string") issues[kind] = unusable(kind, picture);
      else if (picture !== undefined) pictures[kind] = picture;
    }
    if (Object.keys(issues).length > 0) return fail("invalid_request", { issues });
    const texts = textsOf(fields, issuer);
    const hash = createHash("sha256").update(JSON.stringify([texts, at, test, random]));
    for (const kind of PICTURES) hash.update(files[kind] ?? "").update(kind);
    const id = hash.digest("hex").slice(0, 32);
    return { ok: true, bytes: await draw({ texts, pictures, at, test, id }, fonts) };
  };
  return {
    check: (all) => all.map(({ fields, issuer }) => issuesOf(fields, issuer, missing)),
    make,
  };
}

const PICTURES = ["logo", "signature"] as const;
type Pictures = { [Kind in typeof PICTURES[number]]?: Picture };

const unusable = (kind: keyof Pictures, problem: "unreadable" | "cmyk"): string =>
  problem === "cmyk"
    ? `The ${kind} uses print colours (CMYK). Save it in RGB, and upload it again.`
    : `The ${kind} is not a PNG or JPEG file that can be read.`;

async function draw(
  { texts, pictures, at, test, id }: {
    texts: CertificateTexts;
    pictures: Pictures;
    test: boolean;
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
    claims: { accessible: true, archivable: true },
  });
  catalog.set(PDFName.of("Lang"), PDFString.of(OUR_LANGUAGE));
  catalog.set(PDFName.of("MarkInfo"), context.obj({ Marked: true }));
  context.trailerInfo.ID = context.obj([PDFHexString.of(id), PDFHexString.of(id)]);
  const { domain } = texts;
  const fontSet = new FontSet(context, fonts, CERTIFICATE_FONTS, { domain });
  const drawing = new Drawing<CertificateFont>(fontSet, 0);
  const paper = SIZES[texts.paper];
  drawCertificate(drawing, { texts, paper, pictures, test });
  const page = pdf.addPage([paper.width, paper.height]);
  const xObjects = Object.entries(pictures)
    .map(([kind, picture]): [string, PDFRef] => [kind, picture.addTo(context)]);
  page.node.set(
    PDFName.of("Resources"),
    context.obj({
      Font: drawing.fonts.ref,
      ...xObjects.length > 0 && { XObject: Object.fromEntries(xObjects) },
    }),
  );
  page.node.set(PDFName.of("Contents"), context.register(context.flateStream(String(drawing))));
  const tags = new TagTree(context);
  tags.appendSection(page, drawing.tags);
  tags.write(catalog);
  drawing.fonts.write();
  return new Uint8Array(await pdf.save({ objectsPerTick: Infinity }));
}
