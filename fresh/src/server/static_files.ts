/** The middleware for static files, with caching, conditional requests and ranges. */
import type { Assets, StaticFile } from "../assets.ts";
import { KEY_PARAMETER } from "../runtime.ts";
import { type Context, internalsOf } from "./context.ts";
import type { Middleware } from "./define.ts";
import { decode } from "./patterns.ts";

/**
 * Serves the build's static files and scripts with `no-cache` and an ETag, or as immutable for a
 * year when the URL contains the build key.
 */
export function staticFiles<State>(): Middleware<State> {
  return (ctx) => {
    const { assets } = internalsOf(ctx);
    const path = decode(ctx.url.pathname.replace(/\/$/, ""), decodeURIComponent);
    const file = assets.files.get(path);
    if (file !== undefined) return serveFile(ctx, path, file, assets);
    // Many clients ask for this file, and a page is too long a response.
    return path === "/favicon.ico" ? new Response(null, { status: 404 }) : ctx.next();
  };
}

async function serveFile<State>(
  ctx: Context<State>,
  path: string,
  file: StaticFile,
  assets: Assets,
): Promise<Response> {
  const { req, url } = ctx;
  if (req.method !== "GET" && req.method !== "HEAD") {
    const headers = { allow: "GET, HEAD" };
    return new Response("Method Not Allowed", { status: 405, headers });
  }

  const key = url.searchParams.get(KEY_PARAMETER);
  if (key !== null && key !== assets.key) {
    // From another build: redirect to the file's current version.
    const current = new URL(url);
    current.searchParams.delete(KEY_PARAMETER);
    return ctx.redirect(current.pathname + current.search, 307);
  }
  const immutable = (key !== null || path.startsWith(`/_fresh/js/${assets.key}/`)) &&
    assets.mode === "production";
  const headers = new Headers({
    "content-type": file.contentType,
    "cache-control": immutable ? "public, max-age=31536000, immutable" : "no-cache",
    etag: `W/"${file.hash}"`,
    vary: "If-None-Match",
  });
  const ifNoneMatch = req.headers.get("if-none-match");
  if (ifNoneMatch !== null && matches(ifNoneMatch, file.hash)) {
    return new Response(null, { status: 304, headers });
  }
  headers.set("accept-ranges", "bytes");
  const range = rangeOf(req, file.size);
  if (range === null) {
    headers.set("content-length", String(file.size));
    return new Response(req.method === "HEAD" ? null : await file.read(), { headers });
  }
  const [first, last] = range;
  headers.set("content-range", `bytes ${first > last ? "*" : `${first}-${last}`}/${file.size}`);
  if (first > last) return new Response(null, { status: 416, headers });
  headers.set("content-length", String(last - first + 1));
  return new Response((await file.read()).slice(first, last + 1), { status: 206, headers });
}

/**
 * Returns the single byte range that a GET asks for (RFC 9110 section 14), which media players
 * use. `first` is greater than `last` when the file has no such bytes. Returns null for anything
 * else, such as several ranges; the response is then the whole file.
 */
function rangeOf({ method, headers }: Request, size: number): [first: number, last: number] | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  if (method !== "GET" || first === undefined || first + last === "") return null;
  if (headers.has("if-range") || (last !== "" && first !== "" && +last < +first)) return null;
  if (first === "") return [last === "0" ? size : Math.max(0, size - +last), size - 1];
  return [+first, last === "" ? size - 1 : Math.min(+last, size - 1)];
}

/** Compares ETags weakly (RFC 9110 section 13.1.2). */
function matches(ifNoneMatch: string, hash: string): boolean {
  if (ifNoneMatch.length > 4_096) return false; // splitting it would take long
  return ifNoneMatch.split(",").some((tag) =>
    tag.trim() === "*" || tag.trim().replace(/^W\//, "") === `"${hash}"` || tag.trim() === hash
  );
}
