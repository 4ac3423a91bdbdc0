import { isImage, type OpenFile } from "./file_response.ts";
import { PDF } from "./file_types.ts";
import { fileOf, type OpenDocument } from "./reading.ts";
import type { PdfJs } from "./pdfjs.ts";

/** The longest text that a page shows. The rest is in the file. */
const SHOWN_TEXT = 200 * 1024;

/** The ways in which a page shows a file. `file`: only as a download. */
export type Shown =
  | { as: "pdf"; /** The URL of pdf.js. */ pdfJs: string }
  | { as: "image" }
  | { as: "text"; text: string; /** True if the text is cut. */ cut: boolean }
  | { as: "file" };

/** Decides how a page shows a version, by the type of its file. */
export async function readShown(
  { documents, pdfJs }: { documents: { open: OpenFile }; pdfJs: PdfJs },
  { version }: Pick<OpenDocument, "version">,
): Promise<Shown> {
  const { file } = fileOf(version);
  if (file.media_type === PDF) return { as: "pdf", pdfJs: await pdfJs.path() };
  if (isImage(file)) return { as: "image" };
  if (!file.media_type.startsWith("text/plain")) return { as: "file" };
  const to = Math.min(file.size, SHOWN_TEXT);
  const bytes = await new Response(documents.open(file, { from: 0, to })).bytes();
  const cut = to < file.size;
  return { as: "text", text: new TextDecoder().decode(bytes, { stream: cut }), cut };
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
