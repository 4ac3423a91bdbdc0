import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { createSite } from "./site.ts";

const site = await createSite();
const { standard } = site.services;
const SURFACES = ["foundation", "commercial", "workbench"] as const;
const PATHS = ["/standard", ...standard.sections.map(({ id }) => `/standard/${id}`)];

async function get(surface: SurfaceName, path: string): Promise<string> {
  const response = await site.request(surface, path);
  const html = await response.text();
  assertEquals(response.status, 200, path);
  return html;
}

const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html)![0];
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map((match) => match[1]);
const linksOf = (html: string) => all(mainOf(html), /\shref="([^"]*)"/g);
const idsOf = (html: string) => all(html, /\sid="([^"]*)"/g);

Deno.test("every section says what it is, in its page and in its head", async () => {
  for (const surface of SURFACES) {
    for (const { id, title, summary } of standard.sections) {
      const html = await get(surface, `/standard/${id}`);
      assertEquals(all(html, /<title>(.*?)<\/title>/g), [
        `${title} · ${standard.title} ${standard.version}`,
      ]);
      assertEquals(all(html, /<meta name="description" content="([^"]*)"/g), [
        summary.replaceAll('"', "&quot;"),
      ]);
      assertEquals(all(html, /<h1>.*?<span>(.*?)<\/span><\/h1>/g), [title]);
      assertEquals(html.split("<h1").length, 2, "one title a page");
      assertStringIncludes(html, `/styles/standard.css?`);
    }
  }
});

Deno.test("the foundation's address is canonical, whoever shows the text", async () => {
  for (const surface of SURFACES) {
    for (const path of [...PATHS, "/standard?q=salt"]) {
      const canonical = all(await get(surface, path), /<link rel="canonical" href="([^"]*)"/g);
      assertEquals(canonical, [`http://foundation.localhost:8000${path.replace(/\?.*/, "")}`]);
    }
  }
  await using alone = await createSite({
    APP_ENV: "production",
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: "smtp://mail.example",
    SURFACE_HOSTS: JSON.stringify({
      commercial: ["records.example"],
      "commercial-mcp": ["mcp.records.example"],
    }),
  });
  const html = await (await alone.request("commercial", "/standard/heads")).text();
  assertStringIncludes(html, `rel="canonical" href="https://records.example/standard/heads"`);
});

Deno.test("the text of both organisations is the same", async () => {
  const textOf = (html: string) =>
    /<div class="standard-text">[\s\S]*?<nav class="neighbours"/.exec(html)![0];
  for (const path of PATHS.slice(1)) {
    assertEquals(textOf(await get("foundation", path)), textOf(await get("commercial", path)));
  }
});

Deno.test("every link and every fragment of every page leads to something", async () => {
  const pages = new Map<string, string>();
  for (const path of PATHS) pages.set(path, await get("foundation", path));
  let fragments = 0;
  for (const [path, html] of pages) {
    for (const href of linksOf(html)) {
      const url = new URL(href, `http://foundation.localhost:8000${path}`);
      if (url.host !== "foundation.localhost:8000") continue;
      const target = pages.get(url.pathname);
      assert(target !== undefined, `${path}: ${href}`);
      if (url.hash === "") continue;
      fragments++;
      assert(idsOf(target!).includes(decodeURIComponent(url.hash.slice(1))), `${path}: ${href}`);
    }
  }
  assert(fragments > 100, `${fragments}`);
});

Deno.test("every id stands once in its page", async () => {
  for (const path of PATHS) {
    const ids = idsOf(await get("commercial", path));
    assertEquals(ids.length, new Set(ids).size, `${path}: ${ids}`);
  }
});

Deno.test("each heading of a section can be linked to and stands under “On this page”", async () => {
  for (const { id, markdown } of standard.sections) {
    const html = await get("foundation", `/standard/${id}`);
    const outsideCode = markdown.replace(/^```[\s\S]*?^```/gm, "");
    const written = all(outsideCode, /^#{2,6} (.*)$/gm).length;
    const text = html.slice(html.indexOf('class="standard-text"'), html.indexOf("</article>"));
    assertEquals(all(text, /<h[2-6] id="([^"]+)"><a class="anchor" href="#\1">/g).length, written);
    const list = html.slice(html.indexOf('class="on-this-page"'));
    assertEquals(all(list, /<li class="level-\d"><a href="#([^"]+)"/g).length, written, id);
  }
});

Deno.test("next leads from the first section to the last, and previous back, through all", async () => {
  const walk = async (from: string, rel: string) => {
    const ids: string[] = [];
    for (let path: string | undefined = from; path !== undefined;) {
      ids.push(path.replace("/standard/", ""));
      assert(ids.length <= standard.sections.length, "the way goes in circles");
      const way: string[] = all(
        await get("foundation", path),
        new RegExp(`<a class="\\w+" rel="${rel}" href="([^"]*)"`, "g"),
      );
      path = way[0];
    }
    return ids;
  };
  const ids = standard.sections.map(({ id }) => id);
  assertEquals(await walk(`/standard/${ids[0]}`, "next"), ids);
  assertEquals(await walk(`/standard/${ids.at(-1)}`, "prev"), ids.toReversed());
});

Deno.test("the contents name every section, and in a section the current one", async () => {
  const index = mainOf(await get("foundation", "/standard"));
  for (const { id, title, summary } of standard.sections) {
    assertStringIncludes(index, `<a class="title" href="/standard/${id}">${title}</a>`);
    assertStringIncludes(index, `<p>${summary.replaceAll('"', "&quot;")}</p>`);
    const nav = /<nav class="section-nav"[\s\S]*?<\/nav>/.exec(
      await get("foundation", `/standard/${id}`),
    )![0];
    assertEquals(all(nav, /href="\/standard\/([\w-]+)"/g).length, standard.sections.length);
    assertEquals(all(nav, /href="\/standard\/([\w-]+)" aria-current="page"/g), [id]);
  }
});

Deno.test("a section that does not exist is a page of status 404", async () => {
  for (const id of ["nothing", "Heads", "__proto__", "heads%2Fx", "%22%3E%3Cscript%3E"]) {
    const response = await site.request("foundation", `/standard/${id}`, {
      headers: { accept: "text/html" },
    });
    const html = await response.text();
    assertEquals(response.status, 404, id);
    assertStringIncludes(html, "not_found");
    assertFalse(html.includes("<script>"), id);
  }
});

Deno.test("other surfaces have no standard to read", async () => {
  for (const surface of ["site", "trust", "foundation-mcp", "api"] as const) {
    for (const path of PATHS.slice(0, 2)) {
      const response = await site.request(surface, path);
      await response.body?.cancel();
      assertEquals(response.status, 404, `${surface} ${path}`);
    }
  }
});

Deno.test("a search shows the sections that it found, best first, with the words marked", async () => {
  const html = mainOf(await get("foundation", "/standard?q=truncated"));
  const expected = standard.search("truncated", 100).map(({ section }) => section.id);
  assertEquals(all(html, /<a class="title" href="\/standard\/([\w-]+)"/g), expected);
  assertStringIncludes(html, `${expected.length} sections for “truncated”`);
  assertStringIncludes(html, "<mark>truncated</mark>");
  assertStringIncludes(html, `value="truncated"`);
});

Deno.test("a search's answer is not for search engines", async () => {
  assertMatch(await get("foundation", "/standard?q=salt"), /name="robots" content="noindex"/);
  assertFalse((await get("foundation", "/standard")).includes("noindex"));
});

Deno.test("a search that finds nothing says so and helps on", async () => {
  const html = mainOf(await get("foundation", "/standard?q=xylophone"));
  assertStringIncludes(html, "Nothing found for “xylophone”");
  const suggestions = linksOf(html).filter((href) => href.startsWith("/standard?q="));
  assert(suggestions.length > 0);
  for (const href of suggestions) {
    assertStringIncludes(await get("foundation", href), 'class="section-list"');
  }
});

Deno.test("a blank search shows the contents, and a long one is cut", async () => {
  for (const query of ["", "%20%20"]) {
    const html = await get("foundation", `/standard?q=${query}`);
    assertStringIncludes(html, `<nav class="standard-contents"`);
  }
  assert((await get("foundation", `/standard?q=${"x".repeat(5000)}`)).length < 20_000);
});

Deno.test("what a visitor searches for is text, whatever it looks like", async () => {
  const attack = `"><script>alert(1)</script>&amp;key`;
  const html = await get("foundation", `/standard?q=${encodeURIComponent(attack)}`);
  assertFalse(html.includes("<script>alert"));
  assertStringIncludes(html, "&amp;amp;key");
  const excerpts = mainOf(await get("foundation", "/standard?q=signing+key"));
  assertFalse(/&amp;(lt|gt|quot|amp);/.test(excerpts), "an excerpt is escaped twice");
});
