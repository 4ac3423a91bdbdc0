/**
 * Returns the 32-bit FNV-1a hash of a text's UTF-16 code units. It is cheap, and anybody can find texts with the
 * same hash, unless the start is secret.
 */
export function fnv1a(text: string, start = 0x811c9dc5): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}
