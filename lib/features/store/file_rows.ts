/** Access to a Deno KV database through its SQLite file, without Deno's API. */
import { Buffer } from "node:buffer";
import { DatabaseSync } from "node:sqlite";
import { deserialize } from "node:v8";
import { type TupleItem, unpack } from "fdb-tuple";

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

/** Reads the rows in batches. `iterate()` would end without an error at a page that cannot be read. */
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

/** Decodes a key (FoundationDB's tuple encoding, in which the order of the bytes is that of the keys). */
const decodeKey = ({ buffer, byteOffset, byteLength }: Uint8Array): Deno.KvKey =>
  unpack(Buffer.from(buffer, byteOffset, byteLength), true).map(keyPart);

/** @param part as fdb-tuple returns it, which marks numbers, so that all others are integers */
function keyPart(part: TupleItem): Deno.KvKeyPart {
  if (typeof part === "number") return BigInt(part);
  if (Buffer.isBuffer(part)) return Uint8Array.from(part);
  if (typeof part !== "object") return part as string | boolean | bigint;
  if (part !== null && "type" in part && part.type === "double") return part.value;
  throw new Error("A key of the store has a part of an unknown type.");
}
