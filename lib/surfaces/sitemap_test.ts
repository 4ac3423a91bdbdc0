import { assertEquals } from "@std/assert";
import { parseConfig } from "../config.ts";
import { createCatalogue } from "../qualifications/mod.ts";
import { createStandard } from "../standard/mod.ts";
import { indexedPaths, sitemap } from "./sitemap.ts";
import { createSurfaces } from "./surfaces.ts";

const surfaces = createSurfaces(parseConfig({}));
const contents = { standard: createStandard(), catalogue: createCatalogue() };

Deno.test("the site's map has its home and each qualification once, by its canonical address", () => {
  const site = surfaces.get("site")!;
  const expected = ["/", ...contents.catalogue.all.map(({ code }) => `/qualifications/${code}`)];
  assertEquals(indexedPaths(site, contents), expected);
  const listed = [...sitemap(site, contents).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
  assertEquals(listed, expected.map((path) => `http://site.localhost:8000${path}`));
});

Deno.test("no other surface claims the qualifications", () => {
  for (const surface of surfaces.all) {
    if (surface.kind === "site") continue;
    const claimed = indexedPaths(surface, contents).filter((path) => /qualif/.test(path));
    assertEquals(claimed, [], surface.name);
  }
});
