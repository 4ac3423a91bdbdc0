import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { productionEnv } from "../lib/app/testing/production.ts";
import { createStandard, textHash, VECTORS } from "../lib/features/standard/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createSite, type Site } from "./site.ts";

const SURFACES = ["foundation", "commercial", "workbench"] as const;
const standard = createStandard();
const PATHS = ["/standard", ...standard.sections.map(({ id }) => `/standard/${id}`)];

/** The pages of the foundation's site besides the contents and the sections. */
const PAGES = ["/standard/changelog", "/standard/complete", "/standard/kit"];
const FILES = ["/standard.md", "/standard.pdf", "/standard/vectors.json"];

async function get(site: Site, surface: SurfaceName, path: string): Promise<string> {
  const response = await site.request(surface, path);
  const html = await response.text();
  assertEquals(response.status, 200, path);
  return html;
}

const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html)![0];
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map((match) => match[1]);
const linksOf = (html: string) => all(mainOf(html), /\shref="([^"]*)"/g);
const idsOf = (html: string) => all(html, /\sid="([^"]*)"/g);

Deno.test("a section's page has its title and summary in the head, and one main heading", async () => {
  await using site = await createSite();
  for (const surface of SURFACES) {
    for (const { id, title, summary } of standard.sections) {
      const html = await get(site, surface, `/standard/${id}`);
      assertEquals(all(html, /<title>(.*?)<\/title>/g), [
        `${title} · ${standard.title} ${standard.version}`,
      ]);
      assertEquals(all(html, /<meta name="description" content="([^"]*)"/g), [
        summary.replaceAll('"', "&quot;"),
      ]);
      assertEquals(all(html, /<h1[^>]*>.*?<span>(.*?)<\/span><\/h1>/g), [title]);
      assertEquals(html.split("<h1").length, 2, "one title per page");
      assertStringIncludes(html, `/styles/pages/standard_text.css?`);
    }
  }
});

Deno.test("the foundation's URL is canonical on every surface", async () => {
  await using site = await createSite();
  for (const surface of SURFACES) {
    for (const path of [...PATHS, "/standard?q=salt"]) {
      const html = await get(site, surface, path);
      const canonical = all(html, /<link rel="canonical" href="([^"]*)"/g);
      assertEquals(canonical, [`http://foundation.localhost:8000${path.replace(/\?.*/, "")}`]);
    }
  }
});

Deno.test("without a foundation surface, the page's own URL is canonical", async () => {
  await using site = await createSite(productionEnv({
    commercial: ["records.example"],
    "commercial-mcp": ["mcp.records.example"],
  }));
  const html = await get(site, "commercial", "/standard/heads");
  assertStringIncludes(html, `rel="canonical" href="https://records.example/standard/heads"`);
});

Deno.test("both organisations publish the same text", async () => {
  await using site = await createSite();
  const textOf = async (surface: SurfaceName, path: string) =>
    /<div class="markdown">[\s\S]*?<nav class="neighbours stack gap-4 pad-top-5 lined"/
      .exec(await get(site, surface, path))![0]
      .replace(/<p class="kit-note pad-4-5">.*?<\/p>/, ""); // it links to the foundation's site
  for (const path of PATHS.slice(1)) {
    assertEquals(await textOf("foundation", path), await textOf("commercial", path));
  }
});

Deno.test("every link and fragment of every page has a target, and ids are unique", async () => {
  await using site = await createSite();
  const pages = new Map<string, string>();
  for (const path of [...PATHS, ...PAGES]) pages.set(path, await get(site, "foundation", path));
  let fragments = 0;
  for (const [path, html] of pages) {
    const ids = idsOf(html);
    assertEquals(ids.length, new Set(ids).size, `${path}: ${ids}`);
    for (const href of linksOf(html)) {
      const url = new URL(href, `http://foundation.localhost:8000${path}`);
      if (url.host !== "foundation.localhost:8000" || FILES.includes(url.pathname)) continue;
      const target = pages.get(url.pathname);
      assert(target !== undefined, `${path}: ${href}`);
      if (url.hash === "") continue;
      fragments++;
      assert(idsOf(target!).includes(decodeURIComponent(url.hash.slice(1))), `${path}: ${href}`);
    }
  }
  assert(fragments > 100, `${fragments}`);
});

Deno.test("each heading of a section has an anchor and is listed under “On this page”", async () => {
  await using site = await createSite();
  for (const { id, markdown } of standard.sections) {
    const html = await get(site, "foundation", `/standard/${id}`);
    const outsideCode = markdown.replace(/^```[\s\S]*?^```/gm, "");
    const count = all(outsideCode, /^#{2,6} (.*)$/gm).length;
    const text = html.slice(html.indexOf('class="markdown"'), html.indexOf("</article>"));
    assertEquals(all(text, /<h[2-6] id="([^"]+)"><a class="anchor" href="#\1">/g).length, count);
    const list = html.slice(html.indexOf('class="on-this-page"'));
    assertEquals(all(list, /<li class="level-\d"><a [^>]*href="#([^"]+)"/g).length, count, id);
  }
});

Deno.test("the links to the next and the previous section go through all sections", async () => {
  await using site = await createSite();
  const follow = async (from: string, rel: string) => {
    const ids: string[] = [];
    for (let path: string | undefined = from; path !== undefined;) {
      ids.push(path.replace("/standard/", ""));
      assert(ids.length <= standard.sections.length, "the links form a circle");
      const links: string[] = all(
        await get(site, "foundation", path),
        new RegExp(`<a class="[^"]+" rel="${rel}" href="([^"]*)"`, "g"),
      );
      path = links[0];
    }
    return ids;
  };
  const ids = standard.sections.map(({ id }) => id);
  assertEquals(await follow(`/standard/${ids[0]}`, "next"), ids);
  assertEquals(await follow(`/standard/${ids.at(-1)}`, "prev"), ids.toReversed());
});

Deno.test("the contents list every section and mark the current one", async () => {
  await using site = await createSite();
  const index = mainOf(await get(site, "foundation", "/standard"));
  assertStringIncludes(index, `${standard.sections.length} sections`);
  for (const { id, title, summary } of standard.sections) {
    assertStringIncludes(index, `<a class="title ink" href="/standard/${id}">${title}</a>`);
    assertStringIncludes(index, `>${summary.replaceAll('"', "&quot;")}</p>`);
    const nav = /<nav class="section-nav"[\s\S]*?<\/nav>/.exec(
      await get(site, "foundation", `/standard/${id}`),
    )![0];
    assertEquals(all(nav, /href="\/standard\/([\w-]+)"/g).length, standard.sections.length);
    assertEquals(all(nav, /href="\/standard\/([\w-]+)" aria-current="page"/g), [id]);
  }
});

Deno.test("GET /standard/:section returns a 404 page for an unknown section", async () => {
  await using site = await createSite();
  for (const id of ["nothing", "Heads", "__proto__", "heads%2Fx", "%22%3E%3Cscript%3E"]) {
    const response = await site.request("foundation", `/standard/${id}`, {
      headers: { accept: "text/html" },
    });
    const html = await response.text();
    assertEquals(response.status, 404, id);
    assertStringIncludes(html, "Page not found");
    assertFalse(html.includes("<script>"), id);
  }
});

Deno.test("GET /standard returns 404 on other surfaces", async () => {
  await using site = await createSite();
  for (const surface of ["site", "trust", "foundation-mcp", "api"] as const) {
    for (const path of PATHS.slice(0, 2)) {
      const response = await site.request(surface, path);
      await response.body?.cancel();
      assertEquals(response.status, 404, `${surface} ${path}`);
    }
  }
});

Deno.test("GET /standard?q= shows the matching sections, best first, with words marked", async () => {
  await using site = await createSite();
  const html = await get(site, "foundation", "/standard?q=truncated");
  assertMatch(html, /name="robots" content="noindex"/);
  const main = mainOf(html);
  const expected = standard.search("truncated", 100).map(({ section }) => section.id);
  assertEquals(all(main, /<a class="title ink" href="\/standard\/([\w-]+)"/g), expected);
  assertStringIncludes(main, `${expected.length} sections for “truncated”`);
  assertStringIncludes(main, ">truncated</mark>");
  assertStringIncludes(main, `value="truncated"`);
  assertFalse((await get(site, "foundation", "/standard")).includes("noindex"));
});

Deno.test("GET /standard?q= suggests words with results if nothing was found", async () => {
  await using site = await createSite();
  const html = mainOf(await get(site, "foundation", "/standard?q=xylophone"));
  assertStringIncludes(html, "Nothing found for “xylophone”");
  const suggestions = linksOf(html).filter((href) => href.startsWith("/standard?q="));
  assert(suggestions.length > 0);
  for (const href of suggestions) {
    assertStringIncludes(await get(site, "foundation", href), 'class="section-list ');
  }
});

Deno.test("GET /standard?q= shows the contents for a blank query, and truncates a long one", async () => {
  await using site = await createSite();
  for (const query of ["", "%20%20"]) {
    const html = await get(site, "foundation", `/standard?q=${query}`);
    assertStringIncludes(html, `<nav class="standard-contents pad-top-4"`);
  }
  const html = await get(site, "foundation", `/standard?q=${"x".repeat(5000)}`);
  assert(html.length < 20_000);
});

Deno.test("a query and excerpts are escaped once", async () => {
  await using site = await createSite();
  const attack = `"><script>alert(1)</script>&amp;key`;
  const html = await get(site, "foundation", `/standard?q=${encodeURIComponent(attack)}`);
  assertFalse(html.includes("<script>alert"));
  assertStringIncludes(html, "&amp;amp;key");
  const excerpts = mainOf(await get(site, "foundation", "/standard?q=signing+key"));
  assertFalse(/&amp;(lt|gt|quot|amp);/.test(excerpts), "an excerpt is escaped twice");
});

Deno.test("the documents of the standard are public, cached and readable from any origin", async () => {
  await using site = await createSite();
  const types: Record<string, string> = {
    "/standard.md": "text/markdown; charset=utf-8",
    "/standard.pdf": "application/pdf",
    "/standard/vectors.json": "application/json",
    "/llms.txt": "text/plain; charset=utf-8",
  };
  for (const [path, type] of Object.entries(types)) {
    const response = await site.request("foundation", path, {
      headers: { origin: "https://elsewhere.example" },
    });
    const bytes = await response.bytes();
    const header = (name: string) => response.headers.get(name);
    assertEquals([response.status, header("content-type")], [200, type]);
    assertEquals(header("access-control-allow-origin"), "*");
    assertEquals(header("cache-control"), "public, max-age=3600");
    assert(bytes.length > 1000, path);
    const again = await site.request("foundation", path, {
      headers: { "if-none-match": header("etag")! },
    });
    assertEquals([again.status, (await again.bytes()).length], [304, 0]);
  }
  const pdf = await site.request("foundation", "/standard.pdf", { method: "HEAD" });
  assertStringIncludes(pdf.headers.get("content-security-policy")!, "object-src 'self'");
  // The hash on its cover can be computed from what the site serves.
  const parts: string[] = [];
  for (const { id } of standard.sections) {
    parts.push(await get(site, "foundation", `/standard/${id}?format=md`));
  }
  const bytes = new TextEncoder().encode(parts.join(""));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  assertEquals(hash, textHash(standard));
  const vectors = await site.request("foundation", "/standard/vectors.json");
  assertEquals(await vectors.json(), VECTORS);
});

Deno.test("llms.txt of each site links to its own MCP server, and to the foundation's documents", async () => {
  await using site = await createSite();
  for (const surface of ["foundation", "commercial"] as const) {
    const text = await get(site, surface, "/llms.txt");
    assertStringIncludes(text, `(http://mcp.${surface}.localhost:8000/mcp)`);
    assertStringIncludes(text, "(http://foundation.localhost:8000/standard.md)");
    assertStringIncludes(text, "(http://foundation.localhost:8000/standard/heads?format=md)");
  }
});

Deno.test("pages on the commercial site link to the foundation's documents", async () => {
  await using site = await createSite();
  const links = linksOf(await get(site, "commercial", "/standard"));
  for (const path of [...FILES, ...PAGES]) {
    assert(links.includes(`http://foundation.localhost:8000${path}`), path);
    assertFalse(links.includes(path));
  }
});

Deno.test("without a foundation surface, no page links to its documents", async () => {
  await using site = await createSite(productionEnv({
    commercial: ["records.example"],
    "commercial-mcp": ["mcp.records.example"],
  }));
  const html = await get(site, "commercial", "/standard") +
    await get(site, "commercial", "/standard/conformance");
  for (const path of [...FILES, ...PAGES]) assertFalse(html.includes(path), path);
});

Deno.test("the version and its dates are on every section, the contents and the complete text", async () => {
  await using site = await createSite();
  for (const path of [...PATHS, "/standard/complete"]) {
    const line = /<p class="wrap standard-version muted digits">.*?<\/p>/s
      .exec(await get(site, "foundation", path))![0].replace(/<[^>]*>/g, " ");
    assertMatch(
      line,
      /Version \d\.\d+ +Published +\d+ \w+ \d{4} +(Corrected +\d+ \w+ \d{4} +)?Changelog/,
    );
    assertStringIncludes(line, `Version ${standard.version} `);
  }
});

Deno.test("version 1.0 stays readable as one page and as Markdown, and says that it was replaced", async () => {
  await using site = await createSite();
  const changelog = mainOf(await get(site, "foundation", "/standard/changelog"));
  const page = "/standard/complete?version=1.0";
  const markdown = "/standard.md?version=1.0";
  for (const path of [page, markdown]) assertStringIncludes(changelog, `href="${path}"`);

  const html = await get(site, "foundation", page);
  const text = mainOf(html).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  assertMatch(text, /Version 1\.0 Published 21 Nov 2026 Corrected 22 Nov 2026/);
  assertStringIncludes(text, "This is version 1.0, which is no longer current.");
  assertStringIncludes(text, "a verifier puts the events in ascending order of seq");
  assertStringIncludes(html, `<meta name="robots" content="noindex"`);
  assertEquals(all(html, /<title>(.*?)<\/title>/g), [
    `Complete text · ${standard.title} 1.0`,
  ]);
  const current = await get(site, "foundation", "/standard/complete");
  assertFalse(current.includes("no longer current"));
  assertFalse(current.includes("noindex"));

  assertMatch(await get(site, "foundation", markdown), /\nVersion 1\.0, published 2026-11-21,/);
  for (const path of ["/standard/complete?version=0.9", "/standard.md?version=toString"]) {
    const response = await site.request("foundation", path);
    assertEquals(response.status, 404, path);
    await response.body?.cancel();
  }
});

Deno.test("the changelog lists every change with its date, sections and hash", async () => {
  await using site = await createSite();
  const main = mainOf(await get(site, "foundation", "/standard/changelog"));
  const items = all(main, /<li[^>]*>(<p class="wrap change-date flush digits">.*?)<\/li>/gs);
  assertEquals(items.length, standard.changes.length);
  for (const [i, { date, title, sha256 }] of standard.changes.entries()) {
    assertStringIncludes(items[i], `<time datetime="${date}">`);
    assertStringIncludes(items[i], `>${title}</h3>`);
    assertStringIncludes(items[i].replace(/<[^>]*>/g, ""), sha256);
  }
});
