import type { Surface } from "./surfaces.ts";

/** The values of the parameter of each indexed route, by the route's path. */
type RouteIds = Record<string, readonly string[]>;

/** Returns the paths of a surface that search engines should index: its canonical pages. */
export const indexedPaths = ({ indexed }: Surface, ids: RouteIds): string[] =>
  indexed.flatMap((path) => ids[path]?.map((id) => path.replace(/:\w+/, id)) ?? [path]);

/** Returns a surface's `sitemap.xml` (sitemaps.org 0.9). */
export function sitemap(surface: Surface, ids: RouteIds): string {
  const urls = indexedPaths(surface, ids)
    .map((path) => `  <url><loc>${surface.baseUrl}${path}</loc></url>`);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...urls,
    `</urlset>`,
    "",
  ].join("\n");
}

/** Returns a surface's `robots.txt` (RFC 9309), which allows crawling only if routes are indexed. */
export const robots = ({ indexed, baseUrl }: Surface): string =>
  indexed.length > 0
    ? `User-agent: *\nAllow: /\nSitemap: ${baseUrl}/sitemap.xml\n`
    : "User-agent: *\nDisallow: /\n";
