/**
 * Decodes the streams of one PDF by their filters, within a limit.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { constants, inflateSync } from "node:zlib";
import { type Dict, Name, SyntaxProblem, type Value } from "./syntax.ts";

/** The most bytes that the streams of one PDF are decoded to. */
const LIMIT = 96 * 1024 * 1024;

/** Decodes the streams of one PDF, to a limited size in total. */
export class Decoder {
  #left = LIMIT;

  /**
   * Returns the decoded bytes of a stream.
   *
   * @throws {SyntaxProblem} if the stream is damaged, too large, or has another filter
   */
  decode(bytes: Uint8Array, filters: readonly Filter[]): Uint8Array {
    for (const { name, parameters } of filters) {
      const decode = FILTERS[name];
      if (decode === undefined) throw new SyntaxProblem(`the filter ${name}`);
      bytes = decode(bytes, parameters, this.#left);
      this.#left -= bytes.length;
      if (this.#left <= 0) throw new SyntaxProblem("too much data");
    }
    return bytes;
  }
}

/** One of the filters of a stream, with its parameters, resolved. */
export interface Filter {
  name: string;
  parameters: Dict;
}

type Decode = (bytes: Uint8Array, parameters: Dict, limit: number) => Uint8Array;

const FILTERS: Record<string, Decode> = {
  FlateDecode: (bytes, parameters, limit) => withoutPredictor(inflate(bytes, limit), parameters),
  LZWDecode: (bytes, parameters, limit) =>
    withoutPredictor(
      withoutLzw(bytes, numberIn(parameters, "EarlyChange", 1), limit),
      parameters,
    ),
  ASCIIHexDecode: (bytes) => {
    const [digits] = Buffer.from(bytes).toString("latin1").split(">");
    const hex = digits.replace(/[^\da-f]/gi, "");
    return Buffer.from(hex.length % 2 === 0 ? hex : `${hex}0`, "hex");
  },
  ASCII85Decode: (bytes) => withoutAscii85(Buffer.from(bytes).toString("latin1")),
  RunLengthDecode: (bytes, _, limit) => withoutRuns(bytes, limit),
};
for (
  const [short, name] of Object.entries({
    Fl: "FlateDecode",
    LZW: "LZWDecode",
    AHx: "ASCIIHexDecode",
    A85: "ASCII85Decode",
    RL: "RunLengthDecode",
  })
) FILTERS[short] = FILTERS[name];

const numberIn = (parameters: Dict, key: string, otherwise: number): number => {
  const value: Value | undefined = parameters.get(key);
  return typeof value === "number" ? value : otherwise;
};

function inflate(bytes: Uint8Array, limit: number): Uint8Array {
  try {
    // The end may be missing, as viewers accept it.
    return inflateSync(bytes, { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    throw new SyntaxProblem(`a compressed stream that cannot be read: ${(error as Error).message}`);
  }
}

/** Undoes the prediction of the PNG and TIFF filters. */
function withoutPredictor(bytes: Uint8Array, parameters: Dict): Uint8Array {
  const predictor = numberIn(parameters, "Predictor", 1);
  if (predictor < 2) return bytes;
  const [colors, bits, columns] = [["Colors", 1], ["BitsPerComponent", 8], ["Columns", 1]]
    .map(([key, otherwise]) => numberIn(parameters, key as string, otherwise as number));
  const step = Math.max(1, colors * bits >> 3);
  const width = colors * bits * columns + 7 >> 3;
  if (!(width > 0)) throw new SyntaxProblem("a predictor without columns");
  if (predictor === 2) {
    if (bits !== 8) throw new SyntaxProblem("a predictor of few bits");
    const out = Uint8Array.from(bytes);
    for (let i = 0; i < out.length; i++) if (i % width >= step) out[i] += out[i - step];
    return out;
  }
  const rows = Math.ceil(bytes.length / (width + 1));
  const out = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const kind = bytes[row * (width + 1)];
    const start = row * width;
    for (let i = 0; i < width; i++) {
      const at = start + i;
      const left = i >= step ? out[at - step] : 0;
      const up = row > 0 ? out[at - width] : 0;
      const corner = row > 0 && i >= step ? out[at - width - step] : 0;
      out[at] = (bytes[row * (width + 1) + 1 + i] ?? 0) + predicted(kind, left, up, corner);
    }
  }
  return out;
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return left + up >> 1;
  if (kind !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((each) => Math.abs(guess - each));
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function withoutLzw(bytes: Uint8Array, early: number, limit: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let table: Uint8Array[] = [];
  let [bits, held, width, size] = [0, 0, 9, 0];
  let before: Uint8Array | undefined;
  const reset = () => {
    table = Array.from({ length: 258 }, (_, i) => Uint8Array.of(i));
    width = 9;
    before = undefined;
  };
  reset();
  for (const byte of bytes) {
    held = (held << 8 | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = held >> bits & (1 << width) - 1;
    if (code === 257) break;
    if (code === 256) {
      reset();
      continue;
    }
    if (code > table.length || code === table.length && before === undefined) {
      throw new SyntaxProblem("LZW data that cannot be read");
    }
    const part = table[code] ?? append(before!, before![0]);
    if (before !== undefined && table.length < 4096) table.push(append(before, part[0]));
    before = part;
    parts.push(part);
    if ((size += part.length) > limit) break;
    width = Math.min(12, Math.max(9, 32 - Math.clz32(table.length + early)));
  }
  return Buffer.concat(parts);
}

const append = (bytes: Uint8Array, last: number): Uint8Array => {
  const longer = new Uint8Array(bytes.length + 1);
  longer.set(bytes);
  longer[bytes.length] = last;
  return longer;
};

function withoutAscii85(text: string): Uint8Array {
  const out: number[] = [];
  const [digits] = text.replace(/[^!-uz~]/g, "").replaceAll("z", "!!!!!").split("~");
  for (let i = 0; i < digits.length; i += 5) {
    const group = digits.slice(i, i + 5);
    const value = [...group.padEnd(5, "u")]
      .reduce((sum, digit) => sum * 85 + digit.charCodeAt(0) - 33, 0);
    out.push(...[24, 16, 8, 0].slice(0, group.length - 1).map((shift) => value >>> shift & 255));
  }
  return Uint8Array.from(out);
}

function withoutRuns(bytes: Uint8Array, limit: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let i = 0; i < bytes.length && bytes[i] !== 128 && size <= limit;) {
    const length = bytes[i++];
    const part = length < 128
      ? bytes.subarray(i, i + length + 1)
      : new Uint8Array(257 - length).fill(bytes[i]);
    i += length < 128 ? length + 1 : 1;
    size += part.length;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Returns the filters of a stream from its entries, resolved. */
export function filtersOf(filter: Value | undefined, parameters: Value | undefined): Filter[] {
  const names = Array.isArray(filter) ? filter : filter == null ? [] : [filter];
  const all = Array.isArray(parameters) ? parameters : [parameters];
  return names.map((name, i) => {
    if (!(name instanceof Name)) throw new SyntaxProblem("a filter without a name");
    const given = all[i];
    return { name: name.name, parameters: given instanceof Map ? given : new Map() };
  });
}
