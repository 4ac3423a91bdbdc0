/** Gives a page static fonts before Chromium prints it as PDF. */
import type { Page } from "playwright-core";
import { type Axes, installFonts, SOURCES } from "./font_sources.ts";

/** Fonts for characters that the brand's lack: the Japanese text and the emoji of a record. */
const EXTRA = {
  "@fontsource/noto-sans-jp@5.2.9": "files/noto-sans-jp-japanese-400-normal.woff2",
  "@expo-google-fonts/noto-emoji@0.4.7": "400Regular/NotoEmoji_400Regular.ttf",
};

/** The brand's fonts by their family on the page, upright and italic. */
const FAMILIES: Record<string, { upright: string; italic: string; axes?: Axes }> = {
  "Newsreader Display": {
    upright: SOURCES.newsreader,
    italic: SOURCES.newsreaderItalic,
    axes: { opsz: 44, wght: 440 },
  },
  "Source Sans": { upright: SOURCES.sourceSans, italic: SOURCES.sourceSansItalic },
  "Source Code": { upright: SOURCES.sourceCode, italic: SOURCES.sourceCodeItalic },
};

/** The features that the web fonts have. */
const FEATURES = ["kern", "liga", "ccmp", "mark", "mkmk", "tnum", "lnum"];

/**
 * Replaces the fonts of a page by static ones of every weight and style that its print shows, because
 * Chromium draws variable, slanted and emboldened letters in a PDF as Type 3 fonts.
 */
export async function usePrintFonts(page: Page): Promise<void> {
  await using fonts = await installFonts(Object.keys(EXTRA));
  const characters = await page.evaluate(() => document.body.textContent!);
  const rules: string[] = [];
  const add = (family: string, bytes: Uint8Array, weight = "400", style = "normal") =>
    rules.push(`@font-face { font-family: "Print ${family}"; font-weight: ${weight};
      font-style: ${style}; src: url(data:font/ttf;base64,${bytes.toBase64()});
      ${family === "Source Sans" ? "size-adjust: 106%;" : ""} }`);
  for (const used of await usedFonts(page)) {
    const [family, weight, style] = used.split("|");
    const face = FAMILIES[family];
    if (face === undefined) throw new Error(`The page uses ${family}.`);
    const source = await fonts.read(style === "italic" ? face.italic : face.upright);
    const bytes = await fonts.subset(source, characters, {
      targetFormat: "sfnt",
      variationAxes: face.axes ?? { wght: Number(weight) },
      keepFeatures: FEATURES,
    });
    add(family, bytes, weight, style);
  }
  const extra = Object.entries(EXTRA).map(([name, file]) =>
    [name.replace(/@[^@]*$/, ""), file] as const
  );
  for (const [name, file] of extra) add(name, await fonts.read(`${name}/${file}`), "100 900");
  const others = extra.map(([name]) => `"Print ${name}"`).join(", ");
  await page.addStyleTag({
    content: `${rules.join("\n")}
      :root:root:root {
        --font-text: "Print Source Sans", ${others};
        --font-display: "Print Newsreader Display", "Print Source Sans";
        --font-mono: "Print Source Code", ${others}, "DejaVu Sans Mono";
      }`,
  });
  // All of them: a font that arrives between two prints would move the text. Local fallbacks may fail.
  await page.evaluate(() =>
    Promise.allSettled([...document.fonts].map((font) => font.load())).then(() => {})
  );
}

/** Returns the families, weights and styles of the text, such as `Source Sans|400|normal`. */
async function usedFonts(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: "print" });
  return await page.evaluate(() => {
    const used = new Set<string>();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const element = text.parentElement!;
      if (text.textContent!.trim() === "" || !element.checkVisibility()) continue;
      const { fontFamily, fontWeight, fontStyle } = getComputedStyle(element);
      const [family] = fontFamily.split(",");
      used.add([family.replaceAll('"', ""), fontWeight, fontStyle].join("|"));
    }
    return [...used];
  });
}
