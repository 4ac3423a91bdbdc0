/** The interface to pdf.js, which reads PDFs in the browser and draws their pages. */
import type { PDFDocumentProxy, PDFPageProxy, RenderTask } from "pdfjs-dist";

type PdfJsModule = Pick<
  typeof import("pdfjs-dist"),
  "getDocument" | "GlobalWorkerOptions" | "TextLayer"
>;

export interface OpenPdf {
  document: PDFDocumentProxy;
  /** The size of the first page at 100 %, in CSS pixels. */
  size: { width: number; height: number };
  /** Draws a page onto a canvas and lays its text over it, so that it can be selected. */
  draw(number: number, scale: number, onto: PageElements, signal: AbortSignal): Promise<void>;
  /** Draws a page for paper, as a URL that the caller revokes, with its size in points. */
  drawForPaper(number: number): Promise<{ url: string; width: number; height: number }>;
  close(): void;
}

interface PageElements {
  canvas: HTMLCanvasElement;
  text: HTMLElement;
}

/** CSS pixels per point. */
export const CSS_UNITS = 96 / 72;
const PAPER_DPI = 150;
/** Browsers refuse larger canvases, some of them silently. */
const MAX_PIXELS = 16_000_000;

/**
 * Loads pdf.js and opens a PDF.
 *
 * @param base the path of the files of pdf.js
 */
async function load(data: Uint8Array, base: string) {
  // A computed address, because the build must not include 0.5 MB that most pages do not need.
  const pdfJs: PdfJsModule = await import(`${base}/pdf.min.mjs`);
  const files = `${location.origin}${base}/`;
  pdfJs.GlobalWorkerOptions.workerSrc = `${files}pdf.worker.min.mjs`;
  const task = pdfJs.getDocument({
    data,
    enableXfa: false,
    // The worker may load nothing but our scripts.
    useWorkerFetch: false,
    useWasm: false,
    cMapUrl: files,
    standardFontDataUrl: files,
    wasmUrl: files,
    maxImageSize: 50_000_000,
    canvasMaxAreaInBytes: 4 * MAX_PIXELS,
  });
  return { pdfJs, task, document: await task.promise };
}

/** A PDF that is read, but not shown. */
export interface PdfReader {
  pages: number;
  textOf(page: number): Promise<string>;
  imageOf(page: number): Promise<ImageData>;
  close(): void;
}

/** Opens a PDF to read what its pages say. */
export async function readPdf(data: Uint8Array, base: string): Promise<PdfReader> {
  const { task, document } = await load(data, base);
  return {
    pages: document.numPages,
    async textOf(number) {
      const { items } = await (await document.getPage(number)).getTextContent();
      return items.map((item) => "str" in item ? item.str : "").join(" ");
    },
    async imageOf(number) {
      const page = await document.getPage(number);
      const canvas = globalThis.document.createElement("canvas");
      await renderAt(page, canvas, PAPER_DPI / 72);
      return canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    },
    close: () => void task.destroy().catch(reportError),
  };
}

/** Opens a PDF to show its pages. `base` as for `load`. */
export async function openPdf(bytes: Uint8Array, base: string): Promise<OpenPdf> {
  const { pdfJs, task, document } = await load(bytes, base);
  const { width, height } = (await document.getPage(1)).getViewport({ scale: CSS_UNITS });
  return {
    document,
    size: { width, height },
    async draw(number, scale, { canvas, text }, signal) {
      const page = await document.getPage(number);
      if (signal.aborted) return;
      const viewport = page.getViewport({ scale: scale * CSS_UNITS });
      const density = densityFor(viewport.width * viewport.height);
      canvas.width = Math.floor(viewport.width * density);
      canvas.height = Math.floor(viewport.height * density);
      const drawing = page.render({
        canvas,
        viewport,
        transform: [density, 0, 0, density, 0, 0],
      });
      await finished(drawing, signal);
      if (signal.aborted) return;
      text.replaceChildren();
      text.style.setProperty("--total-scale-factor", String(scale * CSS_UNITS));
      const layer = new pdfJs.TextLayer({
        textContentSource: page.streamTextContent(),
        container: text,
        viewport,
      });
      await layer.render();
      page.cleanup();
    },
    async drawForPaper(number) {
      const page = await document.getPage(number);
      const points = page.getViewport({ scale: 1 });
      const canvas = globalThis.document.createElement("canvas");
      await renderAt(page, canvas, PAPER_DPI / 72);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
      canvas.width = canvas.height = 0; // releases its memory at once
      page.cleanup();
      if (blob === null) throw new Error("The page could not be drawn.");
      return { url: URL.createObjectURL(blob), width: points.width, height: points.height };
    },
    close: () => void task.destroy().catch(reportError),
  };
}

async function renderAt(page: PDFPageProxy, canvas: HTMLCanvasElement, wanted: number) {
  const points = page.getViewport({ scale: 1 });
  const scale = Math.min(wanted, Math.sqrt(MAX_PIXELS / (points.width * points.height)));
  const viewport = page.getViewport({ scale });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  await page.render({ canvas, viewport, intent: "print" }).promise;
}

/** Screen pixels per CSS pixel, as many as a canvas may have. */
const densityFor = (area: number): number =>
  Math.min(devicePixelRatio || 1, 3, Math.sqrt(MAX_PIXELS / area));

/** Waits for a drawing, or cancels it. */
async function finished(drawing: RenderTask, signal: AbortSignal): Promise<void> {
  const cancel = () => drawing.cancel();
  signal.addEventListener("abort", cancel);
  try {
    await drawing.promise;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
