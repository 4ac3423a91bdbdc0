/** Rendered HTML by key, within a limit of memory. The least recently used is dropped first. */
export interface HtmlCache {
  /** Returns the stored HTML, or renders and stores it. */
  get(key: string, render: () => string): string;
  /** The length of everything that is stored, in characters. */
  readonly size: number;
}

/**
 * @param limit the maximum number of characters, of keys and HTML together
 *
 * @example
 * ```ts
 * const html = cache.get(url, () => renderToString(<List />));
 * ```
 */
export function createHtmlCache({ limit }: { limit: number }): HtmlCache {
  // A map's iteration starts with the oldest entry.
  const stored = new Map<string, string>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    get(key, render) {
      const known = stored.get(key);
      if (known !== undefined) {
        stored.delete(key);
        stored.set(key, known);
        return known;
      }
      const html = render();
      stored.set(key, html);
      size += key.length + html.length;
      for (const [oldest, text] of stored) {
        if (size <= limit) break;
        stored.delete(oldest);
        size -= oldest.length + text.length;
      }
      return html;
    },
  };
}
