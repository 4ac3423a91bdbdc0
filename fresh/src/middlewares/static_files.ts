import { type Context, internalsOf } from "../context.ts";
import { buildKeyParameter } from "../runtime.ts";
import type { StaticFile } from "../snapshot.ts";
import type { Middleware } from "../types.ts";

const FOR_EVER = "public, max-age=31536000, immutable";

/**
 * Answers with the build's static files and scripts: with `no-cache` and an ETag, or, where the
 * address carries the build's key, as good for a year.
 *
 * @example
 * ```ts
 * app.use(staticFiles());
 * ```
 */
export function staticFiles<State>(): Middleware<State> {
  return (ctx) => {
    const { files } = internalsOf(ctx).snapshot;
    const path = staticPath(ctx.url.pathname, ctx.config.basePath);
    const file = path === null ? undefined : files.get(path);
    return file === undefined ? ctx.next() : answer(ctx, path!, file);
  };
}

async function answer<State>(
  ctx: Context<State>,
  path: string,
  file: StaticFile,
): Promise<Response> {
  const { method } = ctx.req;
  if (method !== "GET" && method !== "HEAD") {
    return new Response("Method Not Allowed", {
      status: 405,
      headers: { allow: "GET, HEAD" },
    });
  }

  const { name, value } = buildKeyParameter();
  const key = ctx.url.searchParams.get(name);
  if (key !== null && key !== value) {
    // Made by another build: lead to what stands there now.
    const url = new URL(ctx.url);
    url.searchParams.delete(name);
    return new Response(null, {
      status: 307,
      headers: { location: url.pathname + url.search },
    });
  }
  const etag = `W/"${file.hash}"`;
  const keyed = key !== null || path.startsWith(`/_fresh/js/${value}/`);
  const headers = new Headers({
    "content-type": file.contentType,
    "cache-control": keyed && ctx.config.mode === "production" ? FOR_EVER : "no-cache",
    etag,
    vary: "If-None-Match",
  });
  const known = ctx.req.headers.get("if-none-match");
  if (known !== null && matches(known, file.hash)) {
    return new Response(null, { status: 304, headers });
  }
  headers.set("accept-ranges", "bytes");
  const range = rangeOf(ctx.req, file.size);
  if (range === null) {
    headers.set("content-length", String(file.size));
    return new Response(method === "HEAD" ? null : await file.read(), { headers });
  }
  const [first, last] = range;
  headers.set("content-range", `bytes ${first > last ? "*" : `${first}-${last}`}/${file.size}`);
  if (first > last) return new Response(null, { status: 416, headers });
  headers.set("content-length", String(last - first + 1));
  return new Response((await file.read()).slice(first, last + 1), { status: 206, headers });
}

function staticPath(pathname: string, basePath: string): string | null {
  if (!pathname.startsWith(basePath)) return null;
  const path = pathname.slice(basePath.length);
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/**
 * The one span of bytes that a GET asks for (RFC 9110 section 14), as players of films do; first
 * behind last where there is none of it. Anything else is null: answered with the whole file.
 */
function rangeOf({ method, headers }: Request, size: number): [first: number, last: number] | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  if (method !== "GET" || first === undefined || first + last === "") return null;
  if (headers.has("if-range") || (last !== "" && first !== "" && +last < +first)) return null;
  if (first === "") return [last === "0" ? size : Math.max(0, size - +last), size - 1];
  return [+first, last === "" ? size - 1 : Math.min(+last, size - 1)];
}

/** RFC 9110 section 13.1.2, weak comparison. */
function matches(ifNoneMatch: string, hash: string): boolean {
  return ifNoneMatch.split(",").some((tag) =>
    tag.trim() === "*" || tag.trim().replace(/^W\//, "") === `"${hash}"` ||
    tag.trim() === hash
  );
}
