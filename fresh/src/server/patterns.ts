/** Returns the parameters of a path by name, or null when the path doesn't match. */
export type Matcher = (pathname: string) => Record<string, string> | null;

const TOKEN = /\{\/:(\w+)\}\?|\/:(\w+)\*|:(\w+)|(?:(?!\/:\w+\*)[^{}:*+?()\\])+/gy;

/** Returns whether a pattern contains parameters. */
export function isDynamic(pattern: string): boolean {
  return /[{}:*+?()\\]/.test(pattern);
}

/**
 * Compiles the part of URLPattern's syntax that file routes need: `/books/:id`, an optional
 * `/list{/:page}?`, and any number of segments `/files/:path*`.
 *
 * @throws {SyntaxError} for any other syntax
 */
export function compilePattern(pattern: string): Matcher {
  const names: string[] = [];
  let source = "";
  let end = 0;
  for (const [text, optional, rest, name] of pattern.matchAll(TOKEN)) {
    end += text.length;
    const parameter = optional ?? rest ?? name;
    if (parameter !== undefined) names.push(parameter);
    if (optional !== undefined) source += "(?:/([^/]+?))?";
    else if (rest !== undefined) source += "(?:/([^/]+(?:/[^/]+)*))?";
    else if (name !== undefined) source += "([^/]+?)";
    else source += text.replace(/[.^$|[\]]/g, "\\$&");
  }
  if (end !== pattern.length) throw new SyntaxError(`Invalid route pattern: "${pattern}"`);

  const regexp = new RegExp(`^${source}$`);
  return (pathname) => {
    const match = regexp.exec(pathname);
    if (match === null) return null;
    const params: Record<string, string> = Object.create(null);
    for (let i = 0; i < names.length; i++) params[names[i]] = decode(match[i + 1] ?? "");
    return params;
  };
}

/** Decodes percent-encoded text; returns it unchanged when the encoding is invalid. */
export function decode(text: string, decodeWith = decodeURI): string {
  if (!text.includes("%")) return text;
  try {
    return decodeWith(text);
  } catch {
    return text;
  }
}

/**
 * Returns the URL pattern of a file below `routes/`, given without its extension.
 *
 * @example
 * ```ts
 * fileToPattern("blog/[slug]"); // "/blog/:slug"
 * fileToPattern("list/[[page]]"); // "/list{/:page}?"
 * fileToPattern("files/[...path]"); // "/files/:path*"
 * ```
 * @throws {SyntaxError} for names that are not supported, such as `(group)`
 */
export function fileToPattern(file: string): string {
  const parts = file.split("/");
  if (parts.at(-1) === "index") parts.pop();
  const pattern = parts.map((part) => {
    if (!/[[\]()]/.test(part)) return "/" + part;
    const optional = /^\[\[(\w+)\]\]$/.exec(part);
    if (optional !== null) return `{/:${optional[1]}}?`;
    const rest = /^\[\.\.\.(\w+)\]$/.exec(part);
    if (rest !== null) return `/:${rest[1]}*`;
    const named = part.replaceAll(/\[(\w+)\]/g, ":$1");
    if (part.includes("][") || /[[\]()]/.test(named)) {
      throw new SyntaxError(`Invalid route file name: "${file}"`);
    }
    return "/" + named;
  }).join("");
  return pattern === "" ? "/" : pattern;
}
