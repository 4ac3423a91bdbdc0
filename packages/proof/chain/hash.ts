/**
 * The hash of a record, and canonical JSON.
 *
 * @module
 */
import canonicalize from "canonicalize";
import { type Bytes, utf8 } from "../../../lib/base/encoding.ts";
import { sha256, withDomain } from "./event_hash.ts";
import * as z from "./zod.ts";

export { DOMAINS, eventHash, linkEvent, withDomain } from "./event_hash.ts";

const SALT_BYTES = 32;

const recordSchema = z.record(z.string(), z.json());
export type VerifiableRecord = z.infer<typeof recordSchema>;

/**
 * Returns the UTF-8 bytes of a value's canonical JSON (JCS, RFC 8785).
 *
 * @throws {Error} for values that JCS does not cover: NaN, infinities, lone surrogates
 */
export function canonicalBytes(value: z.infer<ReturnType<typeof z.json>>): Bytes {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("The value cannot be written as JSON.");
  return utf8(text);
}

/** Returns a random salt of {@link SALT_BYTES} bytes for a new record. */
export const newSalt = (): Bytes => crypto.getRandomValues(new Uint8Array(SALT_BYTES));

/**
 * Returns the record's hash, a commitment: `SHA-256(domain ‖ salt ‖ JCS(record))`. Without the salt,
 * nobody can test a guess at the record (an email address, say) against the hash, so the salt must
 * be as secret as the record. Its length is fixed so that its end is unambiguous.
 *
 * @throws {Error} for a salt that does not have {@link SALT_BYTES} bytes, and for a record that is
 * not a JSON object or contains text that is not well-formed Unicode
 * @example
 * const hash = await recordHash(newSalt(), { email: "person@example.org" });
 */
export async function recordHash(salt: Uint8Array, record: VerifiableRecord): Promise<string> {
  if (salt.length !== SALT_BYTES) {
    throw new RangeError(`The salt has ${salt.length} bytes instead of ${SALT_BYTES}.`);
  }
  recordSchema.parse(record);
  // Hash the original: the parsed copy would lack a member named __proto__.
  return await sha256(withDomain("record", salt, canonicalBytes(record)));
}
