import { z } from "zod";

/**
 * Returns a schema for a whole number written in decimal digits, as in query strings and
 * environment variables. It rejects signs, spaces, exponents and more than 15 digits.
 *
 * @param message describes a valid value, such as `a number from 1 to 100`
 *
 * @example
 * ```ts
 * const limit = integer(1, 100, "a number from 1 to 100").default(20);
 * ```
 */
export const integer = (min: number, max: number, message: string) =>
  z.string(message).regex(/^\d{1,15}$/, message).transform(Number)
    .pipe(z.number().min(min, message).max(max, message));
