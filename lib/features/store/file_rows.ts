import { DatabaseSync } from "node:sqlite";
import { deserialize } from "node:v8";

/** One row of a store. */
export interface StoredRow {
  key: Deno.KvKey;
  value: unknown;
  /** When the store deletes the row, in milliseconds since 1970; null if never. */
  expires: number | null;
}

interface SqliteRow {
  k: Uint8Array;
  v: Uint8Array;
  v_encoding: number;
  expiration_ms: number;
}

/**
 * Reads all rows of a store's file in the order of their keys, as they are when the first one is read.
 * It reads the SQLite database instead of using Deno's API, because the API neither reads more than
 * one batch of the same state nor says when a row expires. The site may use the file at the same
 * time; its writes do not wait. node:v8 leaves much garbage: limit the heap to keep memory constant.
 *
 * @param selects returns whether a row is wanted. Default: all
 * @throws {Error} if the file is not a store of a known format, or is damaged
 */
export function* fileRows(
  path: string,
  selects: (key: Deno.KvKey) => boolean = () => true,
): Generator<StoredRow> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    // All batches read the same state.
    database.exec("BEGIN");
    for (const { k, v, v_encoding, expiration_ms } of batches(database)) {
      const key = decodeKey(k);
      if (!selects(key)) continue;
      yield {
        key,
        value: decodeValue(v, v_encoding),
        expires: expiration_ms < 0 ? null : expiration_ms,
      };
    }
  } finally {
    database.close();
  }
}

const BATCH = 64;

/** Not `iterate()`, which ends without an error at a page that cannot be read. */
function* batches(database: DatabaseSync): Generator<SqliteRow> {
  const select = database.prepare(
    "SELECT k, v, v_encoding, expiration_ms FROM kv WHERE k > ? ORDER BY k LIMIT ?",
  );
  let after = new Uint8Array();
  while (true) {
    const rows = select.all(after, BATCH) as unknown as SqliteRow[];
    yield* rows;
    if (rows.length < BATCH) return;
    after = rows[BATCH - 1].k as Uint8Array<ArrayBuffer>;
  }
}

function decodeValue(bytes: Uint8Array, encoding: number): unknown {
  switch (encoding) {
    case 1:
      return deserialize(bytes);
    case 2:
      return new Deno.KvU64(viewOf(bytes).getBigUint64(0, true));
    case 3:
      return bytes;
  }
  throw new Error(`The store contains a value of an unknown type (${encoding}).`);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

/** The first byte of each part of a key. Integers of up to 8 bytes have their length in it. */
const BYTES = 0x01;
const STRING = 0x02;
const LONG_NEGATIVE = 0x0b;
const ZERO = 0x14;
const LONG_POSITIVE = 0x1d;
const NUMBER = 0x21;
const FALSE = 0x26;
const TRUE = 0x27;

/** Decodes a key (FoundationDB's tuple encoding, in which the order of the bytes is that of the keys). */
function decodeKey(bytes: Uint8Array): Deno.KvKey {
  const key: Deno.KvKeyPart[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at++];
    if (tag === BYTES || tag === STRING) {
      const part: number[] = [];
      // A zero in the part is followed by 0xff; the one at its end is not.
      while (bytes[at] !== 0 || bytes[at + 1] === 0xff) {
        if (at >= bytes.length) throw new Error("A key of the store has no end.");
        part.push(bytes[at]);
        at += bytes[at] === 0 ? 2 : 1;
      }
      at++;
      const decoded = Uint8Array.from(part);
      key.push(tag === BYTES ? decoded : new TextDecoder("utf-8", EXACT).decode(decoded));
    } else if (tag >= LONG_NEGATIVE && tag <= LONG_POSITIVE) {
      const isNegative = tag < ZERO;
      const flip = isNegative ? 0xff : 0;
      let length = Math.abs(tag - ZERO);
      if (tag === LONG_NEGATIVE || tag === LONG_POSITIVE) length = bytes[at++] ^ flip;
      const digits = bytes.subarray(at, at + length).map((byte) => byte ^ flip);
      at += length;
      const size = length === 0 ? 0n : BigInt(`0x${digits.toHex()}`);
      key.push(isNegative ? -size : size);
    } else if (tag === NUMBER) {
      const digits = bytes.slice(at, at + 8);
      at += 8;
      const isNegative = digits[0] < 0x80;
      key.push(
        viewOf(digits.map((byte, i) => byte ^ (isNegative ? 0xff : i === 0 ? 0x80 : 0)))
          .getFloat64(0),
      );
    } else if (tag === FALSE || tag === TRUE) {
      key.push(tag === TRUE);
    } else {
      throw new Error(`A key of the store has a part of an unknown type (${tag}).`);
    }
  }
  return key;
}

const EXACT = { ignoreBOM: true };
