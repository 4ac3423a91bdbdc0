/**
 * Makes the fonts of the standard's cover, in which the publisher is written later: static subsets in
 * `lib/platform/pdf/fonts/`, and `metrics.json` with what a PDF states of them. Installs the sources with
 * `npm` into a temporary folder:
 *
 *     deno run -A tools/pdf_fonts.ts
 *
 * @module
 */
import { codeOf, FIRST_CODE, LAST_CODE, WINDOWS_1252 } from "../lib/platform/pdf/windows_1252.ts";
import type { FontMetrics } from "../lib/platform/pdf/fonts.ts";
import { installFonts, SOURCES } from "./font_sources.ts";

interface Face {
  /** The file, and the name in PDFs. */
  name: string;
  source: string;
  axes: Record<string, number>;
  characters: string;
}

const ALL = [...WINDOWS_1252].join("");

/** Their names are others than those of the sources, which are reserved. */
const FACES: readonly Face[] = [
  { name: "Cover-Regular", source: SOURCES.sourceSans, axes: { wght: 400 }, characters: ALL },
  { name: "Cover-Semibold", source: SOURCES.sourceSans, axes: { wght: 600 }, characters: ALL },
];

/** Tables that programs that show PDFs do not read. */
const UNUSED = ["BASE", "GDEF", "GPOS", "GSUB", "STAT", "gasp", "name"];

const folder = new URL("../lib/platform/pdf/fonts/", import.meta.url);
await using fonts = await installFonts();
const metrics: Record<string, FontMetrics> = {};
for (const { name, source, axes, characters } of FACES) {
  const bytes = await fonts.subset(await fonts.read(source), characters, {
    targetFormat: "sfnt",
    variationAxes: axes,
    keepFeatures: [],
    noHinting: true,
    dropTables: UNUSED,
  });
  const font = fonts.open(bytes);
  const missing = [...characters].filter((c) => !font.hasGlyphForCodePoint(c.codePointAt(0)!));
  if (missing.length > 0) throw new Error(`${name} lacks ${missing.join(" ")}`);
  const scaled = (value: number) => Math.round(value * 1000 / font.unitsPerEm);
  const { minX, minY, maxX, maxY } = font.bbox;
  const widths: number[] = Array(LAST_CODE - FIRST_CODE + 1).fill(0);
  for (const letter of characters) {
    const { advanceWidth } = font.glyphForCodePoint(letter.codePointAt(0)!);
    widths[codeOf(letter)! - FIRST_CODE] = scaled(advanceWidth);
  }
  metrics[name] = {
    ascent: scaled(font.ascent),
    descent: scaled(font.descent),
    capHeight: scaled(font.capHeight),
    box: [minX, minY, maxX, maxY].map(scaled).join(" "),
    stem: Math.round(axes.wght / 4 - 4),
    widths: widths.join(" "),
  };
  await Deno.writeFile(new URL(`${name}.ttf`, folder), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}
const lines = Object.entries(metrics).map(([name, value]) =>
  `${JSON.stringify(name)}: ${JSON.stringify(value)}`
);
await Deno.writeTextFile(new URL("metrics.json", folder), `{\n${lines.join(",\n")}\n}\n`);
