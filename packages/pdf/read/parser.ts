/**
 * Parses the objects of a file with their places.
 *
 * @module
 */
import {
  type PDFContext,
  type PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFParser,
  PDFRawStream,
  PDFRef,
} from "@cantoo/pdf-lib";
import { latin1 } from "../../../lib/base/encoding.ts";
import type { Inflation } from "./inflation.ts";
import { PdfError } from "../problem.ts";

/** An object as the parser read it. */
interface Definition {
  ref: PDFRef;
  /** The offset of the object, or of the object stream that contains it. */
  offset: number;
}

/** The members of pdf-lib's parser that its types hide from subclasses. */
interface Parser {
  readonly context: PDFContext;
  readonly bytes: { offset(): number; moveTo(offset: number): void };
  parseDocument(): Promise<PDFContext>;
  parseIndirectObject(): Promise<PDFRef>;
  parseObject(ref?: PDFRef): PDFObject;
  parseDict(ref?: PDFRef): PDFDict;
  findEndOfStreamFallback(start: unknown): number;
}

/** An object that is a number, which may be the length of a stream. */
const NUMBER = /(?<!\d)(\d{1,10})\s+\d{1,5}\s+obj\s*(\d{1,10})\s*endobj/g;

/** The largest number of an object that all programs read. */
const MAX_OBJECT_NUMBER = 4_194_304;

const END_OF_STREAM = /\s*endstream/y;

const Parser = PDFParser as unknown as new (bytes: Uint8Array) => Parser;

/**
 * pdf-lib's parser, which also notes where each object is, reads the lengths of streams that are objects of
 * their own, and limits the size that objects inflate to.
 * Like pdf-lib's, it reads all objects of a file and ignores the cross-reference tables.
 */
export class LocatingParser extends Parser {
  /** The last definition of each object, by the object's number. */
  readonly definitions = new Map<number, Definition>();
  /** Cross-reference streams by their offsets. */
  readonly tables = new Map<number, PDFRawStream>();
  /** True if an object is defined more than once. */
  repeated = false;
  readonly #inflation: Inflation;
  readonly #source: Uint8Array;
  /** The same in Latin-1. */
  readonly #text: string;
  #offset = -1;
  /** The dictionary that was read last, which is that of a stream if one follows. */
  #dict: PDFDict | undefined;
  /** The values of the objects that are numbers, by the objects' numbers. */
  #numbers: Map<number, number[]> | undefined;
  /** Where a stream begins whose end was only guessed, because its length is in an object stream. */
  #guessed: number | undefined;
  readonly #unsure: { stream: PDFRawStream; start: number }[] = [];

  constructor(bytes: Uint8Array, inflation: Inflation) {
    super(bytes);
    this.#source = bytes;
    this.#text = latin1(bytes);
    this.#inflation = inflation;
    const { context } = this;
    const assign = context.assign.bind(context);
    context.assign = (ref, object) => {
      const before = this.definitions.get(ref.objectNumber);
      if (before !== undefined && before.offset !== this.#offset) this.repeated = true;
      if (before !== undefined && before.ref !== ref) context.delete(before.ref);
      this.definitions.set(ref.objectNumber, { ref, offset: this.#offset });
      assign(ref, object);
    };
  }

  /** @throws {PdfError} if the objects inflate to too much */
  override async parseDocument(): Promise<PDFContext> {
    const context = await super.parseDocument();
    // The parser skips objects that fail.
    if (this.#inflation.exceeded) throw new PdfError("too_complex");
    if (context.largestObjectNumber > MAX_OBJECT_NUMBER) {
      throw new PdfError("damaged", "some programs ignore its objects with large numbers");
    }
    for (const { stream, start } of this.#unsure) {
      const length = stream.dict.lookup(PDFName.of("Length"));
      const end = start + (length instanceof PDFNumber ? length.asNumber() : NaN);
      if (this.#endOf(end) === undefined) continue;
      (stream as { contents: Uint8Array }).contents = this.#source.slice(start, end);
    }
    return context;
  }

  override parseIndirectObject(): Promise<PDFRef> {
    this.#offset = this.bytes.offset();
    return super.parseIndirectObject();
  }

  override parseObject(ref?: PDFRef): PDFObject {
    const object = super.parseObject(ref);
    if (!(object instanceof PDFRawStream)) return object;
    if (this.#guessed !== undefined) this.#unsure.push({ stream: object, start: this.#guessed });
    this.#guessed = undefined;
    const type = object.dict.lookup(PDFName.of("Type"));
    if (type !== PDFName.of("ObjStm") && type !== PDFName.of("XRef")) return object;
    const decoded = PDFRawStream.of(object.dict, this.#inflation.decode(object));
    object.dict.delete(PDFName.of("Filter"));
    if (type === PDFName.of("XRef")) this.tables.set(this.#offset, decoded);
    return decoded;
  }

  override parseDict(ref?: PDFRef): PDFDict {
    return this.#dict = super.parseDict(ref);
  }

  /** Returns the end of a stream. pdf-lib would leave out a last byte that is a line break. */
  override findEndOfStreamFallback(from: unknown): number {
    const length = this.#dict?.get(PDFName.of("Length"));
    const start = this.bytes.offset();
    if (!(length instanceof PDFRef)) return super.findEndOfStreamFallback(from);
    for (const number of this.#valuesOf(length)) {
      const after = this.#endOf(start + number);
      if (after === undefined) continue;
      this.bytes.moveTo(after);
      return start + number;
    }
    this.#guessed = start;
    return super.findEndOfStreamFallback(from);
  }

  /** Returns where the keyword that follows a stream ends; undefined if there is none. */
  #endOf(end: number): number | undefined {
    END_OF_STREAM.lastIndex = end;
    return END_OF_STREAM.test(this.#text) ? END_OF_STREAM.lastIndex : undefined;
  }

  /** Returns the values of an object that is a number, the newest first. */
  #valuesOf({ objectNumber }: PDFRef): number[] {
    if (this.#numbers === undefined) {
      this.#numbers = new Map();
      for (const [, number, value] of this.#text.matchAll(NUMBER)) {
        const values = this.#numbers.get(Number(number)) ?? [];
        this.#numbers.set(Number(number), [Number(value), ...values]);
      }
    }
    return this.#numbers.get(objectNumber) ?? [];
  }
}
