/**
 * The hashes of events, without the schema library and a general canonical JSON, so that the contact
 * module for other pages stays small.
 *
 * @module
 */
import { type Bytes, concatBytes, decodeHex, encodeHex, utf8 } from "../../../lib/base/bytes.ts";
import type { ChainEvent, LinkedEvent } from "./event.ts";

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

/** Returns the bytes to hash or sign: `domain ‖ 0x00 ‖ parts…`. */
export const withDomain = (domain: keyof typeof DOMAINS, ...parts: Uint8Array[]): Bytes =>
  concatBytes([utf8(`${DOMAINS[domain]}\0`), ...parts]);

export const sha256 = async (bytes: Bytes): Promise<string> =>
  encodeHex(await crypto.subtle.digest("SHA-256", bytes));

/**
 * Returns the hash of one event: `SHA-256(domain ‖ prev ‖ JCS(event))`, with `prev` as its 32 raw
 * bytes. Only the members of {@link ChainEvent} are hashed.
 *
 * @param prev the hash of the previous event, or the record's hash for event 0
 * @throws {TypeError} (rejects) if `prev` is not a hash
 */
export async function eventHash(
  prev: string,
  { seq, kind, at, status }: ChainEvent,
): Promise<string> {
  if (!/^[0-9a-f]{64}$/.test(prev)) throw new TypeError("The previous hash is not a hash.");
  // Members in alphabetical order, and values of these types, make this canonical JSON (RFC 8785).
  const canonical = JSON.stringify({ at, kind, seq, status });
  return await sha256(withDomain("event", decodeHex(prev), utf8(canonical)));
}

/** Returns the event with its links. For `prev`, see {@link eventHash}. */
export async function linkEvent(
  prev: string,
  { seq, kind, at, status }: ChainEvent,
): Promise<LinkedEvent> {
  const event = { seq, kind, at, status };
  return { ...event, prev, hash: await eventHash(prev, event) };
}
