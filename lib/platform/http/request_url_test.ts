import { assertEquals } from "@std/assert";
import { hostnameOf, pathnameOf } from "./request_url.ts";

Deno.test("hostnameOf() returns the name in lower case, without a port and a final dot", () => {
  const cases = [
    ["http://site.localhost:8000/a:b", "site.localhost"],
    ["http://SITE.localhost./", "site.localhost"],
    ["http://127.0.0.1?q=/", "127.0.0.1"],
    ["http://[::1]:8000/", "[::1]"],
  ];
  for (const [url, name] of cases) assertEquals(hostnameOf({ url } as Request), name, url);
});

Deno.test("pathnameOf() returns the path that a parsed URL has, with single slashes", () => {
  const paths = [
    "",
    "?q=/a//b",
    "/",
    "//a///b",
    "/a/../b",
    "/a/%2e%2E/b",
    "/a/./b/.",
    "/.well-known/x",
    "/%61/%FF",
    "/a b|`{}^",
    "/a\\b",
    "/ä",
    "/a;b,c'(d)!$&*+=:@~_.-/",
  ];
  for (const path of paths) {
    const url = new URL(`http://site.localhost:8000${path}`);
    url.pathname = url.pathname.replace(/\/+/g, "/");
    const ctx = { req: { url: `http://site.localhost:8000${path}` } as Request, url };
    assertEquals(pathnameOf(ctx), url.pathname, path);
  }
});
