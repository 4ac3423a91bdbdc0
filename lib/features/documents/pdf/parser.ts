import {
  type PDFContext,
  type PDFDict,
  PDFName,
  type PDFObject,
  PDFParser,
  PDFRawStream,
  PDFRef,
} from "@cantoo/pdf-lib";
import { latin1 } from "../file_types.ts";
import type { Inflation } from "./inflation.ts";
import { PdfError } from "./problem.ts";

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
  readonly #text: string;
  #offset = -1;
  /** The dictionary that was read last, which is that of a stream if one follows. */
  #dict: PDFDict | undefined;
  /** The values of the objects that are numbers, by the objects' numbers. */
  #numbers: Map<number, number[]> | undefined;

  constructor(bytes: Uint8Array, inflation: Inflation) {
    super(bytes);
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
    return context;
  }

  override parseIndirectObject(): Promise<PDFRef> {
    this.#offset = this.bytes.offset();
    return super.parseIndirectObject();
  }

  override parseObject(ref?: PDFRef): PDFObject {
    const object = super.parseObject(ref);
    if (!(object instanceof PDFRawStream)) return object;
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
  override findEndOfStreamFallback(start: unknown): number {
    const length = this.#dict?.get(PDFName.of("Length"));
    const offset = this.bytes.offset();
    for (const number of length instanceof PDFRef ? this.#valuesOf(length) : []) {
      END_OF_STREAM.lastIndex = offset + number;
      if (!END_OF_STREAM.test(this.#text)) continue;
      this.bytes.moveTo(END_OF_STREAM.lastIndex);
      return offset + number;
    }
    return super.findEndOfStreamFallback(start);
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
