/** Determines the media type of an uploaded file from its content, and makes its name safe. */
import { latin1 } from "../../../base/encoding.ts";
import { findPdfHeader } from "../../../../packages/pdf/light.ts";

/**
 * The first bytes of the file types that may be shown in a page. Everything else is a download. A
 * wrong match is harmless: files are served with `nosniff`, and none of these types runs scripts.
 */
const SIGNATURES: [type: string, at: number, bytes: readonly number[]][] = [
  ["application/pdf", 0, ascii("%PDF-")],
  ["image/png", 0, [0x89, ...ascii("PNG"), 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", 0, [0xff, 0xd8, 0xff]],
  ["image/gif", 0, ascii("GIF87a")],
  ["image/gif", 0, ascii("GIF89a")],
  ["image/webp", 8, ascii("WEBP")],
];

/** The media type of PDFs. */
export const PDF = "application/pdf";

/** A header after other bytes, and the first object, which a text about PDFs does not have. */
const LATE_PDF = /%PDF-\d\.\d.*?\s\d{1,10}\s+\d{1,5}\s+obj\b/s;

/** Control characters that no text file contains. */
// deno-lint-ignore no-control-regex -- the expression looks for control characters
const BINARY = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

/**
 * Determines a file's media type from its first bytes. HTML, SVG and other markup are `text/plain`,
 * so that a browser shows their source.
 */
export function mediaTypeOf(head: Uint8Array): string {
  const found = SIGNATURES.find(([, at, bytes]) => bytes.every((byte, i) => head[at + i] === byte));
  if (found !== undefined) return found[0];
  if (findPdfHeader(head) > 0 && LATE_PDF.test(latin1(head))) return PDF;
  try {
    // The last character may be cut.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    if (!BINARY.test(text)) return "text/plain; charset=utf-8";
  } catch {
    // It is not UTF-8.
  }
  return "application/octet-stream";
}

function ascii(text: string): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0));
}

const MAX_NAME = 100;

/**
 * Returns a file name that is safe on every system and in a header: without folders, control and
 * direction characters, and the characters that Windows reserves. A long name keeps its extension.
 */
export function safeFileName(name: string): string {
  const base = name.slice(-1000).split(/[/\\]/).pop()!
    .normalize("NFC")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\ufffd]/gu, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  if (base === "") return "document";
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(base)?.[0] ?? "";
  const stem = base.slice(0, base.length - extension.length);
  return stem.slice(0, MAX_NAME - extension.length).toWellFormed().replace(/\ufffd$/, "") +
    extension;
}
