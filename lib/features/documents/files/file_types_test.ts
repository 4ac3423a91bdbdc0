import { assertEquals } from "@std/assert";
import { mediaTypeOf, safeFileName } from "./file_types.ts";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0];
const LATE_PDF = "%PDF-1.7\n%âãÏÓ\n1 0 obj << >> endobj";

const TYPES: [title: string, head: string | number[], type: string][] = [
  ["a PDF", "%PDF-1.7\n%âãÏÓ", "application/pdf"],
  ["a PDF after 1,019 bytes", "x".repeat(1019) + LATE_PDF, "application/pdf"],
  ["a PDF after 1,020 bytes", "x".repeat(1020) + LATE_PDF, "text/plain; charset=utf-8"],
  ["a PNG before a PDF", [...PNG, ...new TextEncoder().encode(LATE_PDF)], "image/png"],
  ["text about PDFs", "A PDF begins with %PDF-1.7", "text/plain; charset=utf-8"],
  ["a PNG", PNG, "image/png"],
  ["a JPEG", [0xff, 0xd8, 0xff, 0xe0], "image/jpeg"],
  ["a GIF", "GIF89a", "image/gif"],
  ["a WebP", "RIFF0000WEBPVP8 ", "image/webp"],
  [
    "another RIFF file",
    [...new TextEncoder().encode("RIFF0000AVI "), 0],
    "application/octet-stream",
  ],
  ["HTML", "<!doctype html><script>alert(1)</script>", "text/plain; charset=utf-8"],
  ["SVG", "<svg xmlns='http://www.w3.org/2000/svg'/>", "text/plain; charset=utf-8"],
  ["text whose last character is cut", [0x61, 0xc3], "text/plain; charset=utf-8"],
  ["text that is not UTF-8", [0x61, 0xe4, 0x61], "application/octet-stream"],
  ["a ZIP", [0x50, 0x4b, 3, 4, 0x14, 0], "application/octet-stream"],
];

for (const [title, head, type] of TYPES) {
  Deno.test(`${title} is ${type}`, () => {
    const bytes = typeof head === "string" ? new TextEncoder().encode(head) : Uint8Array.from(head);
    assertEquals(mediaTypeOf(bytes), type);
  });
}

const NAMES: [name: string, safe: string][] = [
  ["certificate.pdf", "certificate.pdf"],
  ["Zeugnis Müller.pdf", "Zeugnis Müller.pdf"],
  ["C:\\fakepath\\a.pdf", "a.pdf"],
  ["../../etc/passwd", "passwd"],
  ["..", "document"],
  ["", "document"],
  ["a\r\nSet-Cookie: x.pdf", "aSet-Cookie_ x.pdf"],
  ["a\u202efdp.exe", "afdp.exe"],
  ['a"b<c>.pdf', "a_b_c_.pdf"],
  [" .hidden ", "hidden"],
  [`${"a".repeat(300)}.pdf`, `${"a".repeat(96)}.pdf`],
  [`${"😀".repeat(60)}.pdf`, `${"😀".repeat(48)}.pdf`],
  ["\ud800a.pdf", "a.pdf"],
];

for (const [name, safe] of NAMES) {
  Deno.test(`the file name ${JSON.stringify(name.slice(0, 30))} becomes ${safe.slice(0, 30)}`, () => {
    assertEquals(safeFileName(name), safe);
  });
}
