import {
  degrees,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFString,
  StandardFonts,
} from "@cantoo/pdf-lib";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { IssueDetails } from "../new_version.ts";

export const DETAILS: IssueDetails = {
  address: (page) => `https://trust.example/d/7K3M9Q2XB4TW01RA/${page}`,
  sha256: "3f5a9c0177de0b12".repeat(4),
  issuer: {
    name: "Open Records Foundation",
    registration: "No. 12345, Keizersgracht 1, Amsterdam",
  },
  issuedAt: "2026-11-22T14:05:00.000Z",
  title: "Certificate of conformity",
  checkUrl: "https://trust.example/check",
};

export const A4: [width: number, height: number] = [595.28, 841.89];
export const LETTER: [width: number, height: number] = [612, 792];

export interface PageSpec {
  size?: [width: number, height: number];
  rotation?: number;
  /** The lower left of the page's coordinates. */
  origin?: [x: number, y: number];
  /** Cut from each side by the CropBox. */
  cropped?: number;
  userUnit?: number;
}

/** Creates a PDF whose pages say `Page <n>` at 50, 100 from the lower left of the visible part. */
export async function createPdf(pages: PageSpec[] = [{}]): Promise<PDFDocument> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const font = await pdf.embedFont(StandardFonts.TimesRoman);
  for (const [i, { size: [width, height] = A4, ...spec }] of pages.entries()) {
    const { rotation = 0, origin: [x, y] = [0, 0], cropped = 0, userUnit = 1 } = spec;
    const page = pdf.addPage([width, height]);
    page.setMediaBox(x, y, width, height);
    if (cropped !== 0) {
      page.setCropBox(x + cropped, y + cropped, width - 2 * cropped, height - 2 * cropped);
    }
    page.setRotation(degrees(rotation));
    if (userUnit !== 1) page.node.set(PDFName.of("UserUnit"), pdf.context.obj(userUnit));
    page.drawText(`Page ${i + 1}`, { x: x + cropped + 50, y: y + cropped + 100, size: 20, font });
  }
  return pdf;
}

/** Returns a PDF with a signature field, which by default is signed. */
export async function signedPdf(
  pages: number,
  { signed = true } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await createPdf(Array(pages).fill({}));
  const signature = pdf.context.register(pdf.context.obj({
    Type: "Sig",
    ByteRange: [0, 100, 200, 100],
    Contents: PDFHexString.of("00".repeat(50)),
  }));
  const field = pdf.context.obj({
    FT: "Sig",
    T: PDFString.of("Signature"),
    ...signed && { V: signature },
  });
  pdf.catalog.set(
    PDFName.of("AcroForm"),
    pdf.context.obj({ Fields: [pdf.context.obj({ Kids: [field] })] }),
  );
  return new Uint8Array(await pdf.save());
}

export interface ReadPage {
  /** As a viewer shows it, in points. */
  width: number;
  height: number;
  rotation: number;
  /** The texts with the positions where they begin, in points from the lower left. */
  texts: { text: string; x: number; y: number }[];
}

/** Reads a PDF with the viewer's library. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPage[]> {
  const task = getDocument({ data: bytes.slice(), verbosity: 0 });
  try {
    const pdf = await task.promise;
    return await Promise.all(
      Array.from({ length: pdf.numPages }, async (_, i) => {
        const page = await pdf.getPage(i + 1);
        const viewport = page.getViewport({ scale: 1 });
        const { items } = await page.getTextContent();
        const texts = items.flatMap((item) => {
          if (!("str" in item) || item.str.trim() === "") return [];
          const [x, fromTop] = viewport.convertToViewportPoint(
            item.transform[4],
            item.transform[5],
          );
          return [{ text: item.str, x, y: viewport.height - fromTop }];
        });
        const { width, height } = viewport;
        return { width, height, rotation: page.rotate, texts };
      }),
    );
  } finally {
    await task.destroy();
  }
}

/** Returns the texts of a page in one line. */
export const textOf = ({ texts }: ReadPage): string => texts.map(({ text }) => text).join(" ");
