import { assert, assertEquals } from "@std/assert";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createSite } from "./site.ts";

const PAGES: [SurfaceName, path: string][] = [
  ["trust", "/"],
  ["trust", "/verify"],
  ["foundation", "/"],
  ["foundation", "/verify"],
  ["commercial", "/"],
];

const wordsOf = (html: string) => html.replace(/<[^>]+>/g, "").replace(/\s+/g, " ");

Deno.test("the homes and the verify pages say in one sentence what the log adds, and link to the figure", async () => {
  await using site = await createSite();
  const about = site.services.surfaces.url("trust", "/log/about")!;
  for (const [surface, path] of PAGES) {
    const html = await (await site.request(surface, path)).text();
    const said = /If the publisher itself (.*?): who would notice what[.]/.exec(wordsOf(html));
    if (said === null) throw new Error(`${surface} ${path} does not say it`);
    assert(!/[.]|merkle|cosign|tlog|checkpoint|tree/i.test(said[1]), said[1]);
    const [, href] = /<a href="([^"]+)">who would notice what</.exec(html)!;
    assertEquals(new URL(href, about).href, about, `${surface} ${path}`);
  }
});

Deno.test("each link of /log/about leads to a page, and each of its fragments to a part of that page", async () => {
  await using site = await createSite();
  const about = site.services.surfaces.url("trust", "/log/about")!;
  const html = await (await site.request("trust", "/log/about")).text();
  const hosts = new Set(site.services.surfaces.all.map(({ baseUrl }) => new URL(baseUrl).host));
  const [main] = /<main.*<\/main>/s.exec(html)!;
  const links = [...main.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => new URL(href, about))
    .filter(({ host }) => hosts.has(host));
  assert(links.some(({ pathname }) => pathname === "/standard/transparency-log"));
  for (const { host, pathname, hash, href } of links) {
    const response = await site.handler(
      new Request(new URL(pathname, `http://${host}`), { headers: { host } }),
    );
    const page = await response.text();
    assertEquals(response.status, 200, href);
    if (hash !== "") assert(page.includes(` id="${hash.slice(1)}"`), href);
  }
});
