/**
 * Makes the web fonts: subsets in `static/fonts/` with their licences, and `static/styles/fonts.css`
 * with the rules that load them. Installs the sources with `npm` into a temporary folder:
 *
 *     deno run -A tools/fonts.ts
 *
 * @module
 */
import type { Buffer } from "node:buffer";
import { type Axes, type Font, installFonts, SOURCES } from "./font_sources.ts";

/** Fonts with the metrics of those that systems have: Arial, Times New Roman, Georgia and Roboto. */
const SYSTEM_FONTS = [
  "@fontsource/arimo@5.3.0",
  "@fontsource/tinos@5.3.0",
  "@fontsource/gelasio@5.3.0",
  "@fontsource/roboto@5.3.0",
];

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join("");
const BASIC = range(0x20, 0x7e) + "\u00a0\u2009§©®°·×éäöüñçØ–—‘’“”•…−→←↑↓↗✓≤≥≠™№";
const LATIN = BASIC + range(0xa1, 0xff);

interface Face {
  family: string;
  file: string;
  source: string;
  licence: string;
  characters: string;
  axes: Axes;
  weight: string;
  /** The weight of headings and buttons, by which bold fallbacks are scaled. */
  bold?: number;
  style?: "italic";
  /** Enlarges a font that looks smaller than others at the same size. */
  sizeAdjust?: number;
  /** The fonts of systems whose letters are scaled to the width of this one, best first. */
  fallbacks: SystemFont[];
}

/** A font that systems have, and one from npm with the same metrics. */
interface SystemFont {
  name: string;
  locals: string[];
  /** Its bold style, whose letters have other widths. */
  boldLocals?: string[];
  /** True if it is the italic style. */
  italic?: boolean;
  /** The package with the same metrics. */
  metrics: string;
}

const ARIAL: SystemFont = {
  name: "Arial",
  locals: ["Arial", "Liberation Sans", "Helvetica", "Nimbus Sans"],
  boldLocals: ["Arial Bold", "Liberation Sans Bold", "Helvetica Bold", "Nimbus Sans Bold"],
  metrics: "arimo",
};
const ROBOTO: SystemFont = {
  name: "Roboto",
  locals: ["Roboto", "Roboto Regular"],
  boldLocals: ["Roboto Bold"],
  metrics: "roboto",
};
const GEORGIA: SystemFont = {
  name: "Georgia",
  locals: ["Georgia", "Gelasio"],
  metrics: "gelasio",
};
const GEORGIA_ITALIC: SystemFont = {
  ...GEORGIA,
  locals: ["Georgia Italic", "Gelasio Italic"],
  italic: true,
};
const TIMES: SystemFont = {
  name: "Times",
  locals: ["Times New Roman", "Liberation Serif", "Nimbus Roman", "Times"],
  metrics: "tinos",
};

const TIMES_ITALIC: SystemFont = {
  ...TIMES,
  locals: ["Times New Roman Italic", "Liberation Serif Italic", "Nimbus Roman Italic"],
  italic: true,
};

const FACES: Face[] = [
  {
    family: "Newsreader Display",
    file: "newsreader",
    source: SOURCES.newsreader,
    licence: "@fontsource-variable/newsreader/LICENSE",
    characters: BASIC,
    axes: { opsz: 44, wght: 440 },
    weight: "400 600",
    fallbacks: [GEORGIA, TIMES],
  },
  {
    family: "Newsreader Display",
    file: "newsreader-italic",
    source: SOURCES.newsreaderItalic,
    licence: "@fontsource-variable/newsreader/LICENSE",
    characters: range(0x20, 0x7e) + "\u00a0–—‘’“”…é",
    axes: { opsz: 44, wght: 420 },
    weight: "400 600",
    style: "italic",
    fallbacks: [GEORGIA_ITALIC, TIMES_ITALIC],
  },
  {
    family: "Source Sans",
    file: "source-sans",
    source: SOURCES.sourceSans,
    licence: "source-sans/LICENSE.md",
    characters: LATIN,
    axes: { wght: { min: 400, max: 700 } },
    weight: "400 700",
    bold: 600,
    sizeAdjust: 1.06,
    fallbacks: [ARIAL, ROBOTO],
  },
  {
    family: "Source Code",
    file: "source-code",
    source: SOURCES.sourceCode,
    licence: "@fontsource-variable/source-code-pro/LICENSE",
    characters: range(0x20, 0x7e) + "\u00a0·–—…",
    axes: { wght: 400 },
    weight: "400 500",
    fallbacks: [],
  },
  {
    family: "Geist",
    file: "geist",
    source: SOURCES.geist,
    licence: "geist/LICENSE.txt",
    characters: LATIN,
    axes: { wght: { min: 400, max: 700 } },
    weight: "400 700",
    bold: 620,
    fallbacks: [ARIAL, ROBOTO],
  },
  {
    family: "Geist Mono",
    file: "geist-mono",
    source: SOURCES.geistMono,
    licence: "geist/LICENSE.txt",
    characters: BASIC,
    axes: { wght: { min: 400, max: 600 } },
    weight: "400 600",
    fallbacks: [],
  },
];

const FEATURES = ["kern", "liga", "ccmp", "mark", "mkmk", "tnum", "lnum"];

const root = new URL("../", import.meta.url).pathname;
const folder = `${root}static/fonts`;
await using fonts = await installFonts(SYSTEM_FONTS);
const { read, subset, open } = fonts;

/** Prose of ours, by which the widths of fonts are compared. */
const text = (await Deno.readTextFile(`${root}docs/records.md`))
  .replace(/```.*?```|`[^`]*`|[^A-Za-z,. ]/gs, " ").replace(/ +/g, " ").slice(0, 20_000);

/** The average width of the text's letters with kerning, as a fraction of the font's size. */
const averageWidth = (font: Font) => font.layout(text).advanceWidth / text.length / font.unitsPerEm;

const percent = (value: number) => `${(value * 100).toFixed(2)}%`;

/** Returns the rule of a system's font, scaled to the letters and lines of a web font. */
async function fallbackRule(
  face: Face,
  source: Buffer,
  { name, locals, metrics, italic = false }: SystemFont,
  weight: 400 | 700 | null,
): Promise<string> {
  const axes = weight === null
    ? face.axes
    : { ...face.axes, wght: weight === 700 ? face.bold! : weight };
  const options = { variationAxes: axes, keepFeatures: FEATURES };
  const font = open(
    await subset(source, face.characters, { ...options, targetFormat: "sfnt" }),
  );
  const file = `${metrics}-latin-${weight === 700 ? 700 : 400}-${
    italic ? "italic" : "normal"
  }.woff2`;
  const ratio = averageWidth(font) /
    averageWidth(open(await read(`@fontsource/${metrics}/files/${file}`)));
  const em = font.unitsPerEm * ratio;
  const weights = { 400: "400 559", 700: "560 700" };
  return `@font-face {
  font-family: "${face.family} ${name}";
  src: ${locals.map((local) => `local("${local}")`).join(", ")};
  ${weight === null ? "" : `font-weight: ${weights[weight]};\n  `}${
    italic ? "font-style: italic;\n  " : ""
  }size-adjust: ${percent(ratio * (face.sizeAdjust ?? 1))};
  ascent-override: ${percent(font.ascent / em)};
  descent-override: ${percent(-font.descent / em)};
  line-gap-override: ${percent(font.lineGap / em)};
}`;
}

const rules = ["/* Written by tools/fonts.ts. */"];
await Deno.mkdir(folder, { recursive: true });
for (const face of FACES) {
  const source = await read(face.source);
  const options = { variationAxes: face.axes, keepFeatures: FEATURES };
  const bytes = await subset(source, face.characters, { ...options, targetFormat: "woff2" });
  const font = open(
    await subset(source, face.characters, { ...options, targetFormat: "sfnt" }),
  );
  const missing = [...face.characters].filter((c) => !font.hasGlyphForCodePoint(c.codePointAt(0)!));
  console.log(`${face.file}: ${bytes.length} bytes; without ${missing.join(" ") || "nothing"}`);
  await Deno.writeFile(`${folder}/${face.file}.woff2`, bytes);
  const licence = face.file.replace("-italic", "").replace("geist-mono", "geist");
  await Deno.writeFile(`${folder}/${licence}-licence.txt`, await read(face.licence));
  rules.push(`@font-face {
  font-family: "${face.family}";
  src: url("/fonts/${face.file}.woff2") format("woff2");
  font-weight: ${face.weight};${face.style === undefined ? "" : `\n  font-style: ${face.style};`}
  font-display: swap;${
    face.sizeAdjust === undefined ? "" : `\n  size-adjust: ${percent(face.sizeAdjust)};`
  }
}`);
  for (const system of face.fallbacks) {
    if (system.boldLocals === undefined) {
      rules.push(await fallbackRule(face, source, system, null));
    } else {
      const bold = { ...system, locals: system.boldLocals };
      rules.push(await fallbackRule(face, source, system, 400));
      rules.push(await fallbackRule(face, source, bold, 700));
    }
  }
}
await Deno.writeTextFile(`${root}static/styles/fonts.css`, rules.join("\n\n") + "\n");
