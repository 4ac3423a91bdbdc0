/**
 * Makes the fonts for names of many languages: static fonts in `lib/platform/pdf/wide/`, and for each a
 * description of its characters, its kerning, and where accents go on letters that Unicode has no
 * character for. Installs the sources with `npm` into a temporary folder:
 *
 *     deno run -A tools/wide_fonts.ts
 *
 * @module
 */
import type { WideMetrics } from "../lib/platform/pdf/wide/face.ts";
import type { WideFile } from "../lib/platform/pdf/wide/faces.ts";
import { type Font, installFonts, SOURCES } from "./font_sources.ts";

interface Face {
  source: string;
  axes?: Record<string, number>;
  /** The approximate width of vertical strokes, in thousandths of the size. */
  stem: number;
  /** True if it only shows hashes, addresses and titles of ours. */
  ascii?: boolean;
}

const FACES: Record<WideFile, Face> = {
  "SourceSerif-Display": { source: SOURCES.sourceSerifDisplay, stem: 84 },
  "SourceSerif-Regular": { source: SOURCES.sourceSerif, stem: 84 },
  "SourceSans-Regular": { source: SOURCES.sourceSans, axes: { wght: 400 }, stem: 96 },
  "SourceSans-Semibold": { source: SOURCES.sourceSans, axes: { wght: 600 }, stem: 146 },
  "Geist-Regular": { source: SOURCES.geist, axes: { wght: 400 }, stem: 96 },
  "Geist-Semibold": { source: SOURCES.geist, axes: { wght: 620 }, stem: 151 },
  "Newsreader-Display": {
    source: SOURCES.newsreader,
    axes: { opsz: 44, wght: 440 },
    stem: 106,
    ascii: true,
  },
  "SourceCode-Regular": { source: SOURCES.sourceCode, axes: { wght: 400 }, stem: 96, ascii: true },
  "GeistMono-Regular": { source: SOURCES.geistMono, axes: { wght: 400 }, stem: 96, ascii: true },
};

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));

/** Latin, Greek and Cyrillic letters, punctuation, and signs of currencies. */
const WANTED = [
  ...range(0x20, 0x7e),
  ...range(0xa0, 0x2ff),
  ...range(0x370, 0x4ff),
  ...range(0x1e00, 0x1fff),
  ...range(0x2010, 0x205e),
  ...range(0x20a0, 0x20bf),
  ..."№™−≤≥≠",
].filter((letter) => /[^\p{C}\p{M}]/u.test(letter));

/** Accents above and below. */
const MARKS = [..."\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c"]
  .concat([..."\u0323\u0324\u0326\u0327\u0328\u032e\u0331"]);

/** Letters that take any accent, and those that take the accents of stress and tone. */
const BASES = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghiıjȷklmnopqrstuvwxyzÆæØøŒœƏəĄąĘęǪǫ"];

/** Letters with a dot below, which take a second accent, as they are drawn. */
const DOTTED = Object.fromEntries(
  [..."AaEeIıOoUuSs"].map((base) => [`${base.replace("ı", "i")}\u0323`, `${base}\u0323`]),
);
const STRESSED = [..."АЕИОУЫЭЮЯЄІЇҐаеиоуыэюяєіїӢӣӮӯәөүӘӨҮ"];
const STRESS = [..."\u0300\u0301\u0302\u0304"];

/** Tables that programs that show PDFs do not need. */
const UNUSED = ["BASE", "GDEF", "GPOS", "GSUB", "OS/2", "STAT", "cmap", "gasp", "name", "post"];

const folder = new URL("../lib/platform/pdf/wide/", import.meta.url);
await Deno.mkdir(folder, { recursive: true });
await using fonts = await installFonts();

for (const [name, face] of Object.entries(FACES)) {
  const source = await fonts.read(face.source);
  const all = open(source);
  const has = (letter: string) => all.hasGlyphForCodePoint(letter.codePointAt(0)!);
  const characters = WANTED.filter((letter) => has(letter) && (!face.ascii || letter < "\x7f"));
  const marks = face.ascii ? [] : MARKS.filter(has);
  const text = [...characters, ...marks].join("");
  const subset = (keepFeatures: string[], dropTables: string[] = []) =>
    fonts.subset(source, text, {
      targetFormat: "sfnt",
      variationAxes: face.axes,
      noHinting: true,
      keepFeatures,
      dropTables,
    });
  const shaping = open(await subset(["kern", "mark", "mkmk"]));
  // It has fewer glyphs, and other numbers for them.
  const font = open(await subset([]));
  const bytes = await subset([], UNUSED);
  const metrics = measure({ characters, marks, font, shaping }, face.stem);
  await Deno.writeFile(new URL(`${name}.ttf`, folder), bytes);
  const lines = Object.entries(metrics).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  const json = `{\n${lines.join(",\n")}\n}\n`;
  await Deno.writeTextFile(new URL(`${name}.json`, folder), json);
  console.log(`${name}: ${bytes.length} bytes, and ${json.length} about them`);
}
const licences = {
  newsreader: "@fontsource-variable/newsreader/LICENSE",
  "source-serif": "source-serif/LICENSE.md",
  "source-sans": "source-sans/LICENSE.md",
  "source-code": "@fontsource-variable/source-code-pro/LICENSE",
  geist: "geist/LICENSE.txt",
};
for (const [name, file] of Object.entries(licences)) {
  await Deno.writeFile(new URL(`${name}-licence.txt`, folder), await fonts.read(file));
}

/** fontkit reads beyond the end of a font whose last glyph is empty. */
function open(bytes: Uint8Array): Font {
  const padded = new Uint8Array(bytes.length + 16);
  padded.set(bytes);
  return fonts.open(padded);
}

await Deno.writeFile(new URL("licence.txt", folder), await fonts.read("source-serif/LICENSE.md"));

/** The letters and accents of a font, its glyphs, and the same font with kerning and anchors. */
interface Opened {
  characters: readonly string[];
  marks: readonly string[];
  font: Font;
  shaping: Font;
}

function measure(opened: Opened, stem: number): WideMetrics {
  const { characters, marks, font } = opened;
  const scaled = (value: number) => Math.round(value * 1000 / font.unitsPerEm);
  const all = [...characters, ...marks];
  const glyphs = all.map((letter) => font.glyphForCodePoint(letter.codePointAt(0)!));
  const { minX, minY, maxX, maxY } = font.bbox;
  return {
    ascent: scaled(font.ascent),
    descent: scaled(font.descent),
    capHeight: scaled(font.capHeight),
    box: [minX, minY, maxX, maxY].map(scaled).join(" "),
    stem,
    characters: all.join(""),
    glyphs: glyphs.map(({ id }) => id).join(" "),
    widths: glyphs.map(({ advanceWidth }) => scaled(advanceWidth)).join(" "),
    ...kerning(opened, scaled),
    accented: accented(opened, scaled),
  };
}

/** Returns the kerning of pairs as classes of characters and the values of pairs of classes. */
function kerning({ characters, shaping }: Opened, scaled: (value: number) => number) {
  const wide = (letter: string) => scaled(shaping.layout(letter).positions[0].xAdvance);
  const own = characters.map(wide);
  const script = characters.map((letter) =>
    /\p{Script=Latin}/u.test(letter)
      ? "Latin"
      : /\p{Script=Greek}/u.test(letter)
      ? "Greek"
      : /\p{Script=Cyrillic}/u.test(letter)
      ? "Cyrillic"
      : ""
  );
  const rows = characters.map((left, i) =>
    characters.map((right, j) =>
      script[i] !== "" && script[j] !== "" && script[i] !== script[j]
        ? 0
        : scaled(shaping.layout(left + right).positions[0].xAdvance) - own[i]
    )
  );
  const classes = (lines: number[][]) => {
    const known = new Map<string, number>([[lines[0].map(() => 0).join(), 0]]);
    return lines.map((line) => {
      const key = line.join();
      if (!known.has(key)) known.set(key, known.size);
      return known.get(key)!;
    });
  };
  const left = classes(rows);
  const right = classes(characters.map((_, j) => rows.map((row) => row[j])));
  const pairs = new Map<string, number>();
  for (const [i, row] of rows.entries()) {
    for (const [j, value] of row.entries()) {
      if (value !== 0) pairs.set(`${left[i]} ${right[j]}`, value);
    }
  }
  return {
    left: left.join(" "),
    right: right.join(" "),
    kerning: [...pairs].map(([pair, value]) => `${pair} ${value}`).join(","),
  };
}

/** Returns where accents go on a letter: the letter and the accents, and their offsets right and up. */
function accented(
  { characters, marks, shaping }: Opened,
  scaled: (value: number) => number,
): Record<string, string> {
  const found: Record<string, string> = {};
  /** @param name the letter, which differs from the one that is drawn if it loses its dot */
  const add = (base: string, mark: string, name = base) => {
    const key = (name + mark).normalize("NFC");
    if (characters.includes(key) || !characters.includes(base[0])) return;
    const { positions } = shaping.layout(base + mark);
    const accents = positions.slice(1);
    if (accents.length !== [...base].length || accents.some(({ xOffset }) => xOffset === 0)) return;
    const offsets = accents.flatMap(({ xOffset, yOffset }) => [xOffset, yOffset]).map(scaled);
    found[key] = `${base}${mark} ${offsets.join(" ")}`;
  };
  const isAbove = (mark: string) => mark < "\u0315";
  for (const base of BASES) {
    for (const mark of marks) {
      // An accent above takes the place of the dot.
      if (isAbove(mark) ? !/[ij]/.test(base) : !/[ıȷ]/.test(base)) {
        add(base, mark, base.replace("ı", "i").replace("ȷ", "j"));
      }
    }
  }
  for (const [letter, base] of Object.entries(DOTTED)) {
    for (const mark of marks) if (isAbove(mark)) add(base, mark, letter);
  }
  for (const base of STRESSED) {
    for (const mark of marks) if (STRESS.includes(mark)) add(base, mark);
  }
  return found;
}
