import { assert, assertEquals, assertThrows } from "@std/assert";
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { WideFonts } from "./embed.ts";
import { FontSet } from "./font_set.ts";
import { openFace, type WideFile } from "./faces.ts";
import { Outlines } from "./outlines.ts";

const FILES: WideFile[] = [
  "Geist-Regular",
  "Geist-Semibold",
  "GeistMono-Regular",
  "Newsreader-Display",
  "SourceCode-Regular",
  "SourceSans-Regular",
  "SourceSans-Semibold",
  "SourceSerif-Display",
  "SourceSerif-Regular",
];

/** Returns the texts that a viewer finds in a PDF that shows these lines in this font. */
async function shown(file: WideFile, lines: readonly string[]): Promise<string[]> {
  const pdf = await PDFDocument.create();
  const { context } = pdf;
  const fonts = new FontSet(context, { text: [await new WideFonts().open(file)] });
  const page = pdf.addPage([5_000, 40 * (lines.length + 1)]);
  const content = lines.map((line, i) =>
    `BT 10 ${40 * (i + 1)} Td ${fonts.show("text", line, 10)} ET`
  );
  page.node.set(PDFName.of("Contents"), context.register(context.flateStream(content.join("\n"))));
  page.node.set(PDFName.of("Resources"), context.obj({ Font: fonts.ref }));
  fonts.write();
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
  Deno.test(`${file}: viewers find the text of all its characters`, async () => {
    const { characters, accented } = openFace(file).metrics;
    const letters = [...characters].filter((letter) => /[^\p{M}\p{Z}\u00ad]/u.test(letter));
    const lines: string[] = [];
    while (letters.length > 0) lines.push(letters.splice(0, 60).join(""));
    // One glyph may stand for several characters that look the same.
    const same = (text: string) =>
      text.normalize("NFKC").replace(/\s/g, "").replace(/[\u2010\u2011]/g, "-")
        .replaceAll("ʻ", "‘").replaceAll("ʼ", "’");
    for (const all of [lines, Object.keys(accented)]) {
      assertEquals((await shown(file, all)).map(same), all.map(same));
    }
  });
}

Deno.test("letters are kerned, and a text is as wide as its glyphs", () => {
  const face = openFace("SourceSerif-Display");
  const width = (text: string) => face.widthOf(text, 1000);
  assert(width("AV") < width("A") + width("V") - 40);
  assertEquals(width("HH"), 2 * width("H"));
  // An accent does not make a letter wider.
  assertEquals(width("q\u0303"), width("q"));
  assertEquals(face.missing("Adé q\u0303 你 ب"), ["你", "ب"]);
  assertThrows(() => face.place("你"));
});

Deno.test("a subset has the glyphs of its texts, and those of which they consist", async () => {
  const file = await Deno.readFile(new URL("./SourceSerif-Display.ttf", import.meta.url));
  const face = openFace("SourceSerif-Display");
  const glyphs = face.place("Agé").map(({ glyph }) => glyph);
  const subset = new Outlines(file).subset(glyphs);
  assertEquals(new Outlines(file).subset(glyphs.toReversed()), subset);
  assert(subset.length < 0.15 * file.length, `${subset.length} bytes`);
  // It consists of the letter and an accent.
  const [letter, part] = face.place("ée").map(({ glyph }) => glyph);
  assertEquals(new Outlines(file).subset([letter, part]), new Outlines(file).subset([letter]));
  // A subset of it is the same, so it has everything that it needs.
  assertEquals(new Outlines(subset).subset(glyphs), subset);
});
