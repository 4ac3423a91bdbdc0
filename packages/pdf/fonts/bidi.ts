import bidiFactory from "bidi-js";

// Its types are those of an ES module, but Node's resolution finds the CommonJS one.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** Returns the level of each UTF-16 unit of a line (UAX 9). Odd ones are written from right to left. */
export const levelsOf = (text: string, rtl: boolean): Uint8Array =>
  bidi.getEmbeddingLevels(text, rtl ? "rtl" : "ltr").levels;

/** Returns the character as which one looks from right to left: `(` is `)`. */
export const mirrored = (character: string): string =>
  bidi.getMirroredCharacter(character) ?? character;

/** Returns the parts of a line from left to right (rule L2 of UAX 9). */
export function inVisualOrder<T extends { level: number }>(parts: readonly T[]): T[] {
  const ordered = [...parts];
  const highest = Math.max(0, ...parts.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    for (let i = 0; i < ordered.length; i++) {
      let end = i;
      while (end < ordered.length && ordered[end].level >= level) end++;
      if (end > i + 1) ordered.splice(i, end - i, ...ordered.slice(i, end).reverse());
      i = Math.max(i, end - 1);
    }
  }
  return ordered;
}
