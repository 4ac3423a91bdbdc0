/** Decodes the requests of the KV Connect protocol, with the size limits of `denokv`. */
import { bytesOf, decodeFields, type Fields, messagesOf, numberOf } from "./protobuf.ts";
import { type Binary, binaryOf, ENCODING, type Value } from "./rows.ts";

/** Thrown for a request that the server answers with an error status. */
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

export interface Range {
  start: Binary;
  /** The key after the last one. */
  end: Binary;
  limit: number;
  reverse: boolean;
}

export interface Check {
  key: Binary;
  /** Empty if the key must not exist. */
  versionstamp: Binary;
}

export interface Mutation {
  key: Binary;
  type: keyof typeof MUTATION;
  value: Value | null;
  /** In milliseconds since 1970; null for never. */
  expiresAt: number | null;
  /** The bounds of a sum, encoded by V8, and whether it stops at them instead of failing. */
  min: Uint8Array | null;
  max: Uint8Array | null;
  clamp: boolean;
}

export interface Commit {
  checks: Check[];
  mutations: Mutation[];
  /** The request. */
  body: Uint8Array;
}

/** The limits of `denokv` (github.com/denoland/denokv, `proto/limits.rs`). */
const LIMITS = {
  /** A range may end after the longest key. */
  readKeyBytes: 2_049,
  writeKeyBytes: 2_048,
  valueBytes: 65_536,
  ranges: 10,
  rows: 1_000,
  checks: 10,
  mutations: 1_000,
  commitBytes: 819_200,
  watchedKeys: 10,
} as const;

/** The numbers of the protocol (`proto/schema/datapath.proto`). */
const MUTATION = { set: 1, delete: 2, sum: 3, max: 4, min: 5, setVersionstamped: 9 } as const;
const MUTATION_TYPES = new Map(
  Object.entries(MUTATION).map(([type, number]) => [number as number, type as Mutation["type"]]),
);
const ENCODINGS: readonly number[] = Object.values(ENCODING);
const VERSIONSTAMP_BYTES = 10;
const LE64_BYTES = 8;

/** Reads the ranges of a `SnapshotRead`. */
export function readRanges(body: Uint8Array): Range[] {
  const ranges = messagesOf(decodeFields(body), 1);
  atMost(ranges.length, LIMITS.ranges, "read ranges");
  const read = ranges.map((range) => {
    const limit = numberOf(range, 3);
    if (limit < 1 || limit > 2 ** 31 - 1) throw new Refused(400, "A range has an invalid limit.");
    return {
      start: keyOf(range, 1, LIMITS.readKeyBytes),
      end: keyOf(range, 2, LIMITS.readKeyBytes),
      limit,
      reverse: numberOf(range, 4) !== 0,
    };
  });
  atMost(read.reduce((rows, { limit }) => rows + limit, 0), LIMITS.rows, "rows of a read");
  return read;
}

/** Reads an `AtomicWrite`. */
export function readCommit(body: Uint8Array): Commit {
  const request = decodeFields(body);
  const [checks, mutations] = [messagesOf(request, 1), messagesOf(request, 2)];
  if (request.has(3)) throw new Refused(400, "This server has no queues.");
  atMost(checks.length, LIMITS.checks, "checks of a commit");
  atMost(mutations.length, LIMITS.mutations, "mutations of a commit");
  const commit = { checks: checks.map(checkOf), mutations: mutations.map(mutationOf), body };
  const bytes = commit.checks.reduce((sum, { key }) => sum + key.length, 0) +
    commit.mutations.reduce((sum, { key, value }) => sum + key.length + sizeOf(value), 0);
  atMost(bytes, LIMITS.commitBytes, "bytes of a commit");
  return commit;
}

/** Reads the keys of a `Watch`. */
export function readWatch(body: Uint8Array): Binary[] {
  const keys = messagesOf(decodeFields(body), 1);
  atMost(keys.length, LIMITS.watchedKeys, "watched keys");
  return keys.map((key) => keyOf(key, 1, LIMITS.writeKeyBytes));
}

function checkOf(check: Fields): Check {
  const versionstamp = binaryOf(bytesOf(check, 2) ?? new Uint8Array());
  if (![0, VERSIONSTAMP_BYTES].includes(versionstamp.length)) {
    throw new Refused(400, "A check has an invalid versionstamp.");
  }
  return { key: keyOf(check, 1, LIMITS.readKeyBytes), versionstamp };
}

function mutationOf(mutation: Fields): Mutation {
  const type = MUTATION_TYPES.get(numberOf(mutation, 3));
  const key = keyOf(mutation, 1, LIMITS.writeKeyBytes);
  const message = bytesOf(mutation, 2);
  const value = message && valueOf(decodeFields(message));
  if (type === undefined || value === null && type !== "delete") {
    throw new Refused(400, "A mutation has an unknown type, or no value.");
  }
  const expiresAt = numberOf(mutation, 4);
  if (expiresAt < -1) throw new Refused(400, "A mutation has an invalid expiry.");
  return {
    key,
    type,
    value,
    expiresAt: expiresAt > 0 ? expiresAt : null,
    min: bytesOf(mutation, 5),
    max: bytesOf(mutation, 6),
    clamp: numberOf(mutation, 7) !== 0,
  };
}

function valueOf(message: Fields): Value {
  const data = binaryOf(bytesOf(message, 1) ?? new Uint8Array());
  atMost(data.length, LIMITS.valueBytes, "bytes of a value");
  const encoding = numberOf(message, 2);
  const fits = ENCODINGS.includes(encoding) &&
    (encoding !== ENCODING.le64 || data.length === LE64_BYTES);
  if (!fits) throw new Refused(500, "A value has an unknown encoding.");
  return { data, encoding };
}

function keyOf(message: Fields, field: number, maxBytes: number): Binary {
  const key = bytesOf(message, field) ?? new Uint8Array();
  atMost(key.length, maxBytes, "bytes of a key");
  return binaryOf(key);
}

const sizeOf = (value: Value | null): number => value?.data.length ?? 0;

function atMost(count: number, limit: number, what: string): void {
  if (count > limit) throw new Refused(400, `${count} ${what} are too many (max ${limit}).`);
}
