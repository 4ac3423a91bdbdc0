/**
 * Writes the ICC profile of sRGB, which PDF/A requires.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** How the values of each channel become light (IEC 61966-2-1). */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];

/** The primaries and white, adapted to the white D50 of profiles, and the matrix that adapts them. */
const RED = [0.436065, 0.222488, 0.013916];
const GREEN = [0.385147, 0.716873, 0.097076];
const BLUE = [0.143066, 0.060608, 0.714096];
const WHITE = [0.964203, 1, 0.824905];
const ADAPTED = [
  [1.047882, 0.022919, -0.050217],
  [0.029587, 0.990479, -0.017059],
  [-0.009232, 0.015076, 0.751678],
].flat();

/** Returns an ICC profile of sRGB (ICC.1:2004-10), which says what the colours of a PDF look like. */
export function srgbProfile(): Uint8Array {
  const curve = tag("para", word(3 << 16), ...CURVE.map(fixed));
  const tags: [name: string, data: Buffer][] = [
    ["desc", text("sRGB")],
    ["cprt", text("CC0")],
    ["wtpt", tag("XYZ ", ...WHITE.map(fixed))],
    ["chad", tag("sf32", ...ADAPTED.map(fixed))],
    ["rXYZ", tag("XYZ ", ...RED.map(fixed))],
    ["gXYZ", tag("XYZ ", ...GREEN.map(fixed))],
    ["bXYZ", tag("XYZ ", ...BLUE.map(fixed))],
    ...["rTRC", "gTRC", "bTRC"].map((name): [string, Buffer] => [name, curve]),
  ];
  const parts: Buffer[] = [];
  const places = new Map<Buffer, number>();
  let end = HEADER + 4 + 12 * tags.length;
  for (const [, data] of tags) {
    if (places.has(data)) continue;
    places.set(data, end);
    parts.push(data);
    end += data.length;
  }
  const list = tags.flatMap(([name, data]) => [
    Buffer.from(name),
    word(places.get(data)!),
    word(data.length),
  ]);
  return Buffer.concat([header(end), word(tags.length), ...list, ...parts]);
}

const HEADER = 128;

/** Returns the header of a profile of a monitor that has this many bytes. */
function header(size: number): Buffer {
  const bytes = Buffer.alloc(HEADER);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(0x04200000, 8); // version 4.2, the newest that PDF 1.7 allows
  bytes.write("mntrRGB XYZ ", 12);
  bytes.writeUInt16BE(2004, 24); // the day of the date, which has no meaning here
  bytes.writeUInt16BE(1, 26);
  bytes.writeUInt16BE(1, 28);
  bytes.write("acsp", 36);
  Buffer.concat(WHITE.map(fixed)).copy(bytes, 68);
  return bytes;
}

function tag(type: string, ...parts: Buffer[]): Buffer {
  const data = Buffer.concat([Buffer.from(type), word(0), ...parts]);
  return Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
}

/** Returns a text in English. */
function text(text: string): Buffer {
  const utf16 = Buffer.from(text, "utf16le").swap16();
  const place = [word(1), word(12), Buffer.from("enUS"), word(utf16.length), word(28)];
  return tag("mluc", ...place, utf16);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Returns a number with 16 bits after the point. */
function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 0x10000));
  return bytes;
}
