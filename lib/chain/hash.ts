import canonicalize from "canonicalize";
import { type Bytes, concatBytes, decodeHex, encodeHex, utf8 } from "../encoding.ts";
import { type ChainEvent, hashSchema, type LinkedEvent } from "./event.ts";
import * as z from "./zod.ts";

/**
 * The prefix of each kind of hashed input, followed by a zero byte, so that a record, an event and a
 * head cannot be mistaken for each other (standard, "The event chain"). The `1` is the standard's
 * major version.
 */
export const DOMAINS = {
  record: "verifiable-records/1/record",
  event: "verifiable-records/1/event",
  head: "verifiable-records/1/head",
} as const;

const SALT_BYTES = 32;

const recordSchema = z.record(z.string(), z.json());
export type VerifiableRecord = z.infer<typeof recordSchema>;

/** Returns the bytes to hash or sign: `domain ‖ 0x00 ‖ parts…`. */
export const withDomain = (domain: keyof typeof DOMAINS, ...parts: Uint8Array[]): Bytes =>
  concatBytes([utf8(`${DOMAINS[domain]}\0`), ...parts]);

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

const sha256 = async (bytes: Bytes): Promise<string> =>
  encodeHex(await crypto.subtle.digest("SHA-256", bytes));

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

/**
 * Returns the hash of one event: `SHA-256(domain ‖ prev ‖ JCS(event))`, with `prev` as its 32 raw
 * bytes. Only the members of {@link ChainEvent} are hashed.
 *
 * @param prev the hash of the previous event, or the record's hash for event 0
 */
export async function eventHash(
  prev: string,
  { seq, kind, at, status }: ChainEvent,
): Promise<string> {
  const link = decodeHex(hashSchema.parse(prev));
  return await sha256(withDomain("event", link, canonicalBytes({ seq, kind, at, status })));
}

/** Returns the event with its links. For `prev`, see {@link eventHash}. */
export async function linkEvent(
  prev: string,
  { seq, kind, at, status }: ChainEvent,
): Promise<LinkedEvent> {
  const event = { seq, kind, at, status };
  return { ...event, prev, hash: await eventHash(prev, event) };
}
