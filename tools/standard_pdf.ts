/**
 * Prints the standard as PDF, `lib/features/standard/standard.pdf`, from the page `/standard/complete`:
 *
 *     PORT=8000 deno run -A tools/standard_pdf.ts
 *
 * Starts the site on `PORT`, and installs the fonts with `npm` into a temporary folder. Equal text gives the same pages; the dates in the file are those of the changelog.
 *
 * @module
 */
import { PDFDocument, PDFHexString } from "@cantoo/pdf-lib";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Page } from "playwright-core";
import { createStandard, PDF_FILE, textHash } from "../lib/features/standard/mod.ts";
import { describe, PRODUCER } from "../packages/pdf/mod.ts";
import { completeTags } from "./standard_tags.ts";
import { usePrintFonts } from "./print_fonts.ts";

import { launchBrowser } from "../tests/browser.ts";

const port = Deno.env.get("PORT") ?? "8000";
const address = `http://foundation.localhost:${port}/standard/complete`;
const standard = createStandard();
const title = `${standard.title} ${standard.version}`;

const server = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--frozen", "--lock=deno.lock", "dev.ts", "start"],
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
  const pages = await pagesOf(draft);
  await addPageNumbers(page, pages);
  const titles = await titlesOf(page, Object.keys(pages));
  await Deno.writeFile(PDF_FILE, await finish(await print(page), titles));
} finally {
  await browser.close();
  server.kill();
}

/** Removes what depends on a deployment, and adds the fonts and the space of the page numbers. */
async function prepare(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.querySelector(".steward")!.remove();
    document.querySelector(".standard-version a")!.remove();
    document.querySelector(".complete-title .eyebrow")!.remove();
    const publisher = document.querySelector(".cover-publisher")!;
    publisher.previousElementSibling!.remove();
    publisher.remove();
    // An empty cell would be missing from the tags, so that rows would differ in length.
    for (const cell of document.querySelectorAll("td:empty, th:empty")) cell.textContent = "\u00a0";
    for (const link of document.querySelectorAll(".complete-contents a")) {
      const number = document.createElement("span");
      number.className = "page-number";
      number.textContent = "00";
      link.append(number);
    }
  });
  await usePrintFonts(page);
  await page.addStyleTag({
    content: `@page {
        size: A4;
        margin: 20mm 18mm 22mm;
        @bottom-left { content: "${title}"; font: 8pt "Print Source Sans"; color: #444 }
        @bottom-right { content: counter(page); font: 8pt "Print Source Sans"; color: #444 }
      }
      @page :first { @bottom-left { content: none } @bottom-right { content: none } }
      .complete-title.complete-title { min-height: 250mm }`,
  });
}

function print(page: Page): Promise<Uint8Array> {
  return page.pdf({ preferCSSPageSize: true, outline: true, tagged: true, printBackground: true });
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

/** Returns the texts of the headings and other elements that links lead to, by their ids. */
function titlesOf(page: Page, ids: string[]): Promise<Record<string, string>> {
  return page.evaluate((ids) =>
    Object.fromEntries(ids.map((id) => {
      const text = document.getElementById(id)?.innerText ?? "";
      return [id, text.replace(/\s+/g, " ").trim().slice(0, 100)];
    })), ids);
}

/** Completes the tags, and adds the title, the dates and the hash of the text, by which a test recognises an outdated file. */
async function finish(bytes: Uint8Array, titles: Record<string, string>): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  completeTags(pdf, titles);
  const { published, corrected = published } = standard.dates();
  pdf.setLanguage("en");
  pdf.setCreator(PRODUCER); // Chromium writes one.
  const hash = textHash(standard);
  describe(pdf, {
    title,
    author: PRODUCER,
    subject: "How anyone can check a record and its history without trusting its publisher",
    keywords: `sha256:${hash}`,
    at: `${published}T00:00:00Z`,
    changedAt: `${corrected}T00:00:00Z`,
    claims: { accessible: true, archivable: true },
  });
  const id = PDFHexString.of(hash.slice(0, 32));
  pdf.context.trailerInfo.ID = pdf.context.obj([id, id]);
  return await pdf.save({ useObjectStreams: true }); // a third of the size
}
