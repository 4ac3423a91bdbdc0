import {
  bytesOf,
  decodeFields,
  encodeFields,
  type Fields,
  messagesOf,
  numberOf,
} from "./protobuf.ts";
import { delayBy } from "./slow_kv.ts";

/** A KV Connect server whose store is in the memory of this process. */
export interface ConnectServer extends AsyncDisposable {
  /** For `KV_PATH`. Clients need {@link ConnectServer.token} in `DENO_KV_ACCESS_TOKEN`. */
  url: string;
  token: string;
  /** The number of commits that succeeded. */
  readonly commits: number;
}

/** The numbers of the protocol, version 3 (github.com/denoland/denokv, `datapath.proto`). */
const SET = 1, DELETE = 2, SUM = 3, MAX = 4, MIN = 5;
const LE64 = 2;
const READ_SUCCESS = 1;
const COMMITTED = 1, CHECK_FAILED = 2;

interface Row {
  value: Uint8Array;
  encoding: number;
  versionstamp: Uint8Array;
}

/**
 * Serves a store to several processes, as `denokv` does: every commit is atomic and every read
 * consistent. It does not delete expired rows, and has neither queues nor `watch`.
 *
 * @param delayMs how much longer each request takes
 */
export function serveConnect({ delayMs = 0 }: { delayMs?: number } = {}): ConnectServer {
  const token = crypto.randomUUID();
  const rows = new Map<string, Row>();
  const keys: string[] = []; // sorted
  let commits = 0;

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handle);

  async function handle(request: Request): Promise<Response> {
    const { pathname, origin } = new URL(request.url);
    if (request.headers.get("authorization") !== `Bearer ${token}`) {
      return new Response(null, { status: 401 });
    }
    const body = new Uint8Array(await request.arrayBuffer());
    await delayBy(delayMs);
    if (pathname === "/") return Response.json(metadata(origin));
    if (pathname === "/data/snapshot_read") return encoded(read(decodeFields(body)));
    if (pathname === "/data/atomic_write") return encoded(write(decodeFields(body)));
    return new Response(null, { status: 404 });
  }

  const metadata = (origin: string) => ({
    version: 3,
    databaseId: "11111111-1111-4111-8111-111111111111",
    endpoints: [{ url: `${origin}/data`, consistency: "strong" }],
    token,
    expiresAt: "2999-01-01T00:00:00Z",
  });

  function read(request: Fields) {
    const ranges = messagesOf(request, 1).map((range) => {
      const [start, end] = [textOf(bytesOf(range, 1)), textOf(bytesOf(range, 2))];
      const found = keys.slice(indexOf(keys, start), indexOf(keys, end));
      if (numberOf(range, 4) === 1) found.reverse();
      return encodeFields(
        found.slice(0, numberOf(range, 3)).map((key) => {
          const { value, encoding, versionstamp } = rows.get(key)!;
          return [
            1,
            encodeFields([[1, binary(key)], [2, value], [3, encoding], [4, versionstamp]]),
          ];
        }),
      );
    });
    return encodeFields([
      ...ranges.map((range) => [1, range] as [number, Uint8Array]),
      [4, 1],
      [8, READ_SUCCESS],
    ]);
  }

  function write(request: Fields) {
    const passes = (check: Fields) =>
      textOf(rows.get(textOf(bytesOf(check, 1)))?.versionstamp ?? new Uint8Array()) ===
        textOf(bytesOf(check, 2));
    if (!messagesOf(request, 1).every(passes)) return encodeFields([[1, CHECK_FAILED]]);
    const versionstamp = new Uint8Array(10);
    new DataView(versionstamp.buffer).setBigUint64(0, BigInt(++commits));
    for (const mutation of messagesOf(request, 2)) apply(mutation, versionstamp);
    return encodeFields([[1, COMMITTED], [2, versionstamp]]);
  }

  function apply(mutation: Fields, versionstamp: Uint8Array) {
    const key = textOf(bytesOf(mutation, 1));
    const type = numberOf(mutation, 3);
    const known = rows.get(key);
    const at = indexOf(keys, key);
    if (type === DELETE) {
      if (known !== undefined) keys.splice(at, 1);
      rows.delete(key);
      return;
    }
    const given = decodeFields(bytesOf(mutation, 2));
    let value = bytesOf(given, 1).slice();
    if (type !== SET && known !== undefined) value = combine(type, known.value, value);
    if (known === undefined) keys.splice(at, 0, key);
    rows.set(key, { value, encoding: type === SET ? numberOf(given, 2) : LE64, versionstamp });
  }

  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    token,
    get commits() {
      return commits;
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Combines two unsigned 64-bit integers. */
function combine(type: number, known: Uint8Array, given: Uint8Array): Uint8Array<ArrayBuffer> {
  const [a, b] = [known, given].map((bytes) =>
    new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true)
  );
  const operations: Record<number, () => bigint> = {
    [SUM]: () => a + b,
    [MAX]: () => a > b ? a : b,
    [MIN]: () => a < b ? a : b,
  };
  const result = new Uint8Array(8);
  new DataView(result.buffer).setBigUint64(0, BigInt.asUintN(64, operations[type]()), true);
  return result;
}

/** Returns the place of a key, or where it would be inserted. */
function indexOf(sorted: readonly string[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns one character per byte, so that texts are ordered like the bytes. */
function textOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

const binary = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

const encoded = (bytes: Uint8Array<ArrayBuffer>): Response =>
  new Response(bytes, { headers: { "content-type": "application/x-protobuf" } });
