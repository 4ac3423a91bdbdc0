import { assert, assertEquals } from "@std/assert";
import zlib from "node:zlib";
import { codingFor, CODINGS, compressOnce, ONCE_CODINGS } from "./compression.ts";

const TABLE: [acceptEncoding: string | null, coding: "br" | "gzip" | null][] = [
  [null, null],
  ["", null],
  ["identity", null],
  ["gzip", "gzip"],
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["GZIP", "gzip"],
  ["deflate", null],
  ["gzip;q=0", null],
  ["gzip;q=0.000, br", "br"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.5, gzip;q=0.9", "gzip"],
  ["br ; q=0.8 ,gzip ; q=0.8", "br"],
  ["gzip;q=0.5", "gzip"],
  ["gzip;q=0.5, identity", null],
  ["gzip;q=0.5, identity;q=0.5", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["*;q=0", null],
  ["gzip, *;q=0", "gzip"],
  ["br;q=high", null],
  ["br;q=2", null],
  ["xgzip, brotli", null],
  [`gzip, ${"x".repeat(5_000)}`, null],
];

for (const [header, coding] of TABLE) {
  Deno.test(`codingFor() returns ${coding} for Accept-Encoding ${header?.slice(0, 40)}`, () => {
    const headers: HeadersInit = header === null ? {} : { "accept-encoding": header };
    assertEquals(codingFor(new Request("http://a.example/", { headers }), CODINGS), coding);
  });
}

Deno.test("a response that a client waits for is Zstandard for clients that name it, and gzip or Brotli for others", () => {
  const table: [acceptEncoding: string, coding: string | null][] = [
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "gzip"],
    ["br", "br"],
    ["zstd;q=0.5, gzip", "gzip"],
    ["zstd;q=0, *", "gzip"],
    ["*", "gzip"],
    ["zstd;q=0.5, identity", null],
  ];
  for (const [header, coding] of table) {
    const req = new Request("http://a.example/", { headers: { "accept-encoding": header } });
    assertEquals(codingFor(req, ONCE_CODINGS), coding);
  }
});

const DECODERS = {
  zstd: zlib.zstdDecompressSync,
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
};

for (const coding of ONCE_CODINGS) {
  Deno.test(`compressOnce() makes a text shorter with ${coding}, and it can be decoded`, () => {
    const text = Array.from({ length: 500 }, (_, i) => `<li>Enquiry ${i} — née</li>`).join("");
    const bytes = new TextEncoder().encode(text);
    const compressed = compressOnce(bytes, coding);
    assert(compressed.length < bytes.length / 4);
    assertEquals(DECODERS[coding](compressed).toString(), text);
  });
}
