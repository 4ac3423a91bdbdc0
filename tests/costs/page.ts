/** Measures the size of pages: their HTML, scripts and style sheets. */
import zlib from "node:zlib";
import type { SurfaceName } from "../../lib/platform/surfaces/mod.ts";
import type { Site } from "../site.ts";

/** The files that a browser loads for a page. Sizes are in bytes. */
export interface PageSize {
  html: number;
  /** The scripts in the page itself, with the data of its islands. */
  inline: number;
  /** Compressed with gzip. */
  scripts: FileSizes;
  /** Compressed with Brotli, as browsers get them. */
  styles: FileSizes;
}

interface FileSizes {
  files: number;
  bytes: number;
}

/** The drawing of a QR code, whose length depends on its text. */
const QR = /(?<=<svg class="qr"[^>]*>).*?(?=<\/svg>)/gs;
const SHEET = /<link [^>]*rel="stylesheet"[^>]*>/g;
const PRELOADED = /<link [^>]*rel="modulepreload"[^>]*>/g;
const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g;
/** Imports that load before the importing script runs; `import("…")` loads later, if at all. */
const IMPORTED = /(?:\bfrom|\bimport)\s*"([^"]+)"/g;

/** Returns the body of a response as text, whatever its content coding. */
export function decode(body: Uint8Array, coding: string | null): string {
  return new TextDecoder().decode(coding === null ? body : DECODERS[coding](body));
}

const DECODERS: Record<string, (body: Uint8Array) => Uint8Array> = {
  zstd: zlib.zstdDecompressSync,
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
};

/** Measures pages and files of sites with the same build. */
export interface PageScale {
  page(site: Site, on: SurfaceName, html: string): Promise<PageSize>;
  /** Measures a script or style sheet with everything that it imports. */
  files(site: Site, on: SurfaceName, path: string): Promise<PageSize>;
}

/** Returns a scale that reads each script and style sheet once. */
export function createPageScale(): PageScale {
  const known = new Map<string, Promise<{ bytes: number; imports: string[] }>>();

  async function read(site: Site, surface: SurfaceName, path: string) {
    let response = await site.request(surface, path);
    const moved = response.headers.get("location");
    if (moved !== null) response = await site.request(surface, moved);
    const text = await response.text();
    if (!response.ok) throw new Error(`${surface} ${path}: ${response.status}`);
    const base = new URL(path, "http://x");
    const imports = [...text.matchAll(IMPORTED)].map(([, name]) => new URL(name, base))
      .filter(({ host, pathname }) => host === "x" && pathname.endsWith(".js"))
      .map(({ pathname }) => pathname);
    const compressed = base.pathname.endsWith(".css")
      ? zlib.brotliCompressSync(text)
      : zlib.gzipSync(text, { level: 9 });
    return { bytes: compressed.length, imports };
  }

  async function sizesOf(
    site: Site,
    surface: SurfaceName,
    paths: Iterable<string>,
  ): Promise<FileSizes> {
    const all = new Set(paths);
    let bytes = 0;
    for (const path of all) { // imports are added meanwhile
      if (!known.has(path)) known.set(path, read(site, surface, path));
      const file = await known.get(path)!;
      bytes += file.bytes;
      for (const name of path.includes(".css") ? [] : file.imports) all.add(name);
    }
    return { files: all.size, bytes };
  }

  async function page(site: Site, surface: SurfaceName, html: string): Promise<PageSize> {
    const lengthOf = (text: string) => new TextEncoder().encode(text).length;
    const hrefs = (links: RegExp) =>
      [...html.matchAll(links)].map(([tag]) => /href="([^"]+)"/.exec(tag)![1]);
    const scripts = [...html.matchAll(SCRIPT)];
    const sources = scripts.map(([, attributes]) => /\bsrc="([^"]+)"/.exec(attributes)?.[1]);
    const inline = scripts.filter((_, i) => sources[i] === undefined).map(([, , text]) => text);
    const imported = inline.flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name]) => name));
    const own = [...hrefs(PRELOADED), ...sources, ...imported]
      .filter((path) => path !== undefined && path.startsWith("/")) as string[];
    return {
      html: lengthOf(html.replaceAll(QR, "")),
      inline: inline.reduce((sum, text) => sum + lengthOf(text), 0),
      scripts: await sizesOf(site, surface, own),
      styles: await sizesOf(site, surface, hrefs(SHEET)),
    };
  }

  return {
    page,
    async files(site, surface, path) {
      const isStyle = path.endsWith(".css");
      return {
        html: 0,
        inline: 0,
        scripts: await sizesOf(site, surface, isStyle ? [] : [path]),
        styles: await sizesOf(site, surface, isStyle ? [path] : []),
      };
    },
  };
}
