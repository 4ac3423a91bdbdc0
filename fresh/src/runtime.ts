export { Head } from "./client/head.ts";

/** The query parameter that carries the build key. */
export const KEY_PARAMETER = "__frsh_c";

// In the scripts for the browser, the build replaces this text with the key.
let buildKey = "__FRSH_BUILD_KEY__";

/** Sets the build key that {@linkcode asset} uses. Internal: called when an app starts, and whenever it renders a page. */
export function setBuildKey(key: string): void {
  buildKey = key;
}

/**
 * Returns the URL of a static file with the build key, so that browsers may cache it for a year.
 * Returns URLs of other hosts and relative URLs unchanged.
 */
export function asset(path: string): string {
  return assetWithKey(path, buildKey);
}

/** Returns the URL of a static file in another build. Internal: the build uses it in stylesheets. */
export function assetWithKey(path: string, key: string): string {
  if (!path.startsWith("/") || path.startsWith("//") || path.includes(KEY_PARAMETER)) return path;
  const [, file, query, fragment] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(path)!;
  const search = query === undefined || query === "?" ? "?" : query + "&";
  return `${file}${search}${KEY_PARAMETER}=${key}${fragment ?? ""}`;
}
