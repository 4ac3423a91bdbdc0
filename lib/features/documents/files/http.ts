/**
 * Files in requests and responses: in the forms of consoles, and as downloads, whole or in parts.
 *
 * @module
 */
import type { Failure } from "../../../base/result.ts";
import { RequestError } from "../../../platform/http/errors.ts";
import { type FileForm, fileOf } from "../../../platform/http/file_form.ts";
import { readHeader } from "../../../platform/http/header.ts";
import type { ByteRange } from "./bytes.ts";
import { PDF } from "./file_types.ts";
import type { NewContent, StagedFiles } from "./staged_files.ts";
import type { DocumentForm, NamedVersion, StoredFile } from "./stored_file.ts";

/**
 * The policy of a document's bytes: if a browser opened them as a page after all, they would have no
 * origin, run nothing and load nothing.
 */
export const FILE_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** The types that a page of ours may show. None of them runs scripts. */
const INLINE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export const isImage = ({ media_type }: StoredFile): boolean => INLINE_TYPES.includes(media_type);

/** Opens a file and reads its first bytes. Fails if they cannot be read. */
export type BeginFile = (
  file: StoredFile,
  range?: ByteRange,
) => Promise<{ ok: true; body: ReadableStream<Uint8Array> } | Failure<"unavailable">>;

interface FileToSend {
  version: NamedVersion;
  file: StoredFile;
  form: DocumentForm;
  /** True if one of our pages shows it. Otherwise it is a download. */
  shown: boolean;
}

interface FileBody {
  /** Null for a `HEAD` request. */
  body: ReadableStream<Uint8Array> | null;
  /** Null for the whole file. */
  part?: ByteRange | null;
  /** The entity tag with which the reader can resume the download, if they can. */
  tag?: string | null;
}

/** Returns the response with a file, or with a part of it (206). */
export function fileResponse(about: FileToSend, { body, part, tag }: FileBody): Response {
  const { size } = about.file;
  const { from, to } = part ?? { from: 0, to: size };
  const headers = headersOf(about, tag);
  headers.set("content-length", String(to - from));
  if (part) headers.set("content-range", `bytes ${from}-${to - 1}/${size}`);
  return new Response(body, { status: part ? 206 : 200, headers });
}

/** Returns the response to a request for a part that the file does not have. */
export function noSuchPart(about: FileToSend, tag: string): Response {
  const headers = headersOf(about, tag);
  headers.set("content-range", `bytes */${about.file.size}`);
  return new Response(null, { status: 416, headers });
}

const headersOf = (
  { version, file, form, shown }: FileToSend,
  tag: string | null | undefined,
): Headers =>
  new Headers({
    "content-type": file.media_type,
    "content-disposition": dispositionOf(fileName(version, form), shown && isImage(file)),
    "cache-control": "private, no-store",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    ...tag ? { "accept-ranges": "bytes", etag: tag } : {},
  });

/** Returns the cover sheet of a version as a download. */
export function coverResponse(
  { file_name }: NamedVersion,
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

/**
 * Returns the part that a request asks for (RFC 9110, section 14.1.2): undefined for the whole file,
 * even if it asks for several parts, and null if the file has no such part.
 */
export function rangeOf(request: Request, size: number): ByteRange | null | undefined {
  const [, first, last] =
    /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(readHeader(request, "range") ?? "") ??
      [];
  if (first === undefined || first === "" && last === "") return undefined;
  if (first === "") {
    const count = Math.min(Number(last), size);
    return count === 0 ? null : { from: size - count, to: size };
  }
  const from = Number(first);
  if (last !== "" && Number(last) < from) return undefined;
  const to = last === "" ? size : Math.min(Number(last) + 1, size);
  return from >= size ? null : { from, to };
}

/** Returns the name of a downloaded file. An issued copy differs from its original. */
export function fileName({ file_name, issued }: NamedVersion, form: DocumentForm): string {
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

/**
 * Returns the file of a form: the one that arrives, or the one that the form refers to.
 *
 * @throws {RequestError} 400 if there is none
 */
export async function contentOf(
  form: FileForm,
  { staged, by }: { staged: StagedFiles; by: string },
): Promise<{ file_name: string; content: NewContent }> {
  const reference = form.fields.staged ?? "";
  if (form.file !== null || reference === "") {
    const { name, body } = fileOf(form);
    return { file_name: name, content: body };
  }
  const file = await staged.find(reference, by);
  if (file !== null) return { file_name: file.name, content: file };
  const issues = { file: "The uploaded file is no longer kept. Choose it again." };
  throw new RequestError(400, "Some fields are missing or invalid.", { issues });
}
