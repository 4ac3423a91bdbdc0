/** Finds the document number that is printed on a PDF, for files that match no registered document. */
import { printedId } from "../../lib/features/documents/ids.ts";
import { type PdfReader, readPdf } from "./pdf.ts";

/** The files that finding a number needs. */
export interface NumberTools {
  /** The path of pdf.js. */
  pdfJs: string;
  /** The URL of `static/workers/read_qr.js`. */
  qrWorkerUrl: string;
  /** The address of a document's page without its id. */
  documentsUrl: string;
}

/** Larger PDFs are not read, because they must be in memory. */
const MAX_SIZE = 32 * 1024 * 1024;

/** The first pages whose text is read, and those whose image is searched for a QR code. */
const TEXT_PAGES = 20;
const IMAGE_PAGES = 3;

/**
 * Returns the number of the document that a PDF prints on its pages, as text or in a QR code. It is
 * found in the browser: nothing is uploaded. Null if there is none, if the PDF cannot be read, or once
 * the signal is aborted.
 */
export async function findPrintedNumber(
  file: Blob,
  { pdfJs, qrWorkerUrl, documentsUrl }: NumberTools,
  signal: AbortSignal,
): Promise<string | null> {
  let pdf: PdfReader | undefined;
  let worker: Worker | undefined;
  try {
    pdf = await readPdf(new Uint8Array(await file.arrayBuffer()), pdfJs);
    const pages = Array.from({ length: pdf.pages }, (_, i) => i + 1);
    let text = "";
    for (const page of pages.slice(0, TEXT_PAGES)) {
      signal.throwIfAborted();
      text += `${await pdf.textOf(page)}\n`;
    }
    const id = printedId(text, documentsUrl);
    if (id !== null) return id;
    worker = new Worker(qrWorkerUrl);
    for (const page of pages.slice(0, IMAGE_PAGES)) {
      signal.throwIfAborted();
      const id = printedId(await readQr(worker, await pdf.imageOf(page)) ?? "", documentsUrl);
      if (id !== null) return id;
    }
  } catch {
    // A PDF that is damaged or protected, a browser that cannot draw it, or a cancelled check.
  } finally {
    worker?.terminate();
    pdf?.close();
  }
  return null;
}

/** Returns whether a file begins like a PDF, and is small enough to be read. */
export const mayPrintNumber = async (file: Blob): Promise<boolean> =>
  file.size <= MAX_SIZE && (await file.slice(0, 1024).text()).includes("%PDF-");

function readQr(worker: Worker, { data, width, height }: ImageData): Promise<string | null> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => resolve(data.text), { once: true });
    worker.addEventListener("error", reject, { once: true });
    worker.postMessage({ data, width, height }, [data.buffer]);
  });
}
