import { decodePDFRawStream, PDFContext, PDFDict, PDFName, PDFRawStream } from "@cantoo/pdf-lib";

/** The most bytes that compressed objects, and page contents of several streams, may inflate to. */
const LIMIT = 64 * 1024 * 1024;

interface GrowingStream {
  buffer: Uint8Array;
  ensureBuffer(size: number): Uint8Array;
}

/** A limit that ends when it is disposed of. */
interface InflationLimit extends Disposable {
  exceeded(): boolean;
}

/**
 * Limits the memory that pdf-lib's decoders use in this thread, because the package has no limit.
 * Its parser skips objects that fail, so the caller has to check afterwards.
 */
export function limitInflation(limit = LIMIT): InflationLimit {
  const dict = PDFDict.withContext(PDFContext.create());
  dict.set(PDFName.of("Filter"), PDFName.of("ASCIIHexDecode"));
  const decoder = decodePDFRawStream(PDFRawStream.of(dict, new Uint8Array()));
  const prototype: GrowingStream = Object.getPrototypeOf(Object.getPrototypeOf(decoder));
  const { ensureBuffer } = prototype;
  let used = 0;
  prototype.ensureBuffer = function (size) {
    const before = this.buffer.byteLength;
    if (size > before && used + size - before > limit) {
      used = Infinity;
      throw new RangeError("The PDF inflates to too much.");
    }
    const buffer = ensureBuffer.call(this, size);
    used += buffer.byteLength - before;
    return buffer;
  };
  return {
    exceeded: () => used === Infinity,
    [Symbol.dispose]: () => void (prototype.ensureBuffer = ensureBuffer),
  };
}
