/**
 * Reads the objects of a PDF for the check, without the code that makes copies.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { Decoder, type Filter, filtersOf } from "./decode.ts";
import {
  type Dict,
  Keyword,
  Name,
  Reader,
  Ref,
  Stream,
  SyntaxProblem,
  type Value,
} from "./syntax.ts";

/** Where an object is: at an offset, or in an object stream. */
type Place = { offset: number } | { stream: number; index: number };

const MAX_SECTIONS = 1_000;
const MAX_LENGTH_CHAIN = 8;

/**
 * A PDF as viewers read it: they follow the cross-reference tables, and search the file for its objects
 * only if the tables cannot be read. Objects are read when they are needed.
 */
export class PdfFile {
  readonly #bytes: Uint8Array;
  readonly #text: string;
  readonly #origin: number;
  readonly #decoder = new Decoder();
  readonly #objects = new Map<number, Value>();
  readonly #streams = new Map<number, { numbers: number[]; values: Value[] }>();
  #places = new Map<number, Place | null>();
  #trailer: Dict = new Map();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    this.#origin = Math.max(0, this.#text.slice(0, 1024).indexOf("%PDF-"));
    if (!this.#isListed()) this.#search();
  }

  get catalog(): Dict {
    return this.dict(this.#trailer.get("Root")) ?? fail("no catalog");
  }

  /** Returns a value without references. */
  get(value: Value | undefined): Value {
    for (let depth = 0; value instanceof Ref; depth++) {
      if (depth > MAX_LENGTH_CHAIN) return null;
      value = this.#object(value);
    }
    return value ?? null;
  }

  /** Returns the object with a number. */
  object(number: number): Value {
    return this.get(new Ref(number, 0));
  }

  /** Returns a dictionary, also that of a stream; undefined if the value is something else. */
  dict(value: Value | undefined): Dict | undefined {
    const found = this.get(value);
    return found instanceof Map ? found : found instanceof Stream ? found.dict : undefined;
  }

  /** Returns the items of an array; none if the value is something else. */
  list(value: Value | undefined): Value[] {
    const found = this.get(value);
    return Array.isArray(found) ? found : [];
  }

  /** Returns the text of a name; undefined if the value is something else. */
  name(value: Value | undefined): string | undefined {
    const found = this.get(value);
    return found instanceof Name ? found.name : undefined;
  }

  /** Returns a number; undefined if the value is something else. */
  number(value: Value | undefined): number | undefined {
    const found = this.get(value);
    return typeof found === "number" ? found : undefined;
  }

  /** Returns the decoded bytes of a stream. */
  decode({ dict, bytes }: Stream): Uint8Array {
    return this.#decoder.decode(bytes, this.#filters(dict));
  }

  #filters(dict: Dict): Filter[] {
    const resolved = (key: string): Value => {
      const value = this.get(dict.get(key));
      return Array.isArray(value) ? value.map((item) => this.get(item)) : value;
    };
    return filtersOf(resolved("Filter"), resolved("DecodeParms"));
  }

  #object(ref: Ref): Value {
    const known = this.#objects.get(ref.number);
    if (known !== undefined) return known;
    this.#objects.set(ref.number, null); // A stream's length may refer to the stream.
    const value = this.#find(ref.number);
    this.#objects.set(ref.number, value);
    return value;
  }

  #find(number: number): Value {
    const place = this.#places.get(number);
    if (place == null) return null;
    try {
      if ("offset" in place) return this.#objectAt(place.offset).value;
      const { numbers, values } = this.#objectStream(place.stream);
      return numbers[place.index] === number
        ? values[place.index]
        : values[numbers.indexOf(number)] ?? null;
    } catch (error) {
      if (error instanceof SyntaxProblem) return null;
      throw error;
    }
  }

  #objectAt(offset: number): { number: number; value: Value } {
    const reader = new Reader(this.#text, offset);
    const [number, generation, word] = [reader.read(), reader.read(), reader.read()];
    if (
      typeof number !== "number" || typeof generation !== "number" ||
      !(word instanceof Keyword) || !word.word.startsWith("obj")
    ) fail("no object at an offset");
    // `obj` may be followed by the value without a space.
    if ((word as Keyword).word !== "obj") reader.at -= (word as Keyword).word.length - 3;
    const value = reader.value();
    if (!(value instanceof Map)) return { number: number as number, value };
    reader.skip();
    if (!this.#text.startsWith("stream", reader.at)) return { number: number as number, value };
    let start = reader.at + 6;
    while (this.#text[start] === " ") start++;
    if (this.#text[start] === "\r") start++;
    if (this.#text[start] === "\n") start++;
    return { number: number as number, value: this.#stream(value, start) };
  }

  #stream(dict: Dict, start: number): Stream {
    const length = this.number(dict.get("Length"));
    const end = start + (length ?? -1);
    const after = /[\0\t\n\f\r ]*endstream/y;
    after.lastIndex = end;
    if (length !== undefined && length >= 0 && after.test(this.#text)) {
      return new Stream(dict, this.#bytes.subarray(start, end));
    }
    let found = this.#text.indexOf("endstream", start);
    if (found === -1) return fail("a stream without an end");
    if (this.#text[found - 1] === "\n") found--;
    if (this.#text[found - 1] === "\r") found--;
    return new Stream(dict, this.#bytes.subarray(start, Math.max(start, found)));
  }

  #objectStream(number: number): { numbers: number[]; values: Value[] } {
    const known = this.#streams.get(number);
    if (known !== undefined) return known;
    const stream = this.get(new Ref(number, 0));
    if (!(stream instanceof Stream)) return fail("no object stream");
    const text = Buffer.from(this.decode(stream)).toString("latin1");
    const [count, first] = ["N", "First"].map((key) => this.number(stream.dict.get(key)) ?? 0);
    const header = new Reader(text);
    const numbers: number[] = [];
    const values: Value[] = [];
    for (let i = 0; i < count; i++) {
      const [number, offset] = [header.value(), header.value()];
      if (typeof number !== "number" || typeof offset !== "number") fail("no object stream");
      numbers.push(number as number);
      values.push(new Reader(text, first + (offset as number)).value());
    }
    const read = { numbers, values };
    this.#streams.set(number, read);
    return read;
  }

  /** Reads the cross-reference tables. Returns false if viewers would not trust them. */
  #isListed(): boolean {
    const last = this.#text.lastIndexOf("startxref");
    const start = /^startxref\s+(\d{1,10})/.exec(this.#text.slice(last, last + 40));
    if (last === -1 || start === null) return false;
    for (const origin of this.#origin === 0 ? [0] : [this.#origin, 0]) {
      this.#places = new Map();
      this.#trailer = new Map();
      this.#objects.clear();
      try {
        if (this.#readSections(origin + Number(start[1]), origin) && this.#isUsable()) return true;
      } catch (error) {
        if (!(error instanceof SyntaxProblem)) throw error;
      }
    }
    return false;
  }

  #isUsable(): boolean {
    for (const [number, place] of this.#places) {
      if (place === null || !("offset" in place)) continue;
      const header = /\s*(\d+)\s+\d+\s+obj/y;
      header.lastIndex = place.offset;
      if (Number(header.exec(this.#text)?.[1]) !== number) return false;
    }
    return this.dict(this.dict(this.#trailer.get("Root"))?.get("Pages")) !== undefined;
  }

  #readSections(first: number, origin: number): boolean {
    const left = [first];
    const seen = new Set<number>();
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      if (seen.size > MAX_SECTIONS) return false;
      const dict = this.#readSection(at, origin);
      if (dict === null) return false;
      for (const [key, value] of dict) if (!this.#trailer.has(key)) this.#trailer.set(key, value);
      for (const key of ["Prev", "XRefStm"]) { // the last one is read next
        const value = dict.get(key);
        if (typeof value === "number") left.push(origin + value);
      }
    }
    return true;
  }

  #readSection(at: number, origin: number): Dict | null {
    const reader = new Reader(this.#text, at);
    reader.skip();
    if (this.#text.startsWith("xref", reader.at)) {
      reader.at += 4;
      return this.#readTable(reader, origin);
    }
    const { value } = this.#objectAt(reader.at);
    return value instanceof Stream && this.name(value.dict.get("Type")) === "XRef"
      ? this.#readStream(value, origin)
      : null;
  }

  #readTable(reader: Reader, origin: number): Dict | null {
    for (;;) {
      const start = reader.read();
      if (start instanceof Keyword) {
        if (start.word !== "trailer") return null;
        const dict = reader.value();
        return dict instanceof Map ? dict : null;
      }
      const count = reader.value();
      if (typeof start !== "number" || typeof count !== "number") return null;
      let number = start;
      for (let i = 0; i < count; i++, number++) {
        const [offset, generation, kind] = [reader.value(), reader.value(), reader.read()];
        if (typeof offset !== "number" || !(kind instanceof Keyword)) return null;
        // Some programs write the first entry, which is free, as number 1.
        if (i === 0 && number === 1 && generation === 65535 && kind.word === "f") number = 0;
        // No object is at 0, where the header is.
        const place = kind.word === "n" && offset !== 0 ? { offset: origin + offset } : null;
        if (!this.#places.has(number)) this.#places.set(number, place);
      }
    }
  }

  #readStream(stream: Stream, origin: number): Dict {
    const bytes = this.decode(stream);
    const widths = this.list(stream.dict.get("W")).map((width) => this.number(width) ?? 0);
    const size = this.number(stream.dict.get("Size")) ?? 0;
    const index = this.list(stream.dict.get("Index")).map((each) => this.number(each) ?? 0);
    if (widths.length < 3 || widths.some((width) => width < 0 || width > 8)) fail("no widths");
    let at = 0;
    const field = (width: number, otherwise: number) => {
      let value = width === 0 ? otherwise : 0;
      for (let i = 0; i < width; i++) value = value * 256 + (bytes[at++] ?? 0);
      return value;
    };
    const ranges = index.length === 0 ? [0, size] : index;
    for (let i = 0; i + 1 < ranges.length; i += 2) {
      for (let j = 0; j < ranges[i + 1] && at < bytes.length; j++) {
        const [type, second, third] = [1, 0, 0].map((other, k) => field(widths[k], other));
        const place: Place | null = type === 1 && second !== 0
          ? { offset: origin + second }
          : type === 2
          ? { stream: second, index: third }
          : null;
        if (!this.#places.has(ranges[i] + j)) this.#places.set(ranges[i] + j, place);
      }
    }
    return stream.dict;
  }

  /** Finds all objects of a file whose tables cannot be read. Of several with a number, the last counts. */
  #search(): void {
    this.#places = new Map();
    this.#trailer = new Map();
    this.#objects.clear();
    for (
      const match of this.#text.matchAll(
        /(?<![\d.])(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj/g,
      )
    ) {
      this.#places.set(Number(match[1]), { offset: match.index });
    }
    for (const match of this.#text.matchAll(/trailer[\0\t\n\f\r ]*(?=<<)/g)) {
      try {
        const dict = new Reader(this.#text, match.index + match[0].length).value();
        if (dict instanceof Map && dict.has("Root")) this.#trailer = dict;
      } catch (error) {
        if (!(error instanceof SyntaxProblem)) throw error;
      }
    }
    for (const number of [...this.#places.keys()]) {
      const stream = this.get(new Ref(number, 0));
      if (!(stream instanceof Stream)) continue;
      const type = this.name(stream.dict.get("Type"));
      if (type === "XRef" && stream.dict.has("Root")) this.#trailer = stream.dict;
      if (type !== "ObjStm") continue;
      try {
        for (const [index, inner] of this.#objectStream(number).numbers.entries()) {
          if (!this.#places.has(inner)) this.#places.set(inner, { stream: number, index });
        }
      } catch (error) {
        if (!(error instanceof SyntaxProblem)) throw error;
      }
    }
    this.#objects.clear();
  }
}

function fail(what: string): never {
  throw new SyntaxProblem(what);
}
