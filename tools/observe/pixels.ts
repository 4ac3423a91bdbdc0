/** Compares two screenshots, without small differences in how they were drawn. */
import { Buffer } from "node:buffer";
import { PNG } from "pngjs";

/**
 * The most by which a channel may differ, of 255, and the most pixels that differ by more: Chromium may place the
 * edge of a letter elsewhere when it draws a page again. A changed letter differs in more pixels.
 */
export const TOLERANCE = { channel: 16, pixels: 8 } as const;

/** How two pictures differ: in their size, or in pixels, with the smallest box around them. */
type Difference =
  | { sizes: [before: string, after: string] }
  | { pixels: number; left: number; top: number; right: number; bottom: number };

/** Compares two PNGs. Returns null if they are the same, within {@linkcode TOLERANCE}. */
export function comparePictures(
  before: Uint8Array<ArrayBuffer>,
  after: Uint8Array<ArrayBuffer>,
): Difference | null {
  if (Buffer.from(before).equals(after)) return null;
  const [one, other] = [before, after].map((bytes) => PNG.sync.read(Buffer.from(bytes)));
  const { width, height } = one;
  if (width !== other.width || height !== other.height) {
    return { sizes: [`${width} × ${height}`, `${other.width} × ${other.height}`] };
  }
  const found = { pixels: 0, left: width, top: height, right: 0, bottom: 0 };
  for (let i = 0; i < one.data.length; i += 4) {
    if (!isDifferent(one.data, other.data, i)) continue;
    const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)];
    found.pixels++;
    found.left = Math.min(found.left, x);
    found.top = Math.min(found.top, y);
    found.right = Math.max(found.right, x + 1);
    found.bottom = Math.max(found.bottom, y + 1);
  }
  return found.pixels > TOLERANCE.pixels ? found : null;
}

function isDifferent(one: Uint8Array, other: Uint8Array, at: number): boolean {
  for (let i = at; i < at + 3; i++) {
    if (Math.abs(one[i] - other[i]) > TOLERANCE.channel) return true;
  }
  return false;
}

/** Returns a difference in words. */
export function describeDifference(difference: Difference): string {
  if ("sizes" in difference) return `${difference.sizes[0]} became ${difference.sizes[1]}`;
  const { pixels, left, top, right, bottom } = difference;
  return `${pixels} pixels differ, from ${left}, ${top} to ${right}, ${bottom}`;
}
