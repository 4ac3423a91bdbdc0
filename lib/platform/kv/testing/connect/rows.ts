/** Sorted rows in memory, in which the KV Connect server of the tests keeps a store. */
import { Buffer } from "node:buffer";
import { SortedTexts } from "./sorted_texts.ts";

/** One character per byte, so that texts are ordered like the bytes and take little memory. */
export type Binary = string;

export const binaryOf = (bytes: Uint8Array): Binary =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

export const bytesOfBinary = (text: Binary): Buffer => Buffer.from(text, "latin1");

/** The numbers of the protocol for how the bytes of a value are encoded. */
export const ENCODING = { v8: 1, le64: 2, bytes: 3 } as const;

export interface Value {
  data: Binary;
  encoding: number;
}

export interface Row extends Value {
  /** The number of the commit that wrote it. */
  version: number;
  /** When the row expires, in milliseconds since 1970; null for never. */
  expiresAt: number | null;
}

/** The rows of a store, sorted by key and by expiry. */
export class Rows {
  /** The number of the last commit. */
  version = 0;
  readonly #rows = new Map<Binary, Row>();
  readonly #keys = new SortedTexts();
  readonly #expiries = new SortedTexts();

  get size(): number {
    return this.#rows.size;
  }

  get(key: Binary): Row | undefined {
    return this.#rows.get(key);
  }

  set(key: Binary, row: Row): void {
    const known = this.#rows.get(key);
    if (known === undefined) this.#keys.add(key);
    else this.#forgetExpiry(key, known);
    if (row.expiresAt !== null) this.#expiries.add(timeOf(row.expiresAt) + key);
    this.#rows.set(key, row);
  }

  delete(key: Binary): void {
    const known = this.#rows.get(key);
    if (known === undefined) return;
    this.#rows.delete(key);
    this.#keys.delete(key);
    this.#forgetExpiry(key, known);
  }

  /** Returns up to `limit` rows with keys from `start` to before `end`, from either end. */
  read(start: Binary, end: Binary, limit: number, reverse: boolean): [Binary, Row][] {
    const keys = reverse ? this.#keys.reversed(start, end) : this.#keys.between(start, end);
    return keys.take(limit).map((key): [Binary, Row] => [key, this.#rows.get(key)!]).toArray();
  }

  /** Deletes the rows that have expired, and returns their keys. */
  deleteExpired(now: number): Binary[] {
    const due = [...this.#expiries.between("", timeOf(now + 1))];
    const keys = due.map((text) => text.slice(TIME_BYTES));
    for (const key of keys) this.delete(key);
    return keys;
  }

  #forgetExpiry(key: Binary, { expiresAt }: Row): void {
    if (expiresAt !== null) this.#expiries.delete(timeOf(expiresAt) + key);
  }
}

const TIME_BYTES = 8;

/** Returns a time as a text that is ordered like the number. */
function timeOf(ms: number): Binary {
  const bytes = Buffer.alloc(TIME_BYTES);
  bytes.writeBigUInt64BE(BigInt(ms));
  return bytes.toString("latin1");
}

const VERSIONSTAMP_BYTES = 10;

/** Returns the versionstamp of a commit: its number and two bytes that are zero. */
export function versionstampOf(version: number): Buffer {
  const bytes = Buffer.alloc(VERSIONSTAMP_BYTES);
  bytes.writeBigUInt64BE(BigInt(version));
  return bytes;
}
