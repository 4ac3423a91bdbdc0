/** The `sitemap.xml`, `robots.txt` and `security.txt` of each surface. */
import { DAY_MS } from "../../base/time.ts";
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

/** How long what `security.txt` says is valid. The standard recommends less than a year. */
const SECURITY_TXT_LIFETIME_MS = 180 * DAY_MS;

/**
 * Returns a surface's `security.txt` (RFC 9116).
 *
 * @param policy the URL of the page on reports of vulnerabilities, if a surface serves it
 * @param now milliseconds since 1970
 */
export function securityTxt({ surface, contactEmail, policy, now }: {
  surface: Surface;
  contactEmail: string;
  policy: string | null;
  now: number;
}): string {
  const expires = new Date(now + SECURITY_TXT_LIFETIME_MS).toISOString().slice(0, 10);
  return [
    `Contact: mailto:${contactEmail}`,
    `Expires: ${expires}T00:00:00Z`,
    "Preferred-Languages: en",
    `Canonical: ${surface.baseUrl}/.well-known/security.txt`,
    ...policy === null ? [] : [`Policy: ${policy}`],
    "",
  ].join("\n");
}
