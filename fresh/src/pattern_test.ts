import { assertEquals, assertThrows } from "@std/assert";
import { compilePattern, fileToPattern, isDynamic, joinPattern } from "./pattern.ts";

const PATTERNS = [
  "/:id",
  "/a/:id",
  "/a/:id/b/:other",
  "/:path*",
  "/a/:path*",
  "/a/:path+",
  "/a/:path*/end",
  "/a{/:page}?",
  "/a{/:page}?/b",
  "/a/:x?",
  "/a{b}?",
  "/*",
  "/a/*",
  "/a/*/b",
  "/a*",
  "/v:major.:minor",
  "/:a-:b",
  "/n/:n(\\d+)",
  "/n/:n(\\d+|x)/:m([a-c]{2})",
  "/a.b/:id",
  "/:id.json",
  "/$a^/:id",
];
const PATHS = [
  "/",
  "/a",
  "/a/",
  "/ab",
  "/a/b",
  "/a/b/",
  "/a/1",
  "/a/1/b/2",
  "/a/1/2/3",
  "/a/1/2/end",
  "/a/end",
  "/v1.2",
  "/v1.2.3",
  "/x-y-z",
  "/n/12",
  "/n/x/ab",
  "/n/x/abc",
  "/n/1x",
  "/a.b/7",
  "/axb/7",
  "/7.json",
  "/7-json",
  "/$a^/1",
];

Deno.test("a compiled pattern matches what URLPattern does, with the same groups", () => {
  let matches = 0;
  for (const pattern of PATTERNS) {
    const match = compilePattern(pattern);
    const standard = new URLPattern({ pathname: pattern });
    for (const pathname of PATHS) {
      const groups = standard.exec({ pathname })?.pathname.groups;
      const expected = groups &&
        Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, value ?? ""]));
      const found = match(pathname);
      assertEquals(found && { ...found }, expected ?? null, `${pattern} ${pathname}`);
      if (found !== null) matches++;
    }
  }
  assertEquals(matches > 60, true, `${matches}`);
});

Deno.test("parameters are percent-decoded, save what separates", () => {
  const match = compilePattern("/:id");
  assertEquals({ ...match("/caf%C3%A9") }, { id: "café" });
  assertEquals({ ...match("/a%2Fb%3F") }, { id: "a%2Fb%3F" });
  assertEquals({ ...match("/%zz") }, { id: "%zz" });
  assertEquals({ ...compilePattern("/:__proto__")("/x") }, { ["__proto__"]: "x" });
});

Deno.test("a pattern is dynamic when it needs more than an equality", () => {
  for (const pattern of PATTERNS) assertEquals(isDynamic(pattern), true, pattern);
  for (const pattern of ["/", "/a", "/a.b/c-d", "/~x"]) assertEquals(isDynamic(pattern), false);
});

Deno.test("a file's path becomes its pattern", () => {
  const table: Record<string, string> = {
    index: "/",
    about: "/about",
    "blog/index": "/blog",
    "blog/[slug]": "/blog/:slug",
    "blog/[slug]/edit": "/blog/:slug/edit",
    "docs/[...path]": "/docs/:path*",
    "list/[[page]]": "/list{/:page}?",
    "(marketing)/pricing": "/pricing",
    "(a)/(b)/index": "/",
    "feed.xml": "/feed.xml",
    "v[major].[minor]": "/v:major.:minor",
    "user-[id]": "/user-:id",
  };
  for (const [file, pattern] of Object.entries(table)) {
    assertEquals([file, fileToPattern(file)], [file, pattern]);
  }
  for (const file of ["[a][b]", "[a", "a]", "x[...rest]"]) {
    assertThrows(() => fileToPattern(file), SyntaxError, file);
  }
});

Deno.test("patterns are joined below a base", () => {
  const table: [base: string, pattern: string, joined: string][] = [
    ["", "/", "/"],
    ["", "/a", "/a"],
    ["", "*", "/*"],
    ["/", "/a", "/a"],
    ["*", "/a", "/a"],
    ["/base", "/", "/base"],
    ["/base", "/a", "/base/a"],
    ["/base/", "a", "/base/a"],
    ["/base/*", "*", "/base/*"],
  ];
  for (const [base, pattern, joined] of table) assertEquals(joinPattern(base, pattern), joined);
});
