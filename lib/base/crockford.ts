import { unmarked } from "./pasted.ts";

/** The digits of Crockford's base32: 0 to 9 and the letters without the look-alikes I, L, O and U. */
export const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Returns what a person meant by typed digits: in any case, grouped with spaces or hyphens, with `O` for 0 and
 * `I` or `L` for 1. Other characters stay.
 *
 * @example
 * ```ts
 * readDigits("7k3m-9q2x-b4tw-Ozra"); // "7K3M9Q2XB4TW0ZRA"
 * ```
 */
export const readDigits = (typed: string): string =>
  unmarked(typed).toUpperCase().replace(/[\s\p{Pd}]/gu, "").replaceAll("O", "0")
    .replace(/[IL]/g, "1");
