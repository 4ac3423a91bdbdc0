import type { ComponentChildren } from "preact";

/** True in the browser, false on the server. */
export const IS_BROWSER: boolean = typeof document !== "undefined";

export { HttpError } from "./error.ts";

const CACHE_KEY = "__frsh_c";

// In the browser's bundle the build writes the key in here.
let buildKey = "__FRSH_BUILD_KEY__";
let base = "__FRSH_BASE_PATH__";

/** Told once, by the app whose handler is made; not for the site. */
export function setBuildKey(key: string, basePath: string): void {
  buildKey = key;
  base = basePath;
}

/** The name of the query parameter and the value that mark an address as good for ever. */
export function buildKeyParameter(): { name: string; value: string } {
  return { name: CACHE_KEY, value: buildKey };
}

/**
 * The address of a static file, marked with the build's key so that browsers may keep it for a
 * year. Addresses on other hosts stay as they are.
 *
 * @example
 * ```tsx
 * <link rel="stylesheet" href={asset("/styles.css")} />
 * ```
 */
export function asset(path: string): string {
  if (
    !path.startsWith("/") || path.startsWith("//") || path.includes(CACHE_KEY)
  ) return path;
  const [, file, query, fragment] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(path)!;
  const below = base !== "" && !file.startsWith(base + "/") ? base + file : file;
  const search = query === undefined || query === "?" ? "?" : query + "&";
  return `${below}${search}${CACHE_KEY}=${buildKey}${fragment ?? ""}`;
}

/** Applies {@linkcode asset} to each address of a `srcset`. */
export function assetSrcSet(srcset: string): string {
  return srcset.split(",").map((candidate) =>
    candidate.replace(/^(\s*)(\S+)/, (_, space, path) => space + asset(path))
  ).join(",");
}

export interface HeadProps {
  children?: ComponentChildren;
}

/** Puts its children into the document's head, while the server renders the page. */
export function Head(_props: HeadProps): ComponentChildren {
  return null;
}
