import { Buffer, isUtf8 } from "node:buffer";

/** Turns references to the origin into references below the slug. */
export interface References {
  /**
   * What stands for a resolved address: a path below the slug, or null where it is no address of
   * the origin.
   */
  below(reference: string): string | null;
  /**
   * The same for an attribute's text as it stands in the page, which is kept byte for byte where
   * only its beginning must change, and as a whole where it stays below the slug as it is.
   *
   * @param text each character one byte; entities not decoded
   */
  inPage(text: string): string;
  /** What the first `<base href>` of a page says: from here on, references are relative to that. */
  rebase(text: string): void;
}

/** `..` as a whole segment, in every spelling that `URL` knows, before the query. */
const CLIMBS = /^[^?#]*(?<![^/\\])(?:\.|%2e){2}(?![^/\\?#])/i;

/**
 * Makes the mapping for one answer.
 *
 * @param origin the relay's origin
 * @param slug the one by which the caller came: the previous one stays in use as long as it lives
 * @param document where the answer comes from, at the origin
 *
 * @example
 * ```ts
 * const references = createReferences("https://docs.example", slug, new URL("https://docs.example/a/"));
 * references.below("../b?c"); // "/<slug>/b?c"
 * references.below("https://elsewhere.example/"); // null
 * ```
 */
export function createReferences(origin: string, slug: string, document: URL): References {
  const { protocol, hostname, port } = new URL(origin);
  const shownPort = port !== "" ? `:${port}` : protocol === "https:" ? "(?::443)?" : "(?::80)?";
  const absolute = new RegExp(
    `^(?:${protocol})?//${RegExp.escape(hostname)}${shownPort}(?=[/\\\\?#]|$)`,
    "i",
  );
  let base = document;

  const isAtOrigin = (url: URL) => url.protocol === protocol && url.origin === origin;
  function below(reference: string): string | null {
    const url = URL.parse(utf8Of(reference), base);
    if (url === null || !isAtOrigin(url)) return null;
    return `/${slug}${url.pathname}${url.search}${url.hash}`;
  }

  return {
    below,
    inPage(text) {
      const reference = text.trimStart();
      // At the origin `..` ends at the root; here it would go on, over the slug.
      if (CLIMBS.test(reference)) return below(reference) ?? text;
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

/** Bytes as characters become what they say in UTF-8, where they are that. */
function utf8Of(bytes: string): string {
  const buffer = Buffer.from(bytes, "latin1");
  return isUtf8(buffer) ? buffer.toString() : bytes;
}
