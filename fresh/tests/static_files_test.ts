import { staticFiles } from "fresh";
import { asset } from "fresh/runtime";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { appWith, type Client, clientOf, KEY } from "./setup.tsx";

const FILES: Record<string, string> = {
  "hello.txt": "hello",
  "index.html": "<p>index</p>",
  "styles/site.css": "p{}",
  "with space.svg": "<svg/>",
  "ü/é.json": "{}",
  "100%.txt": "percent",
  "no_extension": "raw",
  ".well-known/x.txt": "known",
  ".hidden.txt": "hidden",
  ".folder/x.txt": "hidden",
};

/** Runs `fn` with an app that serves these files, from a folder next to a secret file. */
async function withFiles(
  fn: (client: Client) => Promise<void>,
  mode?: "development" | "production",
) {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(FILES)) {
      const path = `${folder}/static/${name}`;
      await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(path, text);
    }
    await Deno.writeTextFile(`${folder}/secret.txt`, "secret");
    const app = await appWith<unknown>({ staticDir: `${folder}/static`, mode });
    app.use(staticFiles()).use(() => new Response("the app", { status: 299 }));
    await fn(clientOf(app));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a static file is served at its path with its content type", () =>
  withFiles(async (client) => {
    const table: [path: string, body: string, type: string][] = [
      ["/hello.txt", "hello", "text/plain; charset=UTF-8"],
      ["/index.html", "<p>index</p>", "text/html; charset=UTF-8"],
      ["/styles/site.css", "p{}", "text/css; charset=UTF-8"],
      ["/with%20space.svg", "<svg/>", "image/svg+xml"],
      ["/%C3%BC/%C3%A9.json", "{}", "application/json; charset=UTF-8"],
      ["/100%25.txt", "percent", "text/plain; charset=UTF-8"],
      ["/no_extension", "raw", "application/octet-stream"],
      ["/hello.txt?any=query", "hello", "text/plain; charset=UTF-8"],
      ["/hello.txt/", "hello", "text/plain; charset=UTF-8"],
      ["/.well-known/x.txt", "known", "text/plain; charset=UTF-8"],
    ];
    for (const [path, body, type] of table) {
      const response = await client(path);
      assertEquals(
        [path, response.status, await response.text(), response.headers.get("content-type")],
        [path, 200, body, type],
      );
      assertEquals(response.headers.get("content-length"), String(body.length));
      assertEquals(response.headers.get("cache-control"), "no-cache");
      assertMatch(response.headers.get("etag")!, /^W\/"[\da-f]{16}"$/);
    }
  }));

Deno.test("one byte range returns 206 or 416; any other Range returns the whole file", () =>
  withFiles(async (client) => {
    const table: [range: string, status: number, body: string, contentRange: string | null][] = [
      ["bytes=0-1", 206, "he", "bytes 0-1/5"],
      ["bytes=1-", 206, "ello", "bytes 1-4/5"],
      ["bytes=3-99", 206, "lo", "bytes 3-4/5"],
      ["bytes=-2", 206, "lo", "bytes 3-4/5"],
      ["bytes=-99", 206, "hello", "bytes 0-4/5"],
      ["bytes=5-", 416, "", "bytes */5"],
      ["bytes=-0", 416, "", "bytes */5"],
      ["bytes=2-1", 200, "hello", null],
      ["bytes=0-0,2-3", 200, "hello", null],
      ["bytes=-", 200, "hello", null],
      ["lines=0-1", 200, "hello", null],
    ];
    for (const [range, status, body, contentRange] of table) {
      const response = await client("/hello.txt", { headers: { range } });
      const { headers } = response;
      assertEquals(
        [range, response.status, await response.text(), headers.get("content-range")],
        [range, status, body, contentRange],
      );
      if (status !== 416) assertEquals(headers.get("content-length"), String(body.length));
      assertEquals(headers.get("accept-ranges"), "bytes");
    }
    const head = await client("/hello.txt", { method: "HEAD", headers: { range: "bytes=0-1" } });
    assertEquals([head.status, head.headers.get("content-length")], [200, "5"]);
    const since = await client("/hello.txt", {
      headers: { range: "bytes=0-1", "if-range": '"another"' },
    });
    assertEquals([since.status, await since.text()], [200, "hello"]);
  }));

Deno.test("a path without a static file is passed on to the app", () =>
  withFiles(async (client) => {
    const paths = [
      "/",
      "/styles",
      "/styles/",
      "/.hidden.txt",
      "/.folder/x.txt",
      "/HELLO.txt",
      "/metafile.json",
      "/..%2fsecret.txt",
      "/..%2Fsecret.txt",
      "/../secret.txt",
      "/styles/../../secret.txt",
      "/styles/..%2f..%2fsecret.txt",
      "/styles/..%5c..%5csecret.txt",
      "/%2e%2e/secret.txt",
      "/%2e%2e%2fsecret.txt",
      "/%252e%252e%252fsecret.txt",
      "/....//secret.txt",
      "/hello.txt%00",
      "/%00/../secret.txt",
      "/%zz",
      "/__proto__",
      "/constructor",
    ];
    for (const path of paths) {
      const response = await client(path);
      assertEquals([path, response.status, await response.text()], [path, 299, "the app"]);
    }
  }));

Deno.test("/favicon.ico returns 404 if there is no such file, and is not passed on", () =>
  withFiles(async (client) => {
    const response = await client("/favicon.ico");
    assertEquals([response.status, response.body], [404, null]);
  }));

Deno.test("a matching If-None-Match returns 304 without a body", () =>
  withFiles(async (client) => {
    const etag = (await client("/hello.txt")).headers.get("etag")!;
    const strong = etag.slice(2);
    const table: [ifNoneMatch: string, status: number][] = [
      [etag, 304],
      [strong, 304],
      [`"other", ${etag}`, 304],
      ["*", 304],
      ['"other"', 200],
      ['W/"other"', 200],
      ["", 200],
    ];
    for (const [known, status] of table) {
      const response = await client("/hello.txt", { headers: { "if-none-match": known } });
      assertEquals([known, response.status], [known, status]);
      assertEquals(response.headers.get("etag"), etag);
      assertEquals(await response.text(), status === 304 ? "" : "hello");
    }
    assert((await client("/index.html")).headers.get("etag") !== etag);
  }));

Deno.test("the build key makes a file immutable; another key redirects to the URL without it", () =>
  withFiles(async (client) => {
    const current = await client(asset("/hello.txt"));
    assertEquals(current.status, 200);
    assertEquals(current.headers.get("cache-control"), "public, max-age=31536000, immutable");
    const old = await client("/hello.txt?__frsh_c=old&a=1");
    assertEquals([old.status, old.headers.get("location")], [307, "/hello.txt?a=1"]);
    const none = await client("/none.txt?__frsh_c=old");
    assertEquals(none.status, 299);
  }));

Deno.test("no file is immutable in development", () =>
  withFiles(async (client) => {
    const response = await client(asset("/hello.txt"));
    assertEquals(response.headers.get("cache-control"), "no-cache");
  }, "development"));

Deno.test("HEAD returns the headers only; other methods return 405", () =>
  withFiles(async (client) => {
    const head = await client("/hello.txt", { method: "HEAD" });
    assertEquals([head.status, head.body, head.headers.get("content-length")], [200, null, "5"]);
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const response = await client("/hello.txt", { method });
      assertEquals([response.status, response.headers.get("allow")], [405, "GET, HEAD"], method);
      assertEquals((await client("/none.txt", { method })).status, 299);
    }
  }));

Deno.test("asset() adds the build key to the site's own URLs", async () => {
  (await appWith({})).handler();
  const k = `__frsh_c=${KEY}`;
  const table: Record<string, string> = {
    "/a.css": `/a.css?${k}`,
    "/a.css?v=1": `/a.css?v=1&${k}`,
    "/a.css?": `/a.css?${k}`,
    "/a.svg#part": `/a.svg?${k}#part`,
    "/a.svg?v=1#part?x": `/a.svg?v=1&${k}#part?x`,
    [`/a.css?${k}`]: `/a.css?${k}`,
    "//other.example/a.css": "//other.example/a.css",
    "https://other.example/a.css": "https://other.example/a.css",
    "relative.css": "relative.css",
    "data:,x": "data:,x",
    "": "",
  };
  for (const [path, address] of Object.entries(table)) assertEquals(asset(path), address);
});
