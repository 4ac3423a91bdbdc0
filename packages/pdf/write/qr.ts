/**
 * Draws QR codes.
 *
 * @module
 */
import type { Drawing } from "./drawing.ts";
import { encode } from "uqr";

/** The width of a code on a page in millimetres, without the quiet zone. */
export const QR_MM = 20.5;

/** 29 modules. The modules of a shorter address would be larger, and so would its quiet zone. */
const MIN_VERSION = 3;

/** 41 modules, each of them 0.5 mm wide. */
const MAX_VERSION = 6;

/**
 * Returns the modules of an address's QR code, row by row from the top. It is in upper case, because
 * that makes the code smaller: it has room for the error correction Q, which survives a stamp. Hosts
 * and paths of documents are found in any case.
 */
function qrModules(url: string): boolean[][] {
  const text = url.toUpperCase();
  for (const ecc of ["Q", "M"] as const) {
    try {
      return encode(text, { ecc, border: 0, minVersion: MIN_VERSION, maxVersion: MAX_VERSION })
        .data;
    } catch {
      // The address is too long.
    }
  }
  return encode(text, { ecc: "M", border: 0 }).data;
}

/** The first code of each PDF, which the last page of a copy shows again. */
const firsts = new WeakMap<object, { url: string; modules: boolean[][] }>();

/** Returns the modules of an address's QR code in a PDF, which its fonts stand for. */
function modulesIn(pdf: object, url: string): boolean[][] {
  const first = firsts.get(pdf);
  if (first?.url === url) return first.modules;
  const modules = qrModules(url);
  if (first === undefined) firsts.set(pdf, { url, modules });
  return modules;
}

/** Draws an address's QR code without its quiet zone; `x`, `y` is its lower left. Lengths are in points. */
export function drawQr<Font extends string>(
  drawing: Drawing<Font>,
  url: string,
  x: number,
  y: number,
  size: number,
): void {
  const modules = modulesIn(drawing.fonts, url);
  const scale = size / modules.length;
  // The unit is a module, so that all edges are exact; one path, so that no seams appear.
  const runs = modules.flatMap((row, fromTop) =>
    darkRuns(row).map(([from, length]) => `${from} ${modules.length - 1 - fromTop} ${length} 1 re`)
  );
  drawing.within([scale, 0, 0, scale, x, y], () => drawing.add(`0 g ${runs.join(" ")} f`));
}

function darkRuns(row: readonly boolean[]): [from: number, length: number][] {
  const runs: [number, number][] = [];
  for (let x = 0; x < row.length; x++) {
    const from = x;
    while (row[x]) x++;
    if (x > from) runs.push([from, x - from]);
  }
  return runs;
}
