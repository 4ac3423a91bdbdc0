/**
 * The ways in which a page shows a file, by its type.
 *
 * @module
 */
import type { Failure } from "../../../base/result.ts";
import { unreadable, UnreadableError } from "../files/bytes.ts";
import { type BeginFile, isImage } from "../files/http.ts";
import { PDF } from "../files/file_types.ts";
import type { PdfJs } from "../files/pdfjs.ts";
import { fileOf } from "./readings.ts";
import type { DocumentVersion } from "../store.ts";

/** The longest text that a page shows. The rest is in the file. */
const SHOWN_TEXT = 200 * 1024;

/** The ways in which a page shows a file. `file`: only as a download. */
export type Display =
  | { as: "pdf"; /** The URL of pdf.js. */ pdfJs: string }
  | { as: "image" }
  | { as: "text"; text: string; /** True if the text is cut. */ cut: boolean }
  | { as: "file" };

/** Decides how a page shows a version, by the type of its file. Fails if the file cannot be read. */
export async function readDisplay(
  { documents, pdfJs }: {
    documents: { begin: BeginFile };
    pdfJs: PdfJs;
  },
  version: DocumentVersion,
): Promise<{ ok: true; shown: Display } | Failure<"unavailable">> {
  const { file } = fileOf(version);
  const isText = file.media_type.startsWith("text/plain");
  const to = Math.min(file.size, isText ? SHOWN_TEXT : 1);
  const begun = await documents.begin(file, { from: 0, to });
  if (!begun.ok) return begun;
  if (isText) return await readText(begun.body, to < file.size);
  await begun.body.cancel();
  const shown: Display = file.media_type === PDF
    ? { as: "pdf", pdfJs: await pdfJs.path() }
    : { as: isImage(file) ? "image" : "file" };
  return { ok: true, shown };
}

async function readText(
  body: ReadableStream<Uint8Array>,
  cut: boolean,
): Promise<{ ok: true; shown: Display } | Failure<"unavailable">> {
  try {
    const bytes = await new Response(body).bytes();
    const text = new TextDecoder().decode(bytes, { stream: cut });
    return { ok: true, shown: { as: "text", text, cut } };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return unreadable();
  }
}

/**
 * The policy of a page that shows a document. Images drawn for printing are blobs. pdf.js needs no
 * `eval`, and its worker is a script of ours.
 */
export const VIEWER_POLICY = (policy: string): string =>
  policy
    .replace(/img-src [^;]*/, "img-src 'self' blob:")
    .replace(/worker-src [^;]*/, "worker-src 'self'")
    .replace(/media-src [^;]*/, "media-src 'none'");
