/**
 * The entries of the log (standard, "Transparency log"): what each of them says, as a slot and a
 * commitment.
 *
 * The slot names the statement, so that two commitments for one slot prove a fork to anybody. Without the
 * record's hash nobody can link or guess slots. The commitment has a salt, so that nobody who has only the
 * record's hash can test a guess at an event.
 *
 * @module
 */
import { type Bytes, concatBytes, decodeHex, utf8 } from "../../../lib/base/bytes.ts";
import { canonicalBytes, type KeySet } from "../chain/mod.ts";
import { sha256Bytes } from "./merkle.ts";

/** A slot, a commitment: together 64 bytes. */
export interface LogEntry {
  slot: Bytes;
  commitment: Bytes;
}

/** The length of each entry. */
export const ENTRY_BYTES = 64;

const DOMAINS = {
  slot: "log-slot",
  entry: "log-entry",
  documentSlot: "log-document-slot",
  document: "log-document",
  keysSlot: "log-keys-slot",
  keys: "log-keys",
  completeSlot: "log-complete-slot",
  complete: "log-complete",
} as const;

const bytesOf = (domain: keyof typeof DOMAINS, ...parts: Uint8Array[]): Bytes =>
  concatBytes([utf8(`verifiable-records/1/${DOMAINS[domain]}\0`), ...parts]);

const hashOf = (...input: Parameters<typeof bytesOf>): Bytes => sha256Bytes(bytesOf(...input));

/** Returns a number from 1 as 8 bytes, big-endian. */
function u64(n: number): Bytes {
  if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`${n} is not a whole number from 1.`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n));
  return bytes;
}

/** The length of a `log_salt`. */
export const SALT_BYTES = 32;

/** Returns a new `log_salt` for a chain or a document. */
export const newLogSalt = (): Bytes => crypto.getRandomValues(new Uint8Array(SALT_BYTES));

/** Returns the slot of a record's chain at a size. */
export const eventSlot = (record: string, size: number): Bytes =>
  hashOf("slot", decodeHex(record), u64(size));

/** A chain at one of its sizes. */
interface ChainSize {
  /** The record's hash, in hexadecimal digits. */
  record: string;
  /** The number of events. */
  size: number;
  /** The hash of the event with `seq` `size − 1`, in hexadecimal digits. */
  tip: string;
  /** The chain's `log_salt`. */
  salt: Uint8Array;
}

/** Returns the bytes whose hash is the commitment to a chain at one of its sizes. The last 32 are the tip. */
export const eventCommitmentBytes = ({ record, size, tip, salt }: ChainSize): Bytes =>
  bytesOf("entry", fixed(salt), decodeHex(record), u64(size), fixed(decodeHex(tip)));

/** Returns the entry of a chain at one of its sizes. */
export const eventEntry = (chain: ChainSize): LogEntry => ({
  slot: eventSlot(chain.record, chain.size),
  commitment: sha256Bytes(eventCommitmentBytes(chain)),
});

/** One statement about a document. */
export interface DocumentStatement {
  /** The canonical id, without hyphens. */
  id: string;
  /** The number of the statement, from 1. */
  n: number;
  version: number;
  state: "registered" | "withdrawn";
  /** SHA-256 of the original's bytes, in hexadecimal digits. */
  original: string;
  /** SHA-256 of the issued copy's bytes; null if there is none. */
  issued: string | null;
  /** The document's `log_salt`. */
  salt: Uint8Array;
}

const STATES = { registered: 1, withdrawn: 2 } as const;

const NO_COPY = "0".repeat(64);

/** Returns the slot of a statement about a document. */
export const documentSlot = (id: string, n: number): Bytes =>
  hashOf("documentSlot", u64(n), utf8(id));

/** Returns the entry of a statement about a document. */
export const documentEntry = (
  { id, n, version, state, original, issued, salt }: DocumentStatement,
): LogEntry => ({
  slot: documentSlot(id, n),
  commitment: hashOf(
    "document",
    fixed(salt),
    u64(n),
    u64(version),
    Uint8Array.of(STATES[state]),
    fixed(decodeHex(original)),
    fixed(decodeHex(issued ?? NO_COPY)),
    utf8(id),
  ),
});

/**
 * Returns a publisher's key set as it is logged and served: canonical JSON (RFC 8785) of `keys`, each with
 * exactly `crv`, `kid`, `kty`, `use` and `x`, sorted by `kid` as bytes.
 */
export function loggedKeySet({ keys }: KeySet): Bytes {
  const sorted = keys.map(({ crv, kid, kty, use, x }) => ({ crv, kid, kty, use, x }))
    .sort((a, b) => a.kid < b.kid ? -1 : a.kid > b.kid ? 1 : 0); // base64url is ASCII
  return canonicalBytes({ keys: sorted });
}

/**
 * Returns the entry of a key set.
 *
 * @param n its number, from 1
 * @param bytes as {@link loggedKeySet} returns them
 */
export const keySetEntry = (n: number, bytes: Uint8Array): LogEntry => ({
  slot: hashOf("keysSlot", u64(n)),
  commitment: hashOf("keys", u64(n), bytes),
});

/** Returns the entry that says that everything older than the log has been logged before it. */
export const completionEntry = (): LogEntry => ({
  slot: hashOf("completeSlot", u64(1)),
  commitment: hashOf("complete", u64(1)),
});

/** Returns the 64 bytes that are in the log. */
export const entryBytes = ({ slot, commitment }: LogEntry): Bytes =>
  concatBytes([slot, commitment]);

/**
 * Returns the entry of its bytes.
 *
 * @throws {RangeError} unless there are 64 of them
 */
export function parseEntry(bytes: Uint8Array): LogEntry {
  if (bytes.length !== ENTRY_BYTES) throw new RangeError(`An entry has ${ENTRY_BYTES} bytes.`);
  return { slot: bytes.slice(0, 32), commitment: bytes.slice(32) };
}

/** All parts but the last must have a fixed length, so that no two inputs are hashed alike. */
function fixed(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== 32) throw new RangeError(`Expected 32 bytes, not ${bytes.length}.`);
  return bytes;
}
