import { Buffer } from "node:buffer";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { unwrap } from "../lib/platform/http/errors.ts";
import { issuePdf } from "../lib/features/documents/issue_pdf.ts";
import { runJob } from "../lib/features/documents/pdf/job.ts";
import { parseDocumentId } from "../lib/features/documents/mod.ts";
import {
  A4,
  createPdf,
  DETAILS,
  LETTER,
  readPdf,
  signedPdf,
  textOf,
} from "../lib/features/documents/testing/pdfs.ts";
import type { Page } from "playwright-core";
import { testBrowser } from "./browser.ts";
import { documentFixture } from "./document_site.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const ORIGIN = "http://copy.localhost";
const FILES = {
  "/pdf.mjs": import.meta.resolve("pdfjs-dist/build/pdf.min.mjs"),
  "/pdf.worker.mjs": import.meta.resolve("pdfjs-dist/build/pdf.worker.min.mjs"),
  "/jsqr.js": import.meta.resolve("jsqr"),
};

interface Scan {
  text: string | undefined;
  /** Without the quiet zone. */
  widthMm: number;
}

interface PageScan {
  gray: Scan;
  blackAndWhite: Scan;
}

test(
  "the code of every issued page and cover sheet is read from its image at 150 dpi, in gray and in black and white",
  {},
  async (page, _context, t) => {
    const pages = [A4, LETTER, A4, LETTER, A4, LETTER].map((size, i) => ({
      size,
      rotation: i === 3 ? 90 : 0,
    }));
    const original = await (await createPdf(pages)).save();
    const issued = unwrap(await issuePdf(original, DETAILS, runJob));
    if (issued.unchanged) throw new Error("It counts as signed.");

    await using fixture = await documentFixture({}, { issuePdf: undefined });
    const text = await fixture.add("A text.", { file_name: "Notes.txt" });
    const signed = await fixture.add(await signedPdf(2));
    const sheets = await Promise.all([text, signed].map(async ({ id }) => {
      const cookie = await fixture.grant(id);
      return await (await fixture.fetch(`/d/${id}/cover`, { cookie })).bytes();
    }));
    const [issuedScans, ...sheetScans] = await scan(page, [issued.bytes, ...sheets]);

    await t.step("the codes of a PDF with six pages lead to its pages", async () => {
      assertEquals(issuedScans.length, 7);
      const texts = (await readPdf(issued.bytes)).map(textOf);
      for (const [i, { gray, blackAndWhite }] of issuedScans.entries()) {
        const number = i === 6 ? 1 : i + 1; // The final page has the address of the first one.
        assertEquals(gray.text, `${DETAILS.address}/${number}`.toUpperCase());
        assertEquals(blackAndWhite.text, gray.text);
        assert(gray.widthMm > 20 && gray.widthMm < 31, `${gray.widthMm} mm`);
        const printed = /https:\/\/\S+\/d\/ ?(\S+)\/\d+/.exec(texts[i])!;
        assertEquals(
          printed[0].replace(" ", "").replace(printed[1], parseDocumentId(printed[1])!)
            .toUpperCase(),
          gray.text,
        );
      }
      for (const text of texts.slice(0, 6)) assertStringIncludes(text, "of 6");
    });

    for (const [i, { id, versions: [{ original }] }] of [text, signed].entries()) {
      const name = id === signed.id ? "a signed PDF" : "a text";
      await t.step(
        `the cover sheet of ${name} leads to the document and has its hash`,
        async () => {
          const path = `/console/records/${fixture.hash}/documents/${id}`;
          const own = await fixture.asAdministrator(`${path}/cover`);
          assertEquals(await own.bytes(), sheets[i]);
          const managed = await (await fixture.asAdministrator(path)).text();
          assertStringIncludes(managed, `href="${path}/cover?version=1"`);
          const [{ gray, blackAndWhite }, ...more] = sheetScans[i];
          assertEquals(more, []);
          const address = fixture.site.services.surfaces.url("trust", `/d/${id}/1`)!;
          assertEquals(gray.text, address.toUpperCase());
          assertEquals(blackAndWhite.text, gray.text);
          const [words] = (await readPdf(sheets[i])).map(textOf);
          assertStringIncludes(words.replaceAll(" ", ""), original.sha256);
          assertEquals(words.includes("digital signature"), id === signed.id);
        },
      );
    }
    assertEquals(await fixture.events(), []);
  },
);

/** Draws every page of PDFs in the browser and reads its code. */
async function scan(page: Page, pdfs: Uint8Array[]): Promise<PageScan[][]> {
  await page.route(`${ORIGIN}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname;
    const [contentType, body] = path in FILES
      ? ["text/javascript", await Deno.readFile(new URL(FILES[path as keyof typeof FILES]))]
      : path.endsWith(".pdf")
      ? ["application/pdf", pdfs[parseInt(path.slice(1))]]
      : ["text/html", new TextEncoder().encode("<!doctype html><script src=jsqr.js></script>")];
    await route.fulfill({ contentType, body: Buffer.from(body) });
  });
  await page.goto(`${ORIGIN}/`);
  return await page.evaluate(scanPages, pdfs.map((_, i) => `/${i}.pdf`));
}

/** Runs in the browser. */
async function scanPages(urls: string[]): Promise<PageScan[][]> {
  const { jsQR } = globalThis as unknown as { jsQR: typeof import("jsqr").default };
  const path = "/pdf.mjs";
  const { getDocument, PDFWorker } = await import(path) as typeof import("pdfjs-dist");
  const port = new Worker("/pdf.worker.mjs", { type: "module" });
  const worker = PDFWorker.create({ port });
  const read = ({ data, width, height }: ImageData): Scan => {
    const code = jsQR(data, width, height, { inversionAttempts: "dontInvert" });
    const { topLeftCorner: from, topRightCorner: to } = code?.location ??
      { topLeftCorner: { x: 0 }, topRightCorner: { x: 0 } };
    return { text: code?.data, widthMm: (to.x - from.x) * 25.4 / 150 };
  };
  const scans: PageScan[][] = [];
  for (const url of urls) {
    const pdf = await getDocument({ url, worker }).promise;
    const ofPages: PageScan[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const viewport = page.getViewport({ scale: 150 / 72 });
      const canvas = new OffscreenCanvas(Math.round(viewport.width), Math.round(viewport.height));
      const context = canvas.getContext("2d", { willReadFrequently: true })!;
      await page.render({
        canvas: null,
        canvasContext: context as unknown as CanvasRenderingContext2D,
        viewport,
      }).promise;
      // The codes are on the right. Searching all of a page takes four times as long.
      const left = Math.round(canvas.width * 0.7);
      const image = context.getImageData(left, 0, canvas.width - left, canvas.height);
      const gray = read(image);
      const pixels = new Uint32Array(image.data.buffer);
      for (let i = 0; i < pixels.length; i++) {
        pixels[i] = image.data[4 * i + 1] < 128 ? 0xff000000 : 0xffffffff;
      }
      ofPages.push({ gray, blackAndWhite: read(image) });
    }
    scans.push(ofPages);
  }
  return scans;
}
