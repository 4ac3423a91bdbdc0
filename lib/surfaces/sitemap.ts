import type { Catalogue } from "../qualifications/mod.ts";
import type { Standard } from "../standard/mod.ts";
import type { Surface } from "./surfaces.ts";

/** What pages are made of. */
export interface Contents {
  standard: Standard;
  catalogue: Catalogue;
}

/** The pages of a surface that search engines should know, as paths: those that are their own canonical. */
export function indexedPaths(surface: Surface, { standard, catalogue }: Contents): string[] {
  if (surface.kind === "site") {
    return ["/", ...catalogue.all.map(({ code }) => `/qualifications/${code}`)];
  }
  if (surface.kind !== "marketing") return [];
  const own = ["/", "/connect"];
  // The standard's text is the same on both sites; its addresses are the foundation's.
  if (surface.organisation !== "foundation") return own;
  return [...own, "/standard", ...standard.sections.map(({ id }) => `/standard/${id}`)];
}

/** The surface's `sitemap.xml` (sitemaps.org 0.9). */
export function sitemap(surface: Surface, contents: Contents): string {
  const urls = indexedPaths(surface, contents)
    .map((path) => `  <url><loc>${surface.baseUrl}${path}</loc></url>`);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...urls,
    `</urlset>`,
    "",
  ].join("\n");
}

/** The surface's `robots.txt` (RFC 9309): the public sites are open, everything else is not. */
export function robots(surface: Surface): string {
  const open = surface.kind === "site" || surface.kind === "marketing";
  return open
    ? `User-agent: *\nAllow: /\nSitemap: ${surface.baseUrl}/sitemap.xml\n`
    : "User-agent: *\nDisallow: /\n";
}
