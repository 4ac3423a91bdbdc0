/** Rules of the site for upstream Fresh, where it behaves differently from `fresh/` or did. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { App } from "fresh";
import { compression } from "../lib/app/middlewares/compression.ts";
import type { State } from "../lib/app/state.ts";
import { createSite } from "./site.ts";

const ROOT = new URL("..", import.meta.url).pathname;

/** The source files below a folder that can contain JSX, with their text. */
async function sources(folder: string): Promise<[path: string, text: string][]> {
  const found: [string, string][] = [];
  for await (const { name, isDirectory } of Deno.readDir(ROOT + folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await sources(path));
    else if (path.endsWith(".tsx")) found.push([path, await Deno.readTextFile(ROOT + path)]);
  }
  return found;
}

Deno.test("every <link> in the source has a key: of two without one, the last is loaded", async () => {
  const files = (await Promise.all(["routes", "components", "islands"].map(sources))).flat();
  const links = files.flatMap(([path, text]) =>
    [...text.matchAll(/<link\s[^>]*>/g)].map(([tag]) => [path, tag])
  );
  assert(links.length > 15);
  assertEquals(links.filter(([, tag]) => !/\skey=/.test(tag)), []);
});

Deno.test("every <title> is in a <Head> or <head>: upstream takes any for the document's", async () => {
  const files = (await Promise.all(["routes", "components", "islands"].map(sources))).flat();
  const depth = (text: string) =>
    (text.match(/<head\b/gi) ?? []).length - (text.match(/<\/head>/gi) ?? []).length;
  const titles = files.flatMap(([path, text]) =>
    [...text.matchAll(/<title\b/g)].map(({ index }) => ({
      path,
      depth: depth(text.slice(0, index)),
    }))
  );
  assert(titles.length > 30);
  assertEquals(titles.filter(({ depth }) => depth !== 1).map(({ path }) => path), []);
});

Deno.test("a page's own stylesheet replaces the default one", async () => {
  await using site = await createSite();
  const pages: [Parameters<typeof site.request>[0], path: string, sheet: string][] = [
    ["investor", "/", "investor"],
    ["trust", "/verify", "verify"],
    ["foundation", "/standard", "standard"],
    ["workbench", "/contact", "investor"],
    ["site", "/", "qualifications"],
    ["site", "/auth", "sign_in"],
    ["trust", "/terms", "published"],
  ];
  for (const [surface, path, expected] of pages) {
    const html = await (await site.request(surface, path)).text();
    const sheets = [...html.matchAll(/<link rel="stylesheet" href="\/styles\/pages\/(\w+)\.css/g)]
      .map(([, name]) => name);
    assertEquals(sheets, [expected], surface + path);
  }
});

Deno.test("every page route handles all methods itself", async () => {
  for (const [path] of await sources("routes")) {
    if (path.endsWith("_app.tsx")) continue;
    const { handler } = await import(ROOT + path);
    assertEquals([path, typeof handler], [path, "function"]);
  }
});

Deno.test("a page returns 405 with Allow for other methods, and no body for HEAD", async () => {
  await using site = await createSite();
  for (const path of ["/", "/marketing", "/contact", "/connect", "/my-record", "/terms", "/site"]) {
    for (const method of ["POST", "DELETE"]) {
      const response = await site.request("workbench", path, { method });
      await response.body?.cancel();
      assertEquals(
        [path, response.status, response.headers.get("allow")],
        [path, 405, "GET, HEAD"],
      );
    }
    const head = await site.request("workbench", path, { method: "HEAD" });
    assertEquals([path, head.status, await head.text()], [path, 200, ""]);
  }
});

Deno.test("the navigation marks the current page and section, and never another ancestor", async () => {
  await using site = await createSite();
  const marks = async (path: string) => {
    const html = await (await site.request("foundation", path)).text();
    const nav = html.slice(html.indexOf('class="nav-wide"'), html.indexOf('class="nav-narrow"'));
    return [...nav.matchAll(/<a href="([^"]*)"[^>]* aria-current="(\w+)"/g)]
      .filter(([, href]) => href.startsWith("/")).map(([, href, mark]) => `${href} ${mark}`);
  };
  assertEquals((await marks("/standard/records")).filter((mark) => !mark.endsWith("false")), [
    "/standard true",
  ]);
  assertEquals((await marks("/standard")).filter((mark) => !mark.endsWith("false")), [
    "/standard page",
  ]);
  assertEquals((await marks("/connect")).filter((mark) => !mark.endsWith("false")), [
    "/connect page",
  ]);
});

Deno.test("a compressed page keeps the properties of the response, where upstream has the nonce", async () => {
  const nonce = Symbol.for("__freshNonce");
  const seen: unknown[] = [];
  const app = new App<State>()
    .use(async (ctx) => {
      ctx.state.shared = false;
      const response = await ctx.next();
      seen.push((response as { [nonce]?: string })[nonce]);
      return response;
    })
    .use(compression(new Map()));
  for (const [path, size] of [["/short", 10], ["/long", 10_000]] as const) {
    app.get(path, () => {
      const page = new Response("x".repeat(size), {
        status: 203,
        headers: { "content-type": "text/html", "x-own": "1" },
      });
      return Object.assign(page, { [nonce]: path });
    });
  }
  for (const path of ["/short", "/long"]) {
    const headers = { "accept-encoding": "gzip" };
    const response = await app.handler()(new Request(`http://localhost${path}`, { headers }));
    assertEquals([response.status, response.headers.get("x-own")], [203, "1"]);
    assertEquals(response.headers.get("content-encoding"), path === "/long" ? "gzip" : null);
    assertEquals((await response.bytes()).length < 100, true);
  }
  assertEquals(seen, ["/short", "/long"]);
});

Deno.test("the page of the key service renders without an answer", async () => {
  await using site = await createSite();
  const response = await site.request("trust", "/k");
  assertEquals(response.status, 200);
  assertMatch(await response.text(), /<h1/);
});

Deno.test("/favicon.ico redirects to the icon before the static files are searched", async () => {
  await using site = await createSite();
  const response = await site.request("trust", "/favicon.ico");
  assertEquals([response.status, response.headers.get("location")], [302, "/icons/commercial.ico"]);
  const other = await site.request("trust", "/favicon.ico", { method: "POST" });
  await other.body?.cancel();
  assertEquals([other.status, other.headers.get("allow")], [405, "GET, HEAD"]);
});
