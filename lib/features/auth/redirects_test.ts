import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { safeNext } from "./redirects.ts";

const SAME_SITE: [given: string, path: string][] = [
  ["/", "/"],
  ["/console", "/console"],
  ["/console/finance?range=30d&q=a%2Fb#top", "/console/finance?range=30d&q=a%2Fb#top"],
  ["/a/../console", "/console"],
  ["/a/./b", "/a/b"],
  ["/a//b", "/a//b"],
  ["/qualifications/BSB 50420", "/qualifications/BSB%2050420"],
  ["/caf\u00e9", "/caf%C3%A9"],
  ["/search?q=//evil.example", "/search?q=//evil.example"],
  ["/search?q=%2F%2Fevil.example%0A", "/search?q=%2F%2Fevil.example%0A"],
  ["/@evil.example", "/@evil.example"],
  ["/:80", "/:80"],
  ["/javascript:alert(1)", "/javascript:alert(1)"],
  ["/\uff0fevil.example", "/%EF%BC%8Fevil.example"],
];

for (const [given, path] of SAME_SITE) {
  Deno.test(`safeNext: ${given} is a same-site path`, () => assertEquals(safeNext(given), path));
}

const ATTACKS = [
  "//evil.example",
  "///evil.example",
  "////evil.example/%2f..",
  "/\\evil.example",
  "\\/evil.example",
  "\\\\evil.example",
  "/\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r/evil.example",
  "\t//evil.example",
  " //evil.example",
  " /console",
  "/\0/evil.example",
  "/\u0085/evil.example",
  "/console\r\nSet-Cookie: app_session=evil",
  "/a\\b",
  "/.//evil.example",
  "/./\\evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/%2e//evil.example",
  "/%2E%2e//evil.example",
  "/%2fevil.example",
  "/%2f%2fevil.example",
  "%2f%2fevil.example",
  "/%5cevil.example",
  "/%5c%5cevil.example",
  "/%09/evil.example",
  "/%0a/evil.example",
  "/%0d%0aSet-Cookie:%20a=b",
  "/%00/evil.example",
  "/%252fevil.example",
  "/%25252fevil.example",
  "/%255cevil.example",
  "/%252e//evil.example",
  "/a/%252e%252e//evil.example",
  "/a/%252e%252e/%2fevil.example",
  "/%ff",
  "/100%",
  "/%c0%af/evil.example",
  "http://evil.example/",
  "https://evil.example/",
  "https:evil.example",
  "http:/evil.example",
  "http://site.localhost/account",
  "http://same-site.invalid/account",
  "//same-site.invalid/account",
  "HtTpS://evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "evil.example",
  "console",
  "@evil.example",
  ".evil.example",
  "?next=/",
  "#top",
  "",
  `/${"a".repeat(2_000)}`,
];

for (const attack of ATTACKS) {
  Deno.test(`safeNext: ${JSON.stringify(attack).slice(0, 60)} is rejected`, () => {
    assertEquals(safeNext(attack), null);
  });
}

Deno.test("safeNext: values that are not strings are rejected", () => {
  for (const value of [undefined, null, 1, {}, ["/console"], new File([], "/console")]) {
    assertEquals(safeNext(value), null);
  }
});

Deno.test("safeNext: accepted paths stay on the site no matter how often they are decoded and resolved", () => {
  const piece = fc.constantFrom(
    ..."/\\.?#@:%\t\n a",
    ...["..", "%2f", "%5C", "%09", "%2e", "%25", "25", "2f", "5c", "evil.example", "http:"],
  );
  let passed = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = safeNext(`/${pieces.join("")}`);
      if (path === null) return;
      passed++;
      assertEquals(safeNext(path), path);
      for (const base of ["https://site.example", "http://site.example:8000/auth/verify"]) {
        const { origin } = new URL(base);
        const [pathname] = path.split(/[?#]/);
        for (const form of [path, pathname, decodeURIComponent(pathname)]) {
          assertEquals(new URL(form, base).origin, origin, form);
          assertEquals(new URL(new URL(form, base).pathname, base).origin, origin, form);
        }
      }
    }),
    { numRuns: 20_000 },
  );
  assert(passed > 1_000, `${passed}`);
});

Deno.test("safeNext: nested percent-encoding is decoded only a few times", () => {
  const decode = globalThis.decodeURIComponent;
  let count = 0;
  globalThis.decodeURIComponent = (text) => {
    count++;
    return decode(text);
  };
  try {
    assertEquals(safeNext("/%" + "25".repeat(900)), null);
    assertEquals(safeNext("/%252520"), "/%252520");
  } finally {
    globalThis.decodeURIComponent = decode;
  }
  assert(count < 20, `decoded ${count} times`);
});
