/**
 * The files of pdf.js, served from its npm package.
 *
 * @module
 */
import { type Coding, codingFor, CODINGS, compress } from "../../../platform/http/compression.ts";

/** The files of pdf.js that browsers load, by their folder in the package. */
const FILES: [folder: string, name: RegExp][] = [
  ["legacy/build", /^pdf(\.worker)?\.min\.mjs$/],
  ["cmaps", /^[\w-]+\.bcmap$/],
  ["standard_fonts", /^[\w-]+\.(pfb|ttf)$/],
  ["iccs", /^[\w-]+\.icc$/],
  // Decoders of images without WebAssembly, which the page's policy forbids.
  ["wasm", /^[\w-]+_nowasm_fallback\.js$/],
];

const TYPES: Record<string, string> = {
  mjs: "text/javascript; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

/** The policy of these files, which applies within the worker: it loads only our scripts. */
export const PDFJS_POLICY = "default-src 'none'; script-src 'self'; frame-ancestors 'none'";

/** Serves pdf.js from the npm package, so that the build need not copy it. */
export interface PdfJs {
  /** Returns the path of its files, without a slash at the end. It contains the version. */
  path(): Promise<string>;
  /** Returns one of its files; null if there is none. */
  serve(request: Request, version: string, name: string): Promise<Response | null>;
}

/** Creates the server of pdf.js. Its files are read and compressed when they are first requested. */
export function createPdfJs(): PdfJs {
  const root = new URL("../", import.meta.resolve("pdfjs-dist"));
  const cache = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  let listed: Promise<{ version: string; files: Map<string, URL> }> | undefined;

  async function list() {
    const { version } = JSON.parse(await Deno.readTextFile(new URL("package.json", root)));
    const files = new Map<string, URL>();
    for (const [folder, pattern] of FILES) {
      const url = new URL(`${folder}/`, root);
      for await (const { name } of Deno.readDir(url)) {
        if (pattern.test(name)) files.set(name, new URL(name, url));
      }
    }
    return { version: String(version), files };
  }

  /** The scripts are compressed once; together they take about 2 MB of memory. */
  function read(name: string, url: URL, coding: Coding | null): Promise<Uint8Array<ArrayBuffer>> {
    if (coding === null) return Deno.readFile(url);
    const key = `${coding} ${name}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const compressed = Deno.readFile(url).then((bytes) => compress(bytes, coding, "fast"));
    cache.set(key, compressed);
    compressed.catch(() => cache.delete(key));
    return compressed;
  }

  const once = () => listed ??= list();
  return {
    path: async () => `/pdfjs/${(await once()).version}`,
    async serve(request, version, name) {
      const known = await once();
      const url = version === known.version ? known.files.get(name) : undefined;
      if (url === undefined) return null;
      const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
      const coding = type === undefined ? null : codingFor(request, CODINGS);
      const bytes = await read(name, url, coding);
      return new Response(request.method === "HEAD" ? null : bytes, {
        headers: {
          "content-type": type ?? "application/octet-stream",
          "content-length": String(bytes.length),
          "cache-control": "public, max-age=31536000, immutable",
          "vary": "Accept-Encoding",
          ...coding === null ? {} : { "content-encoding": coding },
        },
      });
    },
  };
}
