/** Repeatable random numbers for the invented data of the stand-ins. */
import { fnv1a } from "../lib/base/fnv1a.ts";

/** Returns numbers from 0 up to but not including 1, the same ones for the same seed. */
export type Random = () => number;

/**
 * Creates a small random number generator for made-up data: Marsaglia's 32-bit xorshift, seeded with
 * an FNV-1a hash of the text. Do not use it for secrets.
 */
export function createRandom(seed: string): Random {
  let state = fnv1a(seed) || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  // Similar seeds produce similar first numbers, so these are skipped.
  for (let i = 0; i < 8; i++) next();
  return next;
}

/** Returns a whole number from `min` to `max`, inclusive. */
export const between = (random: Random, min: number, max: number): number =>
  min + Math.floor(random() * (max - min + 1));

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)];

export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => between(random, 0, 9)).join("");

/** Returns a version 4 UUID. */
export function uuid(random: Random): string {
  const word = () => Math.floor(random() * 2 ** 32).toString(16).padStart(8, "0");
  const hex = word() + word() + word() + word();
  const variant = "89ab"[parseInt(hex[16], 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${
    hex.slice(17, 20)
  }-${hex.slice(20)}`;
}
