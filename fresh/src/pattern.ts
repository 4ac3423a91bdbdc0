/**
 * Route patterns: `/books/:id`, `/files/:path*`, `/list{/:page}?`, `/api/*`, `/:id(\\d+)`,
 * the subset of URLPattern's pathname syntax that routes are written in.
 */

const TOKEN = /\{|\}[?*+]?|:(\w+)(\((?:\\.|[^\\()])*\))?([?*+]?)|\*|[^{}:*()]+/g;

/** True when the pattern needs more than an equality to match. */
export function isDynamic(pattern: string): boolean {
  return /[*:{}+?()]/.test(pattern);
}

/** A compiled dynamic pattern: the parameters by name, or null where the path does not match. */
export type Matcher = (pathname: string) => Record<string, string> | null;

/**
 * Compiles a dynamic pattern.
 *
 * @throws {SyntaxError} on a pattern that is not understood
 */
export function compilePattern(pattern: string): Matcher {
  const names: string[] = [];
  let source = "";
  let wildcards = 0;
  let consumed = 0;
  for (const token of pattern.matchAll(TOKEN)) {
    consumed += token[0].length;
    const [text, name, custom, modifier] = token;
    if (name !== undefined) {
      names.push(name);
      // A parameter after a slash takes the slash with it, so that an optional one may be absent.
      const slash = modifier !== "" && source.endsWith("\\/");
      if (slash) source = source.slice(0, -2);
      const one = custom === undefined ? "[^\\/]+?" : custom.slice(1, -1);
      const many = modifier === "*" || modifier === "+";
      const group = many ? `((?:${one})(?:\\/(?:${one}))*?)` : `(${one})`;
      const whole = slash ? `(?:\\/${group})` : group;
      source += modifier === "?" || modifier === "*" ? `(?:${whole})?` : whole;
    } else if (text === "*") {
      names.push(String(wildcards++));
      source += "(.*)";
    } else if (text === "{") {
      source += "(?:";
    } else if (text.startsWith("}")) {
      source += ")" + text.slice(1);
    } else {
      source += text.replace(/[.+?^$()|[\]\\/]/g, "\\$&");
    }
  }
  if (consumed !== pattern.length) {
    throw new SyntaxError(`Invalid route pattern: "${pattern}"`);
  }

  const regexp = new RegExp(`^${source}$`);
  return (pathname) => {
    const match = regexp.exec(pathname);
    if (match === null) return null;
    const params: Record<string, string> = Object.create(null);
    for (let i = 0; i < names.length; i++) {
      params[names[i]] = decode(match[i + 1] ?? "");
    }
    return params;
  };
}

/** Percent-decoded, or as it came where the encoding is broken: a bad link is not our failure. */
function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

/**
 * The URL pattern of a file below `routes/`, given without its extension.
 *
 * @example
 * ```ts
 * fileToPattern("blog/(public)/[slug]"); // "/blog/:slug"
 * fileToPattern("docs/[...path]"); // "/docs/:path*"
 * ```
 */
export function fileToPattern(file: string): string {
  const parts = file.split("/").filter((part) => !/^\(.*\)$/.test(part));
  if (parts.at(-1) === "index") parts.pop();
  const pattern = parts.map((part) => {
    if (part.includes("][")) {
      throw new SyntaxError(
        `Two parameters need something between them: "${file}"`,
      );
    }
    const rest = /^\[\.\.\.(\w+)\]$/.exec(part);
    if (rest !== null) return `/:${rest[1]}*`;
    const optional = /^\[\[(\w+)\]\]$/.exec(part);
    if (optional !== null) return `{/:${optional[1]}}?`;
    const named = part.replaceAll(/\[(\w+)\]/g, ":$1");
    if (/[[\]]/.test(named)) {
      throw new SyntaxError(`Invalid route file name: "${file}"`);
    }
    return "/" + named;
  }).join("");
  return pattern === "" ? "/" : pattern;
}

/** Joins a base path and a pattern; `*` stands for everything below the base. */
export function joinPattern(base: string, pattern: string): string {
  const prefix = base.replace(/\/?\*?$/, "");
  if (pattern === "*" || pattern === "/*") return prefix + "/*";
  if (pattern === "/") return prefix === "" ? "/" : prefix;
  return prefix + (pattern.startsWith("/") ? pattern : "/" + pattern);
}
