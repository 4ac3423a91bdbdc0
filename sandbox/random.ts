/** Numbers from 0 up to 1, the same ones for the same seed. */
export type Random = () => number;

/**
 * A small generator of even numbers for made-up data (Marsaglia's xorshift with 32 bits, started
 * from an FNV-1a hash of the seed). It is no source of secrets.
 */
export function createRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (const char of seed) state = Math.imul(state ^ char.codePointAt(0)!, 0x01000193);
  state = state >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  // Seeds that differ little start close to one another, and part within a few steps.
  for (let i = 0; i < 8; i++) next();
  return next;
}

/** A whole number from `min` to `max`, both included. */
export const between = (random: Random, min: number, max: number): number =>
  min + Math.floor(random() * (max - min + 1));

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)];

export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => between(random, 0, 9)).join("");

/** A UUID of version 4. */
export function uuid(random: Random): string {
  const word = () => Math.floor(random() * 2 ** 32).toString(16).padStart(8, "0");
  const hex = word() + word() + word() + word();
  const variant = "89ab"[parseInt(hex[16], 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${
    hex.slice(17, 20)
  }-${hex.slice(20)}`;
}
