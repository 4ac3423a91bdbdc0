import {
  type PDFContext,
  PDFName,
  type PDFObject,
  PDFParser,
  PDFRawStream,
  type PDFRef,
} from "@cantoo/pdf-lib";
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
  readonly bytes: { offset(): number };
  parseDocument(): Promise<PDFContext>;
  parseIndirectObject(): Promise<PDFRef>;
  parseObject(ref?: PDFRef): PDFObject;
}

const Parser = PDFParser as unknown as new (bytes: Uint8Array) => Parser;

/**
 * pdf-lib's parser, which also notes where each object is, and limits the size that objects inflate to.
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
  #offset = -1;

  constructor(bytes: Uint8Array, inflation: Inflation) {
    super(bytes);
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
}
