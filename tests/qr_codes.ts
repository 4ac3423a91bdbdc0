import { Buffer } from "node:buffer";
import { assert } from "@std/assert";
import jsQR from "jsqr";
import type { Locator } from "playwright-core";
import { PNG } from "pngjs";

/** The package is CommonJS, so its types have the function as `default`. */
const decodeQr = jsQR as unknown as typeof jsQR.default;

/** Decodes the QR code in an element from its pixels, and checks its quiet zone of 4 modules. */
export async function decode(element: Locator): Promise<string> {
  const { width, height, data } = PNG.sync.read(Buffer.from(await element.screenshot()));
  const code = decodeQr(new Uint8ClampedArray(data), width, height)!;
  const modules = 17 + 4 * code.version;
  const { topLeftCorner, topRightCorner } = code.location;
  const module = (topRightCorner.x - topLeftCorner.x) / modules;
  assert(topLeftCorner.x >= 3.5 * module && topLeftCorner.y >= 3.5 * module);
  return code.data;
}
