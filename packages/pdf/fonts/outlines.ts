/** The tables of a font in a PDF, in their order. */
const TABLES = ["glyf", "head", "hhea", "hmtx", "loca", "maxp"] as const;

/** Flags of a part of a glyph that consists of others. */
const WORDS = 1;
const SCALE = 8;
const MORE = 32;
const WIDTH_OF_PART = 512;
const OFFSETS = 2;

/** A glyph of the font that is a part of another one, and its offset in the units of the font. */
export interface Part {
  glyph: number;
  right: number;
  up: number;
}
const TWO_SCALES = 64;
const MATRIX = 128;

/** The outlines of a TrueType font, from which the glyphs of a document are cut. */
export class Outlines {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #tables = new Map<string, { at: number; length: number }>();
  /** Where each glyph begins; the last one is where all of them end. */
  readonly #offsets: number[];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const view = this.#view = viewOf(bytes);
    for (let i = 0, at = 12; i < view.getUint16(4); i++, at += 16) {
      const tag = String.fromCharCode(...bytes.subarray(at, at + 4));
      this.#tables.set(tag, { at: view.getUint32(at + 8), length: view.getUint32(at + 12) });
    }
    const count = view.getUint16(this.#at("maxp") + 4);
    const long = view.getInt16(this.#at("head") + 50) === 1;
    const [loca, glyf] = [this.#at("loca"), this.#at("glyf")];
    this.#offsets = Array.from(
      { length: count + 1 },
      (_, i) => glyf + (long ? view.getUint32(loca + 4 * i) : 2 * view.getUint16(loca + 2 * i)),
    );
  }

  /** The left, bottom, right and top of all glyphs, in the units of the font. */
  get box(): number[] {
    const head = this.#at("head");
    return [36, 38, 40, 42].map((side) => this.#view.getInt16(head + side));
  }

  /** Returns the bottom and the top of a glyph, in the units of the font. */
  extentOf(glyph: number): [bottom: number, top: number] {
    const at = this.#offsets[glyph];
    if (at === this.#offsets[glyph + 1]) return [0, 0];
    return [this.#view.getInt16(at + 4), this.#view.getInt16(at + 8)];
  }

  /**
   * Returns a font whose glyphs from 1 consist of these parts, with these widths in thousandths of the size. The
   * glyphs of which they consist follow.
   */
  subset(used: readonly { parts: readonly Part[]; width: number }[]): Uint8Array {
    const made = used.map(({ parts }) => parts.filter(({ glyph }) => !this.#isEmpty(glyph)));
    /** By their new numbers: the old ones, and parts that are put together. */
    const glyphs: (number | readonly Part[])[] = [
      0,
      ...made.map((parts) => parts.length === 1 && isInPlace(parts[0]) ? parts[0].glyph : parts),
    ];
    const outlines: Uint8Array[] = [];
    // It grows by the glyphs of which others consist.
    for (let i = 0; i < glyphs.length; i++) outlines.push(this.#outline(glyphs[i], glyphs));
    const count = glyphs.length;
    const loca = new Uint8Array(4 * (count + 1));
    const length = outlines.reduce((sum, outline) => sum + padded(outline.length), 0);
    const glyf = new Uint8Array(length);
    let at = 0;
    for (const [i, outline] of outlines.entries()) {
      viewOf(loca).setUint32(4 * i, at);
      glyf.set(outline, at);
      at += padded(outline.length);
    }
    viewOf(loca).setUint32(4 * count, length);
    const [head, hhea, maxp] = [this.#copy("head"), this.#copy("hhea"), this.#copy("maxp")];
    const unitsPerEm = viewOf(head).getUint16(18);
    viewOf(head).setUint32(8, 0); // the checksum, which is not a part of itself
    viewOf(head).setInt16(50, 1); // offsets of four bytes
    viewOf(hhea).setUint16(34, count);
    viewOf(maxp).setUint16(4, count);
    const most = Math.max(1, ...made.map(({ length }) => length));
    // The points and contours of a simple glyph, and of one that has parts.
    for (const simple of [6, 8]) {
      const each = Math.max(viewOf(maxp).getUint16(simple), viewOf(maxp).getUint16(simple + 4));
      viewOf(maxp).setUint16(simple + 4, Math.min(most * each, 0xffff));
    }
    viewOf(maxp).setUint16(28, Math.max(most, viewOf(maxp).getUint16(28)));
    viewOf(maxp).setUint16(30, viewOf(maxp).getUint16(30) + 1);
    const hmtx = new Uint8Array(4 * count);
    for (const [i, outline] of outlines.entries()) {
      const width = used[i - 1]?.width ?? 0;
      viewOf(hmtx).setUint16(4 * i, Math.round(width * unitsPerEm / 1000));
      if (outline.length > 0) viewOf(hmtx).setInt16(4 * i + 2, viewOf(outline).getInt16(2));
    }
    return join({ glyf, head, hhea, hmtx, loca, maxp });
  }

  /** Returns the outline of a glyph. Those of which it consists get the numbers that they have in `glyphs`. */
  #outline(glyph: number | readonly Part[], glyphs: (number | readonly Part[])[]): Uint8Array {
    const outline = typeof glyph === "number"
      ? this.#bytes.slice(this.#offsets[glyph], this.#offsets[glyph + 1])
      : this.#joined(glyph);
    const view = viewOf(outline);
    if (outline.length === 0 || view.getInt16(0) >= 0) return outline;
    for (let part = 10, flags = MORE; flags & MORE;) {
      flags = view.getUint16(part);
      const number = view.getUint16(part + 2);
      let found = glyphs.indexOf(number);
      if (found === -1) found = glyphs.push(number) - 1;
      view.setUint16(part, flags & ~WIDTH_OF_PART);
      view.setUint16(part + 2, found);
      part += 4 + (flags & WORDS ? 4 : 2) +
        (flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0);
    }
    return outline;
  }

  /** Returns the outline that consists of several. */
  #joined(parts: readonly Part[]): Uint8Array {
    if (parts.length === 0) return new Uint8Array();
    const outline = new Uint8Array(10 + 8 * parts.length);
    const view = viewOf(outline);
    view.setInt16(0, -1);
    const boxes = parts.map(({ glyph, right, up }) => {
      const at = this.#offsets[glyph] + 2;
      return [right, up, right, up].map((offset, i) => this.#view.getInt16(at + 2 * i) + offset);
    });
    for (const side of [0, 1, 2, 3]) {
      const all = boxes.map((box) => box[side]);
      view.setInt16(2 + 2 * side, side < 2 ? Math.min(...all) : Math.max(...all));
    }
    for (const [i, { glyph, right, up }] of parts.entries()) {
      const at = 10 + 8 * i;
      view.setUint16(at, WORDS | OFFSETS | (i < parts.length - 1 ? MORE : 0));
      view.setUint16(at + 2, glyph);
      view.setInt16(at + 4, right);
      view.setInt16(at + 6, up);
    }
    return outline;
  }

  #isEmpty(glyph: number): boolean {
    return this.#offsets[glyph] === this.#offsets[glyph + 1];
  }

  #copy(tag: string): Uint8Array {
    const { at, length } = this.#tables.get(tag)!;
    return this.#bytes.slice(at, at + length);
  }

  #at(tag: string): number {
    const table = this.#tables.get(tag);
    if (table === undefined) throw new Error(`The font has no table ${tag}.`);
    return table.at;
  }
}

const isInPlace = ({ right, up }: Part): boolean => right === 0 && up === 0;

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Tables and outlines begin at multiples of four. */
const padded = (length: number): number => (length + 3) & ~3;

/** Joins tables to a font. */
function join(tables: Record<typeof TABLES[number], Uint8Array>): Uint8Array {
  const start = 12 + 16 * TABLES.length;
  const size = TABLES.reduce((sum, tag) => sum + padded(tables[tag].length), start);
  const bytes = new Uint8Array(size);
  const view = viewOf(bytes);
  const power = Math.floor(Math.log2(TABLES.length));
  view.setUint32(0, 0x10000);
  view.setUint16(4, TABLES.length);
  view.setUint16(6, 16 << power);
  view.setUint16(8, power);
  view.setUint16(10, 16 * TABLES.length - (16 << power));
  let at = start;
  let head = 0;
  for (const [i, tag] of TABLES.entries()) {
    const row = 12 + 16 * i;
    const { length } = tables[tag];
    bytes.set(tables[tag], at);
    bytes.set(new TextEncoder().encode(tag), row);
    view.setUint32(row + 4, checksum(view, at, padded(length)));
    view.setUint32(row + 8, at);
    view.setUint32(row + 12, length);
    if (tag === "head") head = at;
    at += padded(length);
  }
  view.setUint32(head + 8, 0xb1b0afba - checksum(view, 0, size));
  return bytes;
}

function checksum(view: DataView, at: number, length: number): number {
  let sum = 0;
  for (let i = at; i < at + length; i += 4) sum = (sum + view.getUint32(i)) >>> 0;
  return sum;
}
