/**
 * Inflates the streams of one file, within a limit.
 *
 * @module
 */
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFRawStream,
} from "@cantoo/pdf-lib";
import { concat } from "@std/bytes/concat";
import { constants, inflateSync } from "node:zlib";
import { withoutPredictor } from "./predictor.ts";
import { PdfError } from "../problem.ts";

/** The most bytes that compressed objects, and page contents of several streams, may inflate to. */
const LIMIT = 64 * 1024 * 1024;

/** How much of a stream the older filters decode at once. */
const STEP = 64 * 1024;

/**
 * Decodes the streams of one PDF, which may inflate to a limited size in total. pdf-lib's decoders
 * have no limit, and inflate a block of any size at once.
 */
export class Inflation {
  #left: number;

  /** @param limit the most bytes in total */
  constructor(limit = LIMIT) {
    this.#left = limit;
  }

  /** True if the PDF inflates to more than the limit. */
  get exceeded(): boolean {
    return this.#left < 0;
  }

  /**
   * Returns the bytes of a stream.
   *
   * @throws {PdfError} if the limit is exceeded
   * @throws {Error} if the stream is damaged, or a filter is unknown
   */
  decode({ dict, contents }: PDFRawStream): Uint8Array {
    const parameters = list(dict.lookup(PDFName.of("DecodeParms")));
    let bytes = contents;
    for (const [i, filter] of list(dict.lookup(PDFName.of("Filter"))).entries()) {
      if (filter === PDFName.of("FlateDecode")) {
        bytes = withoutPredictor(this.#inflate(bytes), parameters[i]);
      } else bytes = this.#decode(dict, filter, parameters[i], bytes);
    }
    return bytes;
  }

  #inflate(bytes: Uint8Array): Uint8Array {
    try {
      const inflated = inflateSync(bytes, {
        maxOutputLength: this.#left + 1,
        finishFlush: constants.Z_SYNC_FLUSH, // Accepts a stream without its end, as viewers do.
      });
      this.#use(inflated.length);
      return inflated;
    } catch (error) {
      if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") this.#use(Infinity);
      throw error;
    }
  }

  /** Decodes one of the older filters, which pdf-lib does in small steps. */
  #decode(
    { context }: PDFDict,
    filter: PDFObject,
    parameters: PDFObject | undefined,
    bytes: Uint8Array,
  ): Uint8Array {
    const dict = PDFDict.withContext(context);
    dict.set(PDFName.of("Filter"), filter);
    if (parameters !== undefined) dict.set(PDFName.of("DecodeParms"), parameters);
    const decoder = decodePDFRawStream(PDFRawStream.of(dict, bytes));
    const parts: Uint8Array[] = [];
    for (let part = decoder.getBytes(STEP); part.length > 0; part = decoder.getBytes(STEP)) {
      this.#use(part.length);
      parts.push(new Uint8Array(part));
    }
    return concat(parts);
  }

  #use(bytes: number): void {
    this.#left -= bytes;
    if (this.exceeded) throw new PdfError("too_complex");
  }
}

/** Returns the values of an entry that is an array, or a single value, or absent. */
const list = (value: PDFObject | undefined): PDFObject[] =>
  value instanceof PDFArray
    ? Array.from({ length: value.size() }, (_, i) => value.lookup(i)!)
    : value === undefined
    ? []
    : [value];
