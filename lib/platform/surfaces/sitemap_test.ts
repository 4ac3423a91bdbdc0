import { assertEquals, assertNotEquals } from "@std/assert";
import { parseConfig } from "../../app/config.ts";
import { createCatalogue } from "../../features/qualifications/mod.ts";
import { createStandard } from "../../features/standard/mod.ts";
import { indexedPaths, robots, sitemap } from "./sitemap.ts";
import { createSurfaces } from "./surfaces.ts";

const surfaces = createSurfaces(parseConfig({}));
const codes = createCatalogue().all.map(({ code }) => code);
const sections = createStandard().sections.map(({ id }) => id);
const ids = { "/qualifications/:code": codes, "/standard/:section": sections };

Deno.test("the qualification site's sitemap lists its home and each qualification once", () => {
  const site = surfaces.get("site")!;
  const expected = ["/", ...codes.map((code) => `/qualifications/${code}`)];
  assertEquals(indexedPaths(site, ids), expected);
  const listed = [...sitemap(site, ids).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
  assertEquals(listed, expected.map((path) => `http://site.localhost:8000${path}`));
});

Deno.test("no other surface lists the qualifications", () => {
  for (const surface of surfaces.all) {
    if (surface.kind === "site") continue;
    const claimed = indexedPaths(surface, ids).filter((path) => /qualif/.test(path));
    assertEquals(claimed, [], surface.name);
  }
});

Deno.test("only the foundation's sitemap lists the standard's pages", () => {
  for (const surface of surfaces.all) {
    const listed = indexedPaths(surface, ids).filter((path) => path.startsWith("/standard/"));
    const pages = [...sections, "complete", "changelog", "kit"];
    const expected = surface.name === "foundation" ? pages.map((id) => `/standard/${id}`) : [];
    assertEquals(listed, expected, surface.name);
  }
});

Deno.test("every surface with indexed routes serves the sitemap that its robots.txt names", () => {
  const naming = surfaces.all.filter((surface) => robots(surface).includes("/sitemap.xml"));
  assertNotEquals(naming.length, 0);
  assertEquals(naming.filter((surface) => !surface.serves("/sitemap.xml")), []);
});
