import { crc32, deflateSync } from "node:zlib";
import { concatBytes } from "../../../base/bytes.ts";
import { utf8 } from "../../../base/encoding.ts";

/** Returns a black PNG of a size. */
export function createPng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, width);
  head.setUint32(4, height);
  head.setUint8(8, 8); // bits of each grey pixel
  const pixels = new Uint8Array(height * (width + 1));
  return concatBytes([
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", new Uint8Array(head.buffer)),
    chunk("IDAT", new Uint8Array(deflateSync(pixels))),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const typed = concatBytes([utf8(type), data]);
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, data.length);
  const sum = new DataView(new ArrayBuffer(4));
  sum.setUint32(0, crc32(typed));
  return concatBytes([new Uint8Array(length.buffer), typed, new Uint8Array(sum.buffer)]);
}

/** Returns the markers of a JPEG of a size, with the number of its channels. It has no image data. */
export const createJpegHead = (
  width: number,
  height: number,
  channels = 1,
): Uint8Array<ArrayBuffer> =>
  new Uint8Array([
    ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 11, 8],
    ...[height >> 8, height & 255, width >> 8, width & 255, channels, 1, 0x11, 0],
    ...[0xff, 0xd9],
  ]);
