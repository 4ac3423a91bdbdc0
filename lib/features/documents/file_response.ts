import { readHeader } from "../../platform/http/header.ts";
import type { ByteRange } from "./bytes.ts";
import { PDF } from "./file_types.ts";
import type { DocumentForm, DocumentVersion, StoredFile } from "./store.ts";

/**
 * The policy of a document's bytes: if a browser opened them as a page after all, they would have no
 * origin, run nothing and load nothing.
 */
export const FILE_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** The types that a page of ours may show. None of them runs scripts. */
const INLINE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export const isImage = ({ media_type }: StoredFile): boolean => INLINE_TYPES.includes(media_type);

export type OpenFile = (file: StoredFile, range?: ByteRange) => ReadableStream<Uint8Array>;

export interface FileToSend {
  version: DocumentVersion;
  file: StoredFile;
  form: DocumentForm;
  /** True if one of our pages shows it. Otherwise it is a download. */
  shown: boolean;
}

/**
 * Returns the bytes of a file. A part is sent only to a browser that continues an earlier response:
 * its `If-Range` names the entity tag, which is in no other response. So nobody reads a file in parts
 * without having been counted.
 */
export function fileResponse(
  request: Request,
  { version, file, form, shown }: FileToSend,
  open: OpenFile,
): Response {
  const isHead = request.method === "HEAD";
  const tag = `"${file.blob}"`;
  const headers = new Headers({
    "content-type": file.media_type,
    "content-disposition": dispositionOf(fileName(version, form), shown && isImage(file)),
    "cache-control": "private, no-store",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "accept-ranges": "bytes",
    ...isHead ? {} : { etag: tag },
  });
  const range = isHead || readHeader(request, "if-range") !== tag
    ? undefined
    : rangeOf(request, file.size);
  if (range === null) {
    headers.set("content-range", `bytes */${file.size}`);
    return new Response(null, { status: 416, headers });
  }
  const { from, to } = range ?? { from: 0, to: file.size };
  headers.set("content-length", String(to - from));
  if (range !== undefined) headers.set("content-range", `bytes ${from}-${to - 1}/${file.size}`);
  return new Response(isHead ? null : open(file, { from, to }), {
    status: range === undefined ? 200 : 206,
    headers,
  });
}

/** Returns the cover sheet of a version as a download. */
export function coverResponse(
  { file_name }: DocumentVersion,
  sheet: Uint8Array<ArrayBuffer>,
): Response {
  const name = `${file_name.replace(/\.[A-Za-z0-9]{1,10}$/, "")}-cover.pdf`;
  return new Response(sheet, {
    headers: {
      "content-type": PDF,
      "content-disposition": dispositionOf(name, false),
      "cache-control": "private, no-store",
      "cross-origin-resource-policy": "same-origin",
    },
  });
}

/** Returns the part that a request asks for: undefined for the whole file, null for no such part. */
export function rangeOf(request: Request, size: number): ByteRange | null | undefined {
  const match = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(readHeader(request, "range") ?? "");
  if (match === null) return undefined;
  const from = Number(match[1]);
  const last = match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== "" && Number(match[2]) < from) return undefined;
  return from >= size ? null : { from, to: last + 1 };
}

/** Returns the name of a downloaded file. An issued copy differs from its original. */
export function fileName({ file_name, issued }: DocumentVersion, form: DocumentForm): string {
  if (form === "original" || issued === null) return file_name;
  return file_name.replace(/(\.[A-Za-z0-9]{1,10})?$/, "-issued$1");
}

/** The name in ASCII is for programs that do not read the other one (RFC 6266). */
function dispositionOf(name: string, inline: boolean): string {
  // Compatibility forms of dots and slashes become ASCII.
  const ascii = name.normalize("NFKD").replace(/[^\x20-\x7e]/g, "")
    .replace(/["\\%/:<>|?*]/g, "_").replace(/^[. ]+/, "");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? "inline" : "attachment"}; filename="${
    ascii || "document"
  }"; filename*=UTF-8''${encoded}`;
}
