import { assertEquals } from "@std/assert";
import { areRelated, normaliseDomain } from "./domain_name.ts";

const NAMES: [given: string, name: string | null][] = [
  ["harbour.example", "harbour.example"],
  [" https://Harbour.EXAMPLE/ ", "harbour.example"],
  ["www.harbour.example.", "www.harbour.example"],
  ["Bücher.example", "xn--bcher-kva.example"],
  ["hаrbour.example", "xn--hrbour-3nf.example"], // with a Cyrillic а
  ["ｈａｒｂｏｕｒ.example", "harbour.example"],
  ["", null],
  ["harbour", null],
  ["localhost", null],
  ["trust.localhost", null],
  ["printer.local", null],
  ["1.2.0.192.in-addr.arpa", null],
  ["192.0.2.1", null],
  ["0x7f.1", null],
  ["[2001:db8::1]", null],
  ["harbour.example:8443", null],
  ["harbour.example/path", null],
  ["user@harbour.example", null],
  ["harbour .example", null],
  ["-harbour.example", null],
  ["har_bour.example", null],
  ["harbour..example", null],
  [`${"a".repeat(64)}.example`, null],
  [`${"a.".repeat(130)}example`, null],
];

for (const [given, name] of NAMES) {
  Deno.test(`"${given.slice(0, 30)}" is ${name === null ? "no domain" : `the domain ${name}`}`, () => {
    assertEquals(normaliseDomain(given), name);
  });
}

Deno.test("a name is related to itself, to what is below it and to what is above it", () => {
  assertEquals(areRelated("trust.attest.example", "attest.example"), true);
  assertEquals(areRelated("attest.example", "trust.attest.example"), true);
  assertEquals(areRelated("attest.example", "notattest.example"), false);
});
