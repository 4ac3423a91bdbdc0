/** Reads PNG and JPEG files for use on certificates. */
import {
  type PDFContext,
  PDFDocument,
  PDFName,
  PDFObjectCopier,
  type PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { Buffer } from "node:buffer";

/** The most pixels of a picture. Reading one takes 4 bytes for each. */
const MAX_PIXELS = 4_000_000;

/** A picture that can be added to any number of PDFs. */
export interface Picture {
  width: number;
  height: number;
  addTo(context: PDFContext): PDFRef;
}

/** A picture, or why it cannot be used. */
type ReadPicture = Picture | "unreadable" | "cmyk";

/** Returns a function that reads pictures and keeps the last one, because reading takes longer than drawing. */
export function keepLast(): (bytes: Uint8Array) => Promise<ReadPicture> {
  let last: { bytes: Uint8Array; picture: ReadPicture } | undefined;
  return async (bytes) => {
    if (last === undefined || !Buffer.from(last.bytes).equals(bytes)) {
      last = { bytes: bytes.slice(), picture: await readPicture(bytes) };
    }
    return last.picture;
  };
}

/** Reads a PNG or JPEG file. */
async function readPicture(bytes: Uint8Array): Promise<ReadPicture> {
  try {
    const pdf = await PDFDocument.create({ updateMetadata: false });
    const isPng = bytes[0] === 0x89;
    if (isPng && pngPixels(bytes) > MAX_PIXELS) return "unreadable";
    const image = isPng ? await pdf.embedPng(bytes) : await pdf.embedJpg(bytes);
    await image.embed();
    const { width, height, ref } = image;
    // The colours of archived PDFs are those of a screen.
    const space = pdf.context.lookup(ref, PDFStream).dict.get(PDFName.of("ColorSpace"));
    if (space === PDFName.of("DeviceCMYK")) return "cmyk";
    if (!(width > 0 && height > 0)) return "unreadable";
    return {
      width,
      height,
      addTo: (context) => PDFObjectCopier.for(pdf.context, context).copy(ref),
    };
  } catch {
    // The library's errors for damaged files have no common class.
    return "unreadable";
  }
}

function pngPixels(bytes: Uint8Array): number {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return header.getUint32(16) * header.getUint32(20);
}
