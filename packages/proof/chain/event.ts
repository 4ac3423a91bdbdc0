/**
 * The events of a chain: their schemas, and record hashes in texts.
 *
 * @module
 */
import { unmarked } from "../../../lib/base/pasted.ts";
import { EVENT_KINDS, STANDARD_VERSION } from "./kinds.ts";
import * as z from "./zod.ts";

/**
 * Accepts the names in {@link EVENT_KINDS}. The message mentions newer verifiers because a later
 * minor version may add kinds (standard, "Version numbers").
 */
export const eventKindSchema = z.enum(
  EVENT_KINDS.map(({ kind }) => kind),
  `is not one of the ${EVENT_KINDS.length} kinds of version ${STANDARD_VERSION}; a newer verifier ` +
    "may know it",
).meta({
  id: "EventKind",
  open: true,
  description: "What happened. Accept kinds that you do not know: a later version may add some.",
});

const HASH = /^[0-9a-f]{64}$/;

/** A hash: 64 lowercase hexadecimal digits. */
export const hashSchema = z.string().regex(HASH, "expected 64 lowercase hexadecimal digits");

/** Returns a hash as people type and paste it in lower case, without white space and marks around it. */
export const canonicalHash = (text: string): string => unmarked(text).toLowerCase();

/** Returns whether text is a hash as chains contain it: 64 lowercase hexadecimal digits. */
export const isHash = (text: string): boolean => HASH.test(text);

const HASH_IN_TEXT = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/;

/**
 * Returns the record hash in pasted text, which may be in capitals, have a label, be part of a URL,
 * or have spaces between the digits.
 */
export function findHash(text: string): string | undefined {
  const lower = canonicalHash(text.slice(0, 500));
  return (HASH_IN_TEXT.exec(lower) ?? HASH_IN_TEXT.exec(lower.replace(/\s+/g, "")))?.[0];
}

/**
 * A time in UTC with milliseconds, such as `2026-03-01T09:30:00.000Z`: the format of
 * `Date.prototype.toISOString` for the years 0000 to 9999. Each instant has exactly one such text,
 * and therefore one hash.
 */
export const instantSchema = z.iso.datetime({
  precision: 3,
  error: "expected a UTC time such as 2026-03-01T09:30:00.000Z",
});

/**
 * The hashed part of an event. The schema is strict, because a member outside the hash could hold
 * anything, including personal data.
 */
export const chainEventSchema = z.strictObject({
  seq: z.int().min(0),
  kind: eventKindSchema,
  at: instantSchema,
  status: z.literal("ok"),
});

/**
 * `seq`: position in the chain, from 0 without gaps; `kind`: what happened; `at`: when, ISO 8601 in
 * UTC with milliseconds; `status`: always `ok`.
 */
export type ChainEvent = z.infer<typeof chainEventSchema>;

export const linkedEventSchema = chainEventSchema.extend({
  prev: hashSchema,
  hash: hashSchema,
}).meta({
  id: "ChainEvent",
  description: "An event. `prev` is the hash of the event before it, or the record's hash for " +
    "event 0. `hash` is its own hash. `seq` counts from 0 without gaps.",
});

/**
 * A {@link ChainEvent} with `prev`, the hash of the previous event (for event 0, the record's hash),
 * and `hash`, its own. Neither is part of the canonical JSON that is hashed.
 */
export type LinkedEvent = z.infer<typeof linkedEventSchema>;
