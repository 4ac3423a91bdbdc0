import canonicalize from "canonicalize";
import * as z from "./zod.ts";
import { type Bytes, concat, fromHex, toHex, utf8 } from "./bytes.ts";
import { type ChainEvent, hashSchema, type LinkedEvent } from "./event.ts";

/**
 * What stands before the bytes of each kind of input, ended by a zero byte, so
 * that no record, event or head can be mistaken for another (standard,
 * "The event chain"). The `1` is the standard's major version.
 */
export const DOMAINS = {
  record: "verifiable-records/1/record",
  event: "verifiable-records/1/event",
  head: "verifiable-records/1/head",
} as const;

/** The length of a record's salt, in bytes. */
export const SALT_BYTES = 32;

/** A record: any JSON object. Its members are for the publisher to choose. */
export const recordSchema = z.record(z.string(), z.json());
export type VerifiableRecord = z.infer<typeof recordSchema>;

/**
 * `domain ‖ 0x00 ‖ parts…`: the bytes that are hashed or signed.
 *
 * @param domain which kind of input this is
 * @param parts what follows, already in bytes
 */
export const separated = (
  domain: keyof typeof DOMAINS,
  ...parts: Uint8Array[]
): Bytes => concat(utf8(`${DOMAINS[domain]}\0`), ...parts);

/**
 * The UTF-8 bytes of a value's canonical JSON (JCS, RFC 8785).
 *
 * @throws {Error} where JCS has no form: NaN, infinities, lone surrogates
 */
export function canonicalBytes(value: z.infer<ReturnType<typeof z.json>>) {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("The value has no JSON form.");
  return utf8(text);
}

const sha256 = async (bytes: Bytes): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

/** A fresh random salt for {@link recordHash}. */
export const newSalt = (): Bytes => crypto.getRandomValues(new Uint8Array(SALT_BYTES));

/**
 * The record's hash, a commitment: `SHA-256(domain ‖ salt ‖ JCS(record))`. The
 * salt keeps a guess at the record (an email address, say) from being tried
 * against the hash, so it stays as secret as the record. Its length is fixed,
 * so that where it ends is never in doubt.
 *
 * @param salt {@link SALT_BYTES} random bytes
 * @param record a JSON object
 * @returns 64 lowercase hexadecimal digits
 * @throws {RangeError} when the salt has another length
 * @throws {Error} when the record is not a JSON object (a `ZodError`), or holds
 * text that is not well-formed Unicode
 * @example
 * const hash = await recordHash(newSalt(), { email: "person@example.org" });
 */
export async function recordHash(
  salt: Uint8Array,
  record: VerifiableRecord,
): Promise<string> {
  if (salt.length !== SALT_BYTES) {
    throw new RangeError(`A salt has ${SALT_BYTES} bytes, not ${salt.length}.`);
  }
  recordSchema.parse(record);
  // The parsed copy would lack a member named __proto__; the original has it.
  return await sha256(separated("record", salt, canonicalBytes(record)));
}

/**
 * The hash of one event: `SHA-256(domain ‖ prev ‖ JCS(event))`, with `prev` as
 * its 32 raw bytes. Only the four members of {@link ChainEvent} are hashed.
 *
 * @param prev the hash of the event before, or the record's hash for event 0
 * @param event the event, already valid
 * @returns 64 lowercase hexadecimal digits
 */
export async function eventHash(
  prev: string,
  { seq, kind, at, status }: ChainEvent,
): Promise<string> {
  const link = fromHex(hashSchema.parse(prev));
  return await sha256(
    separated("event", link, canonicalBytes({ seq, kind, at, status })),
  );
}

/**
 * The event with its links, ready to be stored.
 *
 * @param prev the hash of the event before, or the record's hash for event 0
 */
export const linkEvent = async (
  prev: string,
  { seq, kind, at, status }: ChainEvent,
): Promise<LinkedEvent> => {
  const event = { seq, kind, at, status };
  return { ...event, prev, hash: await eventHash(prev, event) };
};
