/**
 * Cuts the fonts for names of many languages: static fonts in `packages/pdf/fonts/` with their rules of shaping,
 * compressed, and their licences. Installs the sources with `npm` into a temporary folder:
 *
 *     deno run -A tools/wide_fonts.ts [<name of a font> …]
 *
 * @module
 */
import { brotliCompressSync, constants } from "node:zlib";
import { type Face, FACES, type WideFile } from "../packages/pdf/mod.ts";
import { installFonts, SOURCES } from "./font_sources.ts";

interface Source {
  path: string;
  licence: string;
  axes?: Record<string, number>;
  features: string[];
  /** The characters that the product may print in it, if the font has them. */
  isWanted: (character: string) => boolean;
}

/** The features of letters with accents, without ligatures. */
const LETTERS = ["ccmp", "kern", "locl", "mark", "mkmk"];

/** The features without which a script is not written right, or not as its readers expect. */
const SCRIPTS = LETTERS.concat(
  ["calt", "clig", "liga", "rlig", "curs", "isol", "init", "medi", "med2", "fina", "fin2", "fin3"],
  ["abvf", "abvm", "abvs", "akhn", "blwf", "blwm", "blws", "cfar", "cjct", "dist", "half", "haln"],
  ["nukt", "pref", "pres", "pstf", "psts", "rkrf", "rphf", "vatu", "ljmo", "vjmo", "tjmo"],
);

const inRanges = (...ranges: [first: number, last: number][]) => (character: string) =>
  /[^\p{C}]/u.test(character) &&
  ranges.some(([first, last]) =>
    first <= character.codePointAt(0)! && character.codePointAt(0)! <= last
  );

const ASCII = inRanges([0x20, 0x7e]);

/** Latin, Greek and Cyrillic letters, punctuation, signs of currencies, and accents. */
const ALPHABETS = inRanges(
  [0x20, 0x7e],
  [0xa0, 0x2ff],
  [0x300, 0x30c],
  [0x30f, 0x30f],
  [0x311, 0x311],
  [0x323, 0x328],
  [0x32d, 0x332],
  [0x370, 0x52f],
  [0x1e00, 0x1fff],
  [0x2010, 0x205e],
  [0x20a0, 0x20c0],
  [0x2116, 0x2116],
  [0x2122, 0x2122],
  [0x2212, 0x2212],
  [0x2260, 0x2265],
  [0xa78b, 0xa78c],
);

/** Letters of phonetic and of smaller alphabets, and all accents. */
const MORE_LETTERS = inRanges(
  [0x300, 0x36f],
  [0x1c80, 0x1c8f],
  [0x1d00, 0x1dff],
  [0x2c60, 0x2c7f],
  [0xa640, 0xa69f],
  [0xa720, 0xa7ff],
  [0xab30, 0xab6f],
);

/** A space, the joiners, and the circle that replaces a missing letter. */
const SHARED = new Set([..." \u00a0\u200c\u200d◌"]);

/** Returns the characters of a part of an encoding with two bytes for each. */
function encoded(name: string, [first, last]: [number, number], from: number): Set<string> {
  const decoder = new TextDecoder(name);
  const characters = new Set<string>();
  for (let lead = first; lead <= last; lead++) {
    for (let trail = from; trail <= 0xfe; trail++) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      if (!text.includes("\ufffd")) { for (const character of text) characters.add(character); }
    }
  }
  return characters;
}

/** Han and Kana in an encoding, and the punctuation between them. */
const eastAsian = (characters: ReadonlySet<string>) => (character: string) =>
  SHARED.has(character) ||
  (characters.has(character) &&
    /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\uff00-\uffef·]/u.test(character));

const expo = (family: string, file: string): Pick<Source, "path" | "licence"> => ({
  path: `@expo-google-fonts/${family}/400Regular/${file}_400Regular.ttf`,
  licence: `@expo-google-fonts/${family}/LICENSE_FONT`,
});

const [GBK, GB_2312, BIG5, JIS] = [
  encoded("gbk", [0x81, 0xfe], 0x40),
  encoded("gbk", [0xa1, 0xf7], 0xa1),
  encoded("big5", [0xa1, 0xf9], 0x40),
  encoded("euc-jp", [0xa1, 0xf4], 0xa1),
];
/** Those of rare names are in one of the fonts, whichever the language. */
const SIMPLIFIED = GB_2312.union(GBK.difference(BIG5).difference(JIS));

const SERIF_LICENCE = "source-serif/LICENSE.md";
const SANS_LICENCE = "source-sans/LICENSE.md";
const letters = { features: LETTERS, isWanted: ALPHABETS };
const ascii = { features: LETTERS, isWanted: ASCII };

const OWN: Partial<Record<WideFile, Source>> = {
  "Serif-Display": { path: SOURCES.sourceSerifDisplay, licence: SERIF_LICENCE, ...letters },
  "Serif-Regular": { path: SOURCES.sourceSerif, licence: SERIF_LICENCE, ...letters },
  "Sans-Regular": {
    path: SOURCES.sourceSans,
    licence: SANS_LICENCE,
    axes: { wght: 400 },
    ...letters,
  },
  "Sans-Semibold": {
    path: SOURCES.sourceSans,
    licence: SANS_LICENCE,
    axes: { wght: 600 },
    ...letters,
  },
  "Geist-Regular": {
    path: SOURCES.geist,
    licence: "geist/LICENSE.txt",
    axes: { wght: 400 },
    ...letters,
  },
  "Geist-Semibold": {
    path: SOURCES.geist,
    licence: "geist/LICENSE.txt",
    axes: { wght: 620 },
    ...letters,
  },
  "Letters-Regular": {
    ...expo("noto-serif", "NotoSerif"),
    features: LETTERS,
    isWanted: (character) => ALPHABETS(character) || MORE_LETTERS(character),
  },
  "Newsreader-Display": {
    path: SOURCES.newsreader,
    licence: "@fontsource-variable/newsreader/LICENSE",
    axes: { opsz: 44, wght: 440 },
    ...ascii,
  },
  "Mono-Regular": {
    path: SOURCES.sourceCode,
    licence: "@fontsource-variable/source-code-pro/LICENSE",
    axes: { wght: 400 },
    ...ascii,
  },
  "GeistMono-Regular": {
    path: SOURCES.geistMono,
    licence: "geist/LICENSE.txt",
    axes: { wght: 400 },
    ...ascii,
  },
  "Han-Simplified": {
    ...expo("noto-serif-sc", "NotoSerifSC"),
    features: LETTERS,
    isWanted: eastAsian(SIMPLIFIED),
  },
  "Han-Traditional": {
    ...expo("noto-serif-tc", "NotoSerifTC"),
    features: LETTERS,
    isWanted: eastAsian(BIG5),
  },
  "Han-Japanese": {
    ...expo("noto-serif-jp", "NotoSerifJP"),
    features: LETTERS,
    isWanted: eastAsian(JIS),
  },
};

/** The packages and files of the fonts for one script each. */
const FAMILIES: Partial<Record<WideFile, readonly [family: string, file: string]>> = {
  Arabic: ["amiri", "Amiri"],
  Armenian: ["noto-sans-armenian", "NotoSansArmenian"],
  Bengali: ["noto-serif-bengali", "NotoSerifBengali"],
  Devanagari: ["noto-serif-devanagari", "NotoSerifDevanagari"],
  Ethiopic: ["noto-sans-ethiopic", "NotoSansEthiopic"],
  Georgian: ["noto-sans-georgian", "NotoSansGeorgian"],
  Gujarati: ["noto-sans-gujarati", "NotoSansGujarati"],
  Gurmukhi: ["noto-sans-gurmukhi", "NotoSansGurmukhi"],
  Hangul: ["noto-serif-kr", "NotoSerifKR"],
  Hebrew: ["noto-serif-hebrew", "NotoSerifHebrew"],
  Kannada: ["noto-sans-kannada", "NotoSansKannada"],
  Khmer: ["noto-sans-khmer", "NotoSansKhmer"],
  Lao: ["noto-sans-lao", "NotoSansLao"],
  Malayalam: ["noto-sans-malayalam", "NotoSansMalayalam"],
  Myanmar: ["noto-sans-myanmar", "NotoSansMyanmar"],
  Oriya: ["noto-sans-oriya", "NotoSansOriya"],
  Sinhala: ["noto-sans-sinhala", "NotoSansSinhala"],
  Tamil: ["noto-sans-tamil", "NotoSansTamil"],
  Telugu: ["noto-serif-telugu", "NotoSerifTelugu"],
  Thai: ["noto-sans-thai", "NotoSansThai"],
};

function sourceOf(name: WideFile): Source {
  const own = OWN[name];
  if (own !== undefined) return own;
  const { script }: Face = FACES[name];
  return {
    ...expo(...FAMILIES[name]!),
    features: SCRIPTS,
    isWanted: (character) => SHARED.has(character) || script!.test(character),
  };
}

/** Tables that neither HarfBuzz nor programs that show PDFs need. */
const UNUSED = ["BASE", "STAT", "VORG", "gasp", "name", "post", "vhea", "vmtx"];

const folder = new URL("../packages/pdf/fonts/", import.meta.url);
const chosen = Deno.args.length > 0 ? Deno.args as WideFile[] : Object.keys(FACES) as WideFile[];
const families = chosen.flatMap((name) => /^@expo[^/]*\/[^/]*/.exec(sourceOf(name).path) ?? []);
await using fonts = await installFonts(families);

for (const name of chosen) {
  const { path, licence, axes, features, isWanted } = sourceOf(name);
  const source = await fonts.read(path);
  const all = fonts.open(source).characterSet.map((point) => String.fromCodePoint(point));
  const bytes = await fonts.subset(source, all.filter(isWanted).join(""), {
    targetFormat: "sfnt",
    variationAxes: axes,
    noHinting: true,
    keepFeatures: features,
    dropTables: UNUSED,
  });
  const compressed = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  await Deno.writeFile(new URL(`${name}.ttf.br`, folder), compressed);
  await Deno.writeFile(new URL(`${name}-licence.txt`, folder), await fonts.read(licence));
  console.log(`${name}: ${bytes.length} bytes, compressed ${compressed.length}`);
}
