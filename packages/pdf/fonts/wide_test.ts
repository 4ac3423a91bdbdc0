import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { Blob, Face as HarfBuzzFace, Font } from "harfbuzzjs";
import { brotliDecompressSync } from "node:zlib";
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { inOneLine } from "../write/text.ts";
import { FontSet } from "./font_set.ts";
import { FACES, type WideFile } from "./faces.ts";
import { WideFonts } from "./fonts.ts";
import { Outlines } from "./outlines.ts";

const FILES = Object.keys(FACES) as WideFile[];
const fonts = new WideFonts();

/** Returns the texts that a viewer finds in a PDF that shows these lines in this font. */
async function shown(file: WideFile, lines: readonly string[]): Promise<string[]> {
  const pdf = await PDFDocument.create();
  const { context } = pdf;
  const set = new FontSet(context, fonts, { text: [file] });
  const page = pdf.addPage([5_000, 40 * (lines.length + 1)]);
  const content = lines.map((line, i) =>
    `BT 10 ${40 * (i + 1)} Td ${set.show("text", line, 10)} ET`
  );
  page.node.set(PDFName.of("Contents"), context.register(context.flateStream(content.join("\n"))));
  page.node.set(PDFName.of("Resources"), context.obj({ Font: set.ref }));
  set.write();
  const task = getDocument({ data: await pdf.save(), verbosity: 0, stopAtErrors: true });
  try {
    const { items } = await (await (await task.promise).getPage(1)).getTextContent();
    const texts: string[] = lines.map(() => "");
    for (const item of items) {
      if ("str" in item) texts[Math.floor(item.transform[5] / 40) - 1] += item.str;
    }
    return texts;
  } finally {
    await task.destroy();
  }
}

for (const file of FILES) {
  Deno.test(`${file}: viewers find the text of all its letters`, async () => {
    const letters = [...fonts.open(file).letters].filter((letter) =>
      /[\p{L}\p{N}]/u.test(letter) && !/[\p{sc=Arab}\p{sc=Hebr}\u1100-\u11ff]/u.test(letter)
    );
    // Some of Han and Hangul stand for the others.
    const some = letters.filter((_, i) => letters.length < 2_000 || i % 20 === 0);
    const lines: string[] = [];
    while (some.length > 0) lines.push(some.splice(0, 60).join(""));
    const same = (text: string) => text.normalize("NFKC").replace(/\s/g, "");
    assertEquals((await shown(file, lines)).map(same), lines.map(same));
  });
}

Deno.test("letters with accents that Unicode has no characters for are found", async () => {
  const line = "J̌ẹ̀m̧N̄o̧q̃r̃Ɛ́ɔ̀х̄";
  assertEquals(await shown("Letters-Regular", [line]), [line]);
});

Deno.test("a line from right to left has its numbers and brackets in order", () => {
  const textsOf = (text: string, rtl: boolean) =>
    fonts.line(["Serif-Display"], text, { rtl }).glyphs.map((glyph) => glyph.text).join("");
  // A bracket's text is the one that it looks like.
  assertEquals(textsOf("דוד (ab 12) שלום", true), "םולש (ab 12) דוד");
  assertEquals(textsOf("Anna דוד 12 שלום Eva", false), "Anna םולש 12 דוד Eva");
  // Programs turn each character of a glyph around.
  assertEquals(textsOf("דָוִד", true), Array.from("דָוִד").reverse().join(""));
});

Deno.test("a line whose marks have no width says its text, unless programs turn it around", async () => {
  const { context } = await PDFDocument.create();
  const set = new FontSet(context, fonts, { text: ["Serif-Display"] });
  const shown = (text: string) => set.show("text", text, 10);
  assertMatch(shown("प्र"), /^\/Span <<\/ActualText <feff092a094d0930>>> BDC .* EMC$/);
  for (const text of ["Ada é", "王小明", "דָוִד", "محمدٌ"]) {
    assert(!shown(text).includes("ActualText"));
  }
});

Deno.test("a joiner changes the letters beside it, and is kept", () => {
  const glyphsOf = (text: string) =>
    fonts.line(["Serif-Display"], inOneLine(text), { rtl: true }).glyphs;
  const [joined, apart] = ["علیرضا", "علی\u200cرضا"].map(glyphsOf);
  const numbersOf = (glyphs: typeof joined, letter: string) =>
    glyphs.find(({ text }) => text.includes(letter))!.parts.map(({ glyph }) => glyph);
  assertNotEquals(numbersOf(joined, "ی"), numbersOf(apart, "ی"));
  assert(apart.some(({ text }) => text.includes("\u200c")));
});

Deno.test("letters are kerned, and a text is as wide as its glyphs", () => {
  const width = (text: string) => fonts.widthOf(["Serif-Display"], text);
  assert(width("AV") < width("A") + width("V") - 40);
  assertEquals(width("HH"), 2 * width("H"));
  // An accent does not make a letter wider.
  assertEquals(width("q\u0303"), width("q"));
  assertEquals(fonts.line(["Serif-Display"], "Adé q\u0303 𓂀 𓃭").missing, ["𓂀", "𓃭"]);
});

Deno.test("a font has the glyphs of its texts with their widths, and those of which they consist", async () => {
  const file = await Deno.readFile(new URL("./Serif-Display.ttf.br", import.meta.url));
  const bytes = new Uint8Array(brotliDecompressSync(file));
  const all = new Outlines(bytes);
  const { glyphs } = fonts.line(["Serif-Display"], "Agé");
  const subset = all.subset(glyphs);
  assert(subset.length < 0.15 * bytes.length, `${subset.length} bytes`);
  const face = new HarfBuzzFace(new Blob(subset.slice()));
  const font = new Font(face);
  assertEquals(glyphs.map((_, i) => font.glyphHAdvance(i + 1)), glyphs.map(({ width }) => width));
  const original = new Font(new HarfBuzzFace(new Blob(bytes)));
  for (const [i, { parts: [{ glyph }] }] of glyphs.entries()) {
    assertEquals(font.glyphToPath(i + 1), original.glyphToPath(glyph));
  }
});

Deno.test("an accent is drawn where it belongs, in one glyph with its letter", async () => {
  const bytes = new Uint8Array(
    brotliDecompressSync(await Deno.readFile(new URL("./Serif-Display.ttf.br", import.meta.url))),
  );
  const [glyph] = fonts.line(["Serif-Display"], "q\u0303").glyphs;
  const [letter, accent] = glyph.parts;
  const font = new Font(new HarfBuzzFace(new Blob(new Outlines(bytes).subset([glyph]).slice())));
  const original = new Font(new HarfBuzzFace(new Blob(bytes)));
  const moved = original.glyphToPath(accent.glyph).replace(
    /(-?[\d.]+),(-?[\d.]+)/g,
    (_, x, y) => `${Number(x) + accent.right},${Number(y) + accent.up}`,
  );
  assertEquals(font.glyphToPath(1), original.glyphToPath(letter.glyph) + moved);
  const [lower, upper] = [letter, accent].map(({ glyph }) => original.glyphExtents(glyph)!);
  const { xBearing, yBearing } = font.glyphExtents(1)!;
  assertEquals(yBearing, upper.yBearing + accent.up);
  assertEquals(xBearing, Math.min(lower.xBearing, upper.xBearing + accent.right));
});
