import { Buffer } from "node:buffer";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { unwrap } from "../lib/http/errors.ts";
import { issuePdf } from "../lib/documents/issue_pdf.ts";
import { parseDocumentId } from "../lib/documents/mod.ts";
import {
  A4,
  createPdf,
  DETAILS,
  LETTER,
  readPdf,
  signedPdf,
  textOf,
} from "../lib/documents/testing/pdfs.ts";
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

test(
  "the code of every page of an issued PDF is read from its image at 150 dpi, in gray and in black and white",
  {},
  async (page) => {
    const pages = [A4, LETTER, A4, LETTER, A4, LETTER].map((size, i) => ({
      size,
      rotation: i === 3 ? 90 : 0,
    }));
    const issued = unwrap(await issuePdf(await (await createPdf(pages)).save(), DETAILS));
    if (issued.unchanged) throw new Error("It counts as signed.");
    await openScanner(page, { "/copy.pdf": issued.bytes });
    const scans = await page.evaluate(scanPages, "/copy.pdf");

    assertEquals(scans.length, 7);
    const texts = (await readPdf(issued.bytes)).map(textOf);
    for (const [i, { gray, blackAndWhite }] of scans.entries()) {
      const number = i === 6 ? 1 : i + 1; // The final page has the address of the first one.
      assertEquals(gray.text, DETAILS.address(number).toUpperCase());
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
  },
);

test(
  "the cover sheets of a text and of a signed PDF lead to the document and have its hash",
  {},
  async (page) => {
    await using fixture = await documentFixture({}, { issuePdf: undefined });
    const text = await fixture.add("A text.", { file_name: "Notes.txt" });
    const signed = await fixture.add(await signedPdf(2));
    const sheets: Record<string, Uint8Array<ArrayBuffer>> = {};
    for (const { id } of [text, signed]) {
      const cookie = await fixture.grant(id);
      const sheet = await (await fixture.fetch(`/d/${id}/cover`, { cookie })).bytes();
      sheets[`/${id}.pdf`] = sheet;
      const path = `/console/records/${fixture.hash}/documents/${id}`;
      const own = await fixture.asAdministrator(`${path}/cover`);
      assertEquals(await own.bytes(), sheet);
      const managed = await (await fixture.asAdministrator(path)).text();
      assertStringIncludes(managed, `href="${path}/cover?version=1"`);
    }
    await openScanner(page, sheets);
    const { surfaces } = fixture.site.services;
    for (const { id, versions: [{ original }] } of [text, signed]) {
      const [{ gray, blackAndWhite }, ...more] = await page.evaluate(scanPages, `/${id}.pdf`);
      assertEquals(more, []);
      assertEquals(gray.text, surfaces.url("trust", `/d/${id}/1`)!.toUpperCase());
      assertEquals(blackAndWhite.text, gray.text);
      const [words] = (await readPdf(sheets[`/${id}.pdf`])).map(textOf);
      assertStringIncludes(words.replaceAll(" ", ""), original.sha256);
      assertEquals(words.includes("digital signature"), id === signed.id);
    }
    assertEquals(await fixture.events(), []);
  },
);

/** Opens a page that can draw PDFs and read codes. */
async function openScanner(page: Page, pdfs: Record<string, Uint8Array>): Promise<void> {
  await page.route(`${ORIGIN}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname as keyof typeof FILES;
    const [contentType, body] = path in FILES
      ? ["text/javascript", await Deno.readFile(new URL(FILES[path]))]
      : path in pdfs
      ? ["application/pdf", pdfs[path]]
      : ["text/html", new TextEncoder().encode("<!doctype html><script src=jsqr.js></script>")];
    await route.fulfill({ contentType, body: Buffer.from(body) });
  });
  await page.goto(`${ORIGIN}/`);
}

/** Draws every page and reads its code. It runs in the browser. */
async function scanPages(url: string): Promise<{ gray: Scan; blackAndWhite: Scan }[]> {
  const { jsQR } = globalThis as unknown as { jsQR: typeof import("jsqr").default };
  const path = "/pdf.mjs";
  const { getDocument, GlobalWorkerOptions } = await import(path) as typeof import("pdfjs-dist");
  GlobalWorkerOptions.workerSrc = "/pdf.worker.mjs";
  const pdf = await getDocument({ url }).promise;
  const scan = ({ data, width, height }: ImageData): Scan => {
    const code = jsQR(data, width, height, { inversionAttempts: "dontInvert" });
    const { topLeftCorner: from, topRightCorner: to } = code?.location ??
      { topLeftCorner: { x: 0 }, topRightCorner: { x: 0 } };
    return { text: code?.data, widthMm: (to.x - from.x) * 25.4 / 150 };
  };
  const scans: { gray: Scan; blackAndWhite: Scan }[] = [];
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
    const image = context.getImageData(0, 0, canvas.width, canvas.height);
    const gray = scan(image);
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < pixels.length; i++) {
      pixels[i] = image.data[4 * i + 1] < 128 ? 0xff000000 : 0xffffffff;
    }
    scans.push({ gray, blackAndWhite: scan(image) });
  }
  return scans;
}
