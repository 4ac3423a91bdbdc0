/**
 * Parses a URL as `URL.parse` does, which browsers lack before Chrome 126, Safari 18 and Firefox 126. Code that also
 * runs in browsers uses this.
 *
 * @returns null for text that is not a URL
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
