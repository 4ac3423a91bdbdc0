/** The mapping of links to a relay's origin to paths below its secret slug. */
import { Buffer, isUtf8 } from "node:buffer";

/** Rewrites references to the origin into references below the slug. */
export interface References {
  /** Resolves a reference. Returns a path below the slug, or null if it leaves the origin. */
  below(reference: string): string | null;
  /**
   * Rewrites an attribute's text. Changes only its beginning if that suffices, and nothing if it
   * already stays below the slug.
   *
   * @param text one character per byte; entities not decoded
   */
  inPage(text: string): string;
  /** Resolves later references against the value of the page's first `<base href>`. */
  rebase(text: string): void;
}

/** `..` as a segment before the query, in every spelling that `URL` recognises. */
const CLIMBS = /^[^?#]*(?<![^/\\])(?:\.|%2e){2}(?![^/\\?#])/i;

/**
 * Creates the mapping for one response.
 *
 * @param slug the slug in the request, which may be the previous one
 * @param url the URL of the response at the origin
 *
 * @example
 * ```ts
 * const references = createReferences("https://docs.example", slug, "https://docs.example/a/");
 * references.below("../b?c"); // "/<slug>/b?c"
 * references.below("https://elsewhere.example/"); // null
 * ```
 */
export function createReferences(origin: string, slug: string, url: string): References {
  const document = new URL(url);
  let base = document;

  const isAtOrigin = (url: URL) => url.protocol === document.protocol && url.origin === origin;
  // Few responses need it, and compiling it takes time.
  let absolute: RegExp | undefined;
  function below(reference: string): string | null {
    const url = URL.parse(utf8Of(reference), base);
    if (url === null || !isAtOrigin(url)) return null;
    return `/${slug}${url.pathname}${url.search}${url.hash}`;
  }

  return {
    below,
    inPage(text) {
      const reference = text.trimStart();
      // At the origin, `..` stops at the root. Here it would leave the slug.
      if (CLIMBS.test(reference)) return below(reference) ?? text;
      absolute ??= absoluteStart(origin);
      const start = absolute.exec(reference)?.[0];
      if (start !== undefined) {
        const rest = reference.slice(start.length);
        return `/${slug}${/^[/\\]/.test(rest) ? "" : "/"}${rest}`;
      }
      const fromRoot = /^[/\\](?![/\\])/.test(reference);
      return fromRoot && isAtOrigin(base) ? `/${slug}${reference}` : text;
    },
    rebase(text) {
      const url = URL.parse(utf8Of(text.trim()), document);
      if (url !== null && /^https?:$/.test(url.protocol)) base = url;
    },
  };
}

/** Matches the start of an absolute reference to the origin, in every spelling. */
function absoluteStart(origin: string): RegExp {
  const { protocol, hostname, port } = new URL(origin);
  const shownPort = port !== "" ? `:${port}` : protocol === "https:" ? "(?::443)?" : "(?::80)?";
  return new RegExp(
    `^(?:${protocol})?//${RegExp.escape(hostname)}${shownPort}(?=[/\\\\?#]|$)`,
    "i",
  );
}

/** Decodes a string of bytes if they are valid UTF-8. */
function utf8Of(bytes: string): string {
  const buffer = Buffer.from(bytes, "latin1");
  return isUtf8(buffer) ? buffer.toString() : bytes;
}
