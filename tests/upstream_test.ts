/** Rules of the site for upstream Fresh, where it behaves differently from `fresh/` or did. */
import { assert, assertEquals } from "@std/assert";
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
    assertEquals([path, head.status, head.body], [path, 200, null]);
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
