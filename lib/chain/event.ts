import * as z from "./zod.ts";
import { eventKindSchema } from "./kinds.ts";

/** A SHA-256 hash as text: 64 lowercase hexadecimal digits. */
export const hashSchema = z.string().regex(
  /^[0-9a-f]{64}$/,
  "expected 64 lowercase hexadecimal digits",
);

/**
 * A moment in UTC with milliseconds, in the one form that
 * `Date.prototype.toISOString` gives for the years 0000 to 9999, such as
 * `2026-03-01T09:30:00.000Z`. One form for each moment, so that a moment has
 * one hash.
 */
export const instantSchema = z.iso.datetime({
  precision: 3,
  error: "expected a UTC time such as 2026-03-01T09:30:00.000Z",
});

/**
 * One event as it is hashed. The object is strict: a member that the hash did
 * not cover could carry anything, personal data included.
 */
export const chainEventSchema = z.strictObject({
  seq: z.int().min(0),
  kind: eventKindSchema,
  at: instantSchema,
  status: z.literal("ok"),
});

/**
 * `seq`: its place in the chain, an integer from 0 without gaps; `kind`: what
 * happened; `at`: when, ISO 8601 UTC with milliseconds; `status`: always `ok`.
 */
export type ChainEvent = z.infer<typeof chainEventSchema>;

/** One event with its links, as it is stored and published. */
export const linkedEventSchema = chainEventSchema.extend({
  prev: hashSchema,
  hash: hashSchema,
});

/**
 * A {@link ChainEvent} with `prev`, the hash of the event before it (event 0:
 * the record's hash), and `hash`, its own. Both stand outside the bytes that
 * are canonicalised.
 */
export type LinkedEvent = z.infer<typeof linkedEventSchema>;
