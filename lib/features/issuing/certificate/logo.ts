import {
  type PDFContext,
  PDFDocument,
  PDFName,
  PDFObjectCopier,
  type PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";

/** The most pixels of a logo. Reading one takes 4 bytes for each. */
const MAX_PIXELS = 4_000_000;

/** A picture that can be added to any number of PDFs. */
export interface Logo {
  width: number;
  height: number;
  addTo(context: PDFContext): PDFRef;
}

/**
 * Reads a PNG or JPEG file, which takes longer than making a certificate.
 *
 * @returns null if it cannot be read, and `cmyk` if its colours are those of a printer
 */
export async function readLogo(bytes: Uint8Array): Promise<Logo | "cmyk" | null> {
  try {
    const pdf = await PDFDocument.create({ updateMetadata: false });
    const isPng = bytes[0] === 0x89;
    if (isPng && pngPixels(bytes) > MAX_PIXELS) return null;
    const image = isPng ? await pdf.embedPng(bytes) : await pdf.embedJpg(bytes);
    await image.embed();
    const { width, height, ref } = image;
    // The colours of archived PDFs are those of a screen.
    const space = pdf.context.lookup(ref, PDFStream).dict.get(PDFName.of("ColorSpace"));
    if (space === PDFName.of("DeviceCMYK")) return "cmyk";
    if (!(width > 0 && height > 0)) return null;
    return {
      width,
      height,
      addTo: (context) => PDFObjectCopier.for(pdf.context, context).copy(ref),
    };
  } catch {
    // The library's errors for damaged files have no common class.
    return null;
  }
}

function pngPixels(bytes: Uint8Array): number {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return header.getUint32(16) * header.getUint32(20);
}
