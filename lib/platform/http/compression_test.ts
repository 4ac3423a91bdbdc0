import { assertEquals } from "@std/assert";
import { codingFor } from "./compression.ts";

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
    assertEquals(codingFor(new Request("http://a.example/", { headers })), coding);
  });
}
