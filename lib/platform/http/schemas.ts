import { z } from "zod";

/**
 * Returns a schema for a whole number written in decimal digits, as in query strings and
 * environment variables. It rejects spaces, exponents, more than 15 digits, and signs unless `min` is
 * negative.
 *
 * @param message describes a valid value, such as `a number from 1 to 100`
 */
export const integer = (min: number, max: number, message: string) =>
  z.string(message).regex(min < 0 ? /^-?\d{1,15}$/ : /^\d{1,15}$/, message).transform(Number)
    .pipe(z.int(message).min(min, message).max(max, message));

/** The body of every JSON error. */
export const problemSchema = z.object({
  error: z.string().describe("A stable code."),
  message: z.string().describe("For people. It may change."),
  issues: z.record(z.string(), z.string()).meta({
    id: "Issues",
    description: "The problem of each invalid field or parameter, by its name.",
  }).optional(),
});
