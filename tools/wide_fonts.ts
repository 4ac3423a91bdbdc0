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
import { type Font, installFonts, SOURCES } from "./font_sources.ts";

const FACES = {
  "SourceSerif-Display": { source: SOURCES.sourceSerifDisplay, stem: 84 },
  "SourceSerif-Regular": { source: SOURCES.sourceSerif, stem: 84 },
};

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));

/** Latin, Greek and Cyrillic letters, punctuation, and signs of currencies. */
const WANTED = [
  ...range(0x20, 0x7e),
  ...range(0xa0, 0x24f),
  ...range(0x370, 0x4ff),
  ...range(0x1e00, 0x1eff),
  ...range(0x2010, 0x205e),
  ...range(0x20a0, 0x20bf),
  ..."№™−≤≥≠",
].filter((letter) => /[^\p{C}\p{M}]/u.test(letter));

/** Accents above and below. */
const MARKS = [..."\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c"]
  .concat([..."\u0323\u0324\u0326\u0327\u0328\u032e\u0331"]);

/** Letters that take any accent, and those that take the accents of stress and tone. */
const BASES = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghiıjȷklmnopqrstuvwxyzÆæØøŒœƏə"];

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

// All faces have the same characters, so that a text can be checked without knowing its place.
const opened = await Promise.all(
  Object.values(FACES).map(async ({ source }) => fonts.open(await fonts.read(source))),
);
const inAll = (letter: string) =>
  opened.every((font) => font.hasGlyphForCodePoint(letter.codePointAt(0)!));
const characters = WANTED.filter(inAll);
const marks = MARKS.filter(inAll);

for (const [name, face] of Object.entries(FACES)) {
  const options = {
    targetFormat: "sfnt" as const,
    noHinting: true,
  };
  const text = [...characters, ...marks].join("");
  const source = await fonts.read(face.source);
  const shaping = await fonts.subset(source, text, {
    ...options,
    keepFeatures: ["kern", "mark", "mkmk"],
  });
  // Its glyphs are numbered in the same order, without those that only other features need.
  const bytes = await fonts.subset(source, text, { ...options, keepFeatures: [] });
  const stripped = await fonts.subset(source, text, {
    ...options,
    keepFeatures: [],
    dropTables: UNUSED,
  });
  const metrics = measure(open(shaping), open(bytes), face.stem);
  await Deno.writeFile(new URL(`${name}.ttf`, folder), stripped);
  const lines = Object.entries(metrics).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  const json = `{\n${lines.join(",\n")}\n}\n`;
  await Deno.writeTextFile(new URL(`${name}.json`, folder), json);
  console.log(`${name}: ${stripped.length} bytes, and ${json.length} about them`);
}

/** fontkit reads beyond the end of a font whose last glyph is empty. */
function open(bytes: Uint8Array): Font {
  const padded = new Uint8Array(bytes.length + 16);
  padded.set(bytes);
  return fonts.open(padded);
}

await Deno.writeFile(new URL("licence.txt", folder), await fonts.read("source-serif/LICENSE.md"));

function measure(shaping: Font, font: Font, stem: number): WideMetrics {
  const scaled = (value: number) => Math.round(value * 1000 / font.unitsPerEm);
  const glyphOf = (letter: string) => font.glyphForCodePoint(letter.codePointAt(0)!);
  const { minX, minY, maxX, maxY } = font.bbox;
  return {
    ascent: scaled(font.ascent),
    descent: scaled(font.descent),
    capHeight: scaled(font.capHeight),
    box: [minX, minY, maxX, maxY].map(scaled).join(" "),
    stem,
    characters: [...characters, ...marks].join(""),
    glyphs: [...characters, ...marks].map((letter) => glyphOf(letter).id).join(" "),
    widths: [...characters, ...marks].map((letter) => scaled(glyphOf(letter).advanceWidth))
      .join(" "),
    ...kerning(shaping, scaled),
    accented: accented(shaping, scaled),
  };
}

/** Returns the kerning of pairs as classes of characters and the values of pairs of classes. */
function kerning(font: Font, scaled: (value: number) => number) {
  const wide = (letter: string) => scaled(font.layout(letter).positions[0].xAdvance);
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
        : scaled(font.layout(left + right).positions[0].xAdvance) - own[i]
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
function accented(font: Font, scaled: (value: number) => number): Record<string, string> {
  const found: Record<string, string> = {};
  /** @param name the letter, which differs from the one that is drawn if it loses its dot */
  const add = (base: string, mark: string, name = base) => {
    const key = (name + mark).normalize("NFC");
    if (characters.includes(key) || !characters.includes(base[0])) return;
    const { positions } = font.layout(base + mark);
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
