/**
 * Prints the standard as PDF, `lib/features/standard/standard.pdf`, from the page `/standard/complete`:
 *
 *     PORT=8000 deno run -A tools/standard_pdf.ts
 *
 * Starts the site on `PORT`, and installs fonts for the characters of the test vectors with `npm` into a
 * temporary folder. Equal text gives the same pages; the dates in the file are those of the changelog.
 *
 * @module
 */
import { PDFDocument, PDFHexString } from "@cantoo/pdf-lib";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Page } from "playwright-core";
import { createStandard, PDF_FILE, textHash } from "../lib/features/standard/mod.ts";

import { launchBrowser } from "../tests/browser.ts";

/** Fonts for characters that the web fonts lack: the Japanese text and the emoji of a record. */
const FONTS = {
  "@fontsource/noto-sans-jp@5.2.9": "files/noto-sans-jp-japanese-400-normal.woff2",
  "@expo-google-fonts/noto-emoji@0.4.7": "400Regular/NotoEmoji_400Regular.ttf",
};

const port = Deno.env.get("PORT") ?? "8000";
const address = `http://foundation.localhost:${port}/standard/complete`;
const standard = createStandard();
const title = `${standard.title} ${standard.version}`;

const server = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--frozen", "dev.ts", "start"],
  cwd: new URL("..", import.meta.url),
  env: { PORT: port, KV_PATH: ":memory:" },
  stdout: "piped",
  stderr: "inherit",
}).spawn();
const browser = await launchBrowser(["--font-render-hinting=none"]); // hinting rounds the widths of letters
try {
  const output = server.stdout.getReader();
  await output.read(); // the summary, which is printed once the site is served
  const page = await browser.newPage({ locale: "en-US", bypassCSP: true });
  await page.goto(address);
  await prepare(page);
  const draft = await print(page);
  await addPageNumbers(page, await pagesOf(draft));
  await Deno.writeFile(PDF_FILE, await finish(await print(page)));
} finally {
  await browser.close();
  server.kill();
}

/** Removes what depends on a deployment, and adds fonts and the space of the page numbers. */
async function prepare(page: Page): Promise<void> {
  const styles = await fontStyles();
  await page.addStyleTag({ content: styles });
  await page.evaluate(() => {
    document.querySelector(".steward")!.remove();
    document.querySelector(".standard-version a")!.remove();
    document.querySelector(".complete-title .eyebrow")!.remove();
    for (const link of document.querySelectorAll(".complete-contents a")) {
      const number = document.createElement("span");
      number.className = "page-number";
      number.textContent = "00";
      link.append(number);
    }
  });
  // All of them: a font that arrives between the two prints would move the text. Local fallbacks may fail.
  await page.evaluate(() =>
    Promise.allSettled([...document.fonts].map((font) => font.load())).then(() => {})
  );
}

async function fontStyles(): Promise<string> {
  const folder = await Deno.makeTempDir();
  const { success } = await new Deno.Command("npm", {
    args: ["install", "--prefix", folder, "--no-audit", "--no-fund", ...Object.keys(FONTS)],
    stdout: "null",
  }).output();
  if (!success) throw new Error("npm install failed");
  const faces = await Promise.all(
    Object.entries(FONTS).map(async ([name, file], i) => {
      const path = `${folder}/node_modules/${name.replace(/@[^@]*$/, "")}/${file}`;
      const data = (await Deno.readFile(path)).toBase64();
      return `@font-face { font-family: "Extra ${i}"; src: url(data:font/woff2;base64,${data}); }`;
    }),
  );
  await Deno.remove(folder, { recursive: true });
  return faces.join("\n") +
    ':root:root:root { --font-mono: "Source Code", "Extra 0", "Extra 1", "DejaVu Sans Mono"; }';
}

function print(page: Page): Promise<Uint8Array> {
  return page.pdf({
    format: "A4",
    margin: { top: "24mm", bottom: "24mm", left: "24mm", right: "24mm" },
    outline: true,
    tagged: true,
    printBackground: true,
    displayHeaderFooter: true,
    headerTemplate: "<span></span>",
    footerTemplate: `<div style="font: 8px 'DejaVu Sans', sans-serif; width: 100%; margin: 0 24mm;
      display: flex; justify-content: space-between; color: #444">
      <span>${title}</span><span class="pageNumber"></span></div>`,
  });
}

/** Returns the number of the page of each anchor. */
async function pagesOf(bytes: Uint8Array): Promise<Record<string, number>> {
  const pdf = await getDocument({ data: new Uint8Array(bytes) }).promise;
  const pages: Record<string, number> = {};
  for (const [name, target] of Object.entries(await pdf.getDestinations())) {
    pages[name] = await pdf.getPageIndex(target[0]) + 1;
  }
  await pdf.destroy();
  return pages;
}

async function addPageNumbers(page: Page, pages: Record<string, number>): Promise<void> {
  await page.evaluate((pages) => {
    for (const link of document.querySelectorAll(".complete-contents a")) {
      const id = link.getAttribute("href")!.slice(1);
      if (!(id in pages)) throw new Error(`The draft has no anchor ${id}.`);
      link.querySelector(".page-number")!.textContent = String(pages[id]);
    }
  }, pages);
}

/** Adds the title, the dates and the hash of the text, by which a test recognises an outdated file. */
async function finish(bytes: Uint8Array): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const { published, corrected = published } = standard.dates();
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setLanguage("en");
  pdf.setSubject("How anyone can check a record and its history without trusting its publisher");
  const hash = textHash(standard);
  pdf.setKeywords([`sha256:${hash}`]);
  pdf.setCreator("tools/standard_pdf.ts");
  pdf.setProducer("Chromium, pdf-lib");
  pdf.setCreationDate(new Date(`${published}T00:00:00Z`));
  pdf.setModificationDate(new Date(`${corrected}T00:00:00Z`));
  const id = PDFHexString.of(hash.slice(0, 32));
  pdf.context.trailerInfo.ID = pdf.context.obj([id, id]);
  return await pdf.save();
}
