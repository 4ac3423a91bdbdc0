/** Installs the original fonts and the tools to make subsets of them. */
import { Buffer } from "node:buffer";
import { createRequire } from "node:module";

/** The brand's fonts, and the programs that cut subsets from them and measure them. */
const PACKAGES = [
  "subset-font@2.9.0",
  "fontkit@2.0.4",
  "geist@1.9.2",
  "source-sans@3.52.0",
  "source-serif@4.5.1",
  "@fontsource-variable/newsreader@5.3.0",
  "@fontsource-variable/source-code-pro@5.3.0",
];

/** Where each variable font is. */
export const SOURCES = {
  newsreader: "@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2",
  newsreaderItalic: "@fontsource-variable/newsreader/files/newsreader-latin-opsz-italic.woff2",
  sourceSans: "source-sans/VF/SourceSans3VF-Upright.ttf",
  sourceSansItalic: "source-sans/VF/SourceSans3VF-Italic.ttf",
  sourceSerif: "source-serif/TTF/SourceSerif4-Regular.ttf",
  sourceSerifDisplay: "source-serif/TTF/SourceSerif4Display-Regular.ttf",
  sourceCode: "@fontsource-variable/source-code-pro/files/source-code-pro-latin-wght-normal.woff2",
  sourceCodeItalic:
    "@fontsource-variable/source-code-pro/files/source-code-pro-latin-wght-italic.woff2",
  geist: "geist/dist/fonts/geist-sans/Geist-Variable.ttf",
  geistMono: "geist/dist/fonts/geist-mono/GeistMono-Variable.ttf",
};

/** An axis with one value is fixed, so that a font without a range is static. */
export type Axes = Record<string, number | { min: number; max: number }>;

interface SubsetOptions {
  targetFormat: "woff2" | "sfnt";
  variationAxes?: Axes;
  keepFeatures: string[];
  noHinting?: boolean;
  dropTables?: string[];
}

export interface Font {
  unitsPerEm: number;
  ascent: number;
  descent: number;
  lineGap: number;
  capHeight: number;
  italicAngle: number;
  bbox: { minX: number; minY: number; maxX: number; maxY: number };
  layout(text: string): {
    advanceWidth: number;
    positions: { xAdvance: number; xOffset: number; yOffset: number }[];
  };
  /** The code points of its characters. */
  characterSet: number[];
  hasGlyphForCodePoint(point: number): boolean;
  glyphForCodePoint(point: number): { id: number; advanceWidth: number };
}

interface FontSources extends AsyncDisposable {
  /** Reads a file of an installed package. */
  read(path: string): Promise<Buffer>;
  /** Returns the glyphs of these characters as a font. */
  subset(font: Buffer, characters: string, options: SubsetOptions): Promise<Uint8Array>;
  /** Opens a font to measure it. */
  open(font: Uint8Array): Font;
}

/** Installs the sources with `npm` into a folder, which is removed in the end. */
export async function installFonts(more: readonly string[] = []): Promise<FontSources> {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/package.json`, "{}");
  const installed = await new Deno.Command("npm", {
    args: ["install", "--silent", "--ignore-scripts", "--legacy-peer-deps", ...PACKAGES, ...more],
    cwd: folder,
  }).output();
  if (!installed.success) throw new Error(new TextDecoder().decode(installed.stderr));
  const require = createRequire(`${folder}/package.json`);
  return {
    read: async (path) => Buffer.from(await Deno.readFile(`${folder}/node_modules/${path}`)),
    subset: require("subset-font"),
    open: require("fontkit").create,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
