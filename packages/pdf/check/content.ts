/**
 * Reads what a content stream uses: its size, its resources, and the state that it leaves.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** The effects of a content stream on the state in which it is drawn. */
export interface ContentUse {
  /** Its size, which says how long it takes to draw. */
  bytes: number;
  /** How often it draws what has a name in its resources. Patterns count once. */
  draws: Map<string, number>;
  /** All names of resources that it uses. */
  names: Set<string>;
  /**
   * How many more graphics states it ends than it began, at its worst point. Infinite if programs may see the
   * end of an image within it at different places, and some of them more states that end.
   */
  excess: number;
  /** True if it begins a layer that it does not end. */
  hasOpenLayer: boolean;
  /** True if it ends marked content that it did not begin. */
  endsOthers: boolean;
}

/** The classes of bytes: 0 for regular ones, 1 for white space, 2 for delimiters. */
const CLASS = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) CLASS[byte] = 1;
for (const char of "()<>[]{}/%") CLASS[char.charCodeAt(0)] = 2;

const code = (char: string) => char.charCodeAt(0);
const [PERCENT, OPEN, CLOSE, BACKSLASH, SLASH, LESS] = [..."%()\\/<"].map(code);
const [E, I, Q] = [..."EIQ"].map(code);
const [CR, LF] = [0x0d, 0x0a];

/** Bytes after the end of an image of which programs expect operators. */
const AFTER_IMAGE = 15;

/** The operators with an effect on the state, or that use something with a name. */
const STATE = /^(q|Q|BMC|BDC|EMC|BI|Do|scn|SCN|Tf|gs|sh|cs|CS)$/;

/**
 * Reads a content stream as far as that is needed to know its effects.
 *
 * @param bytes the decoded bytes
 */
export function useOf(bytes: Uint8Array): ContentUse {
  const reading = new ContentReading(bytes);
  reading.read();
  return reading.use;
}

class ContentReading {
  readonly use: ContentUse;
  readonly #bytes: Uint8Array;
  #at = 0;
  /** The names since the last operator. */
  #names: string[] = [];
  #depth = 0;
  /** The same if a program sees the first image longer than it is, with what begins states after it. */
  #lowest = 0;
  #worst = 0;
  #images = 0;
  /** For each marked content that is open, true if it is a layer. */
  readonly #marked: boolean[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.use = {
      bytes: bytes.length,
      draws: new Map(),
      names: new Set(),
      excess: 0,
      hasOpenLayer: false,
      endsOthers: false,
    };
  }

  read(): void {
    const bytes = this.#bytes;
    while (this.#at < bytes.length) {
      const byte = bytes[this.#at];
      if (CLASS[byte] === 0) this.#word();
      else if (byte === SLASH) this.#name();
      else if (byte === OPEN) this.#string();
      else if (byte === PERCENT) this.#comment();
      else if (byte === LESS && bytes[this.#at + 1] !== LESS) this.#hexString();
      else this.#at += byte === LESS ? 2 : 1;
    }
    this.use.hasOpenLayer = this.#marked.includes(true);
    const isUnclear = this.#images > 0 && countEnds(bytes) > this.#images;
    if (isUnclear && this.#worst > this.use.excess) this.use.excess = Infinity;
  }

  /** Returns the regular bytes that follow. */
  #regular(): Uint8Array {
    const start = this.#at;
    while (this.#at < this.#bytes.length && CLASS[this.#bytes[this.#at]] === 0) this.#at++;
    return this.#bytes.subarray(start, this.#at);
  }

  #name(): void {
    this.#at++;
    const text = String.fromCharCode(...this.#regular().subarray(0, 200));
    this.#names.push(
      text.replace(/#([\da-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
    );
  }

  #string(): void {
    const bytes = this.#bytes;
    let open = 0;
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at];
      if (byte === BACKSLASH) this.#at++;
      else if (byte === OPEN) open++;
      else if (byte === CLOSE && --open === 0) break;
    }
    this.#at++;
  }

  #hexString(): void {
    const end = this.#bytes.indexOf(code(">"), this.#at);
    this.#at = end === -1 ? this.#bytes.length : end + 1;
  }

  #comment(): void {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && bytes[this.#at] !== CR && bytes[this.#at] !== LF) this.#at++;
  }

  #word(): void {
    const first = this.#bytes[this.#at];
    if (first < 0x3a && first !== 0x27 && first !== 0x22) return this.#number();
    const word = this.#regular();
    const text = word.length > 3 ? "" : String.fromCharCode(...word);
    if (STATE.test(text)) this.#operator(text);
    else this.#glued(word);
    this.#names = [];
  }

  /** Numbers need no space before the operator that follows in some programs. */
  #number(): void {
    const bytes = this.#bytes;
    for (; this.#at < bytes.length && CLASS[bytes[this.#at]] === 0; this.#at++) {
      if (bytes[this.#at] === Q) this.#end();
    }
  }

  /** Some programs see operators within words that are none. The worst that these could do counts. */
  #glued(word: Uint8Array): void {
    for (const byte of word) if (byte === Q) this.#end();
  }

  #end(): void {
    this.use.excess = Math.max(this.use.excess, -(--this.#depth));
    this.#worst = Math.max(this.#worst, -(--this.#lowest));
  }

  #operator(operator: string): void {
    const { use } = this;
    if (operator === "q") {
      this.#depth++;
      if (this.#images === 0) this.#lowest++;
    } else if (operator === "Q") this.#end();
    else if (operator === "BMC") this.#marked.push(false);
    else if (operator === "BDC") this.#marked.push(this.#names.includes("OC"));
    else if (operator === "EMC") {
      if (this.#marked.pop() === undefined) use.endsOthers = true;
    } else if (operator === "BI") this.#image();
    else {
      const name = this.#names.at(-1);
      if (name === undefined) return;
      use.names.add(name);
      if (/^(Do|scn|SCN)$/.test(operator)) {
        use.draws.set(name, operator === "Do" ? (use.draws.get(name) ?? 0) + 1 : 1);
      }
    }
  }

  /** Skips an image within the content. */
  #image(): void {
    const bytes = this.#bytes;
    while (this.#at < bytes.length) { // its entries
      const byte = bytes[this.#at];
      if (byte === I && bytes[this.#at + 1] === code("D") && CLASS[bytes[this.#at + 2]] === 1) {
        break;
      }
      if (CLASS[byte] === 0) this.#regular();
      else if (byte === OPEN) this.#string();
      else if (byte === SLASH) this.#name();
      else this.#at++;
    }
    const filters = this.#names;
    const space = this.#names.findLastIndex((name) => name === "CS" || name === "ColorSpace");
    if (space !== -1 && space + 1 < this.#names.length) this.use.names.add(this.#names[space + 1]);
    this.#images++;
    const end = filters.some((name) => /^(A85|ASCII85Decode)$/.test(name))
      ? this.#after("~>")
      : filters.some((name) => /^(AHx|ASCIIHexDecode)$/.test(name))
      ? this.#after(">")
      : this.#at + 3;
    if (filters.some((name) => /^(DCT|DCTDecode)$/.test(name))) this.#worst = Infinity;
    for (let at = end; at < bytes.length; at++) {
      if (bytes[at] !== E || bytes[at + 1] !== I) continue;
      if (at + 2 < bytes.length && CLASS[bytes[at + 2]] !== 1) continue;
      this.#at = at + 2;
      const after = bytes.subarray(at + 3, at + 3 + AFTER_IMAGE);
      if (after.every((byte) => byte >= 0x20 && byte < 0x80 || CLASS[byte] === 1)) return;
    }
    if (this.#at < end) this.#at = bytes.length;
  }

  /** Returns where some characters end. */
  #after(text: string): number {
    const at = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
      .indexOf(text, this.#at);
    return at === -1 ? this.#bytes.length : at + text.length;
  }
}

/** Returns how often a content has what may be the end of an image. */
function countEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(E); at !== -1; at = bytes.indexOf(E, at + 1)) {
    if (bytes[at + 1] === I && (at + 2 === bytes.length || CLASS[bytes[at + 2]] === 1)) count++;
  }
  return count;
}
