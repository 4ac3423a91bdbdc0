import { assertEquals, assertThrows } from "@std/assert";
import { compilePattern, fileToPattern, isDynamic } from "../src/server/patterns.ts";

const PATTERNS = [
  "/:id",
  "/a/:id",
  "/a/:id/b/:other",
  "/a{/:page}?",
  "/a{/:page}?/b",
  "/v:major.:minor",
  "/:a-:b",
  "/a.b/:id",
  "/:id.json",
  "/$a^/:id",
  "/a/:path*",
  "/:path*",
];
const PATHS = [
  "/",
  "/a",
  "/a/",
  "/ab",
  "/a/b",
  "/a/b/",
  "/a/1",
  "/a/1/b",
  "/a/1/b/2",
  "/a/1/2/3",
  "/a/1/2/end",
  "/a/end",
  "/v1.2",
  "/v1.2.3",
  "/x-y-z",
  "/a.b/7",
  "/axb/7",
  "/7.json",
  "/7-json",
  "/$a^/1",
];

Deno.test("compilePattern() matches the same paths as URLPattern, with the same groups", () => {
  let matches = 0;
  for (const pattern of PATTERNS) {
    const match = compilePattern(pattern);
    const standard = new URLPattern({ pathname: pattern });
    for (const pathname of PATHS) {
      const groups = standard.exec({ pathname })?.pathname.groups;
      const expected = groups &&
        Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, value ?? ""]));
      const actual = match(pathname);
      assertEquals(actual && { ...actual }, expected ?? null, `${pattern} ${pathname}`);
      if (actual !== null) matches++;
    }
  }
  assertEquals(matches, 49);
});

Deno.test("compilePattern() throws for syntax that is not supported", () => {
  for (
    const pattern of [
      "/:id(\\d+)",
      "/*",
      "/a:path*",
      "/a/:path+",
      "/:x?",
      "/a{b}?",
      "/a}",
      "/{a",
      "/:",
    ]
  ) {
    assertThrows(() => compilePattern(pattern), SyntaxError, pattern);
    assertEquals(isDynamic(pattern), true, pattern);
  }
});

Deno.test("parameters are percent-decoded, except for separators and invalid sequences", () => {
  const match = compilePattern("/:id");
  assertEquals({ ...match("/caf%C3%A9") }, { id: "café" });
  assertEquals({ ...match("/a%2Fb%3F") }, { id: "a%2Fb%3F" });
  assertEquals({ ...match("/%zz") }, { id: "%zz" });
  assertEquals(Object.entries(compilePattern("/:__proto__")("/x")!), [["__proto__", "x"]]);
});

Deno.test("isDynamic() distinguishes patterns with parameters from static ones", () => {
  for (const pattern of PATTERNS) assertEquals(isDynamic(pattern), true, pattern);
  for (const pattern of ["/", "/a", "/a.b/c-d", "/~x"]) assertEquals(isDynamic(pattern), false);
});

Deno.test("fileToPattern() converts file names and rejects those that are not supported", () => {
  const table: Record<string, string> = {
    index: "/",
    about: "/about",
    "blog/index": "/blog",
    "blog/[slug]": "/blog/:slug",
    "blog/[slug]/edit": "/blog/:slug/edit",
    "list/[[page]]": "/list{/:page}?",
    "feed.xml": "/feed.xml",
    "v[major].[minor]": "/v:major.:minor",
    "user-[id]": "/user-:id",
    "files/[...path]": "/files/:path*",
  };
  for (const [file, pattern] of Object.entries(table)) {
    assertEquals([file, fileToPattern(file)], [file, pattern]);
  }
  for (const file of ["[a][b]", "[a", "a]", "x[...rest]", "(group)/a", "(_islands)/A"]) {
    assertThrows(() => fileToPattern(file), SyntaxError, file);
  }
});
