/** Reads, commits and watches of the KV Connect server of the tests, on one database in memory. */
import type { Bytes } from "../../../../base/encoding.ts";
import { encodeFields } from "./protobuf.ts";
import type { Check, Commit, Mutation, Range } from "./requests.ts";
import { type Binary, binaryOf, bytesOfBinary, type Row, Rows, versionstampOf } from "./rows.ts";
import { combine } from "./sums.ts";

/** The numbers of the protocol (`proto/schema/datapath.proto`). */
const READ_SUCCESS = 1;
const COMMITTED = 1, CHECK_FAILED = 2;

/** Called after a change of a key that it watches. */
type Watcher = () => unknown;

/** One database: its rows, and those who watch them. Requests and responses are those of the protocol. */
export class Store {
  /** The number of commits that succeeded. */
  commits = 0;
  readonly rows = new Rows();
  readonly #watchers = new Map<Binary, Set<Watcher>>();

  /** @param onCommit called with each commit that succeeded, and its number */
  constructor(private readonly onCommit: (commit: Commit, version: number) => void = () => {}) {}

  /** Returns a `SnapshotReadOutput`. Rows that have expired are returned until they are swept. */
  read(ranges: readonly Range[]): Bytes {
    const outputs = ranges.map(({ start, end, limit, reverse }) =>
      encodeFields(
        this.rows.read(start, end, limit, reverse).map(([key, row]) => [1, entryOf(key, row)]),
      )
    );
    return encodeFields([
      ...outputs.map((output): [number, Uint8Array] => [1, output]),
      [4, 1], // strongly consistent
      [8, READ_SUCCESS],
    ]);
  }

  /**
   * Writes all mutations or none, and returns an `AtomicWriteOutput`.
   *
   * @param appliesRejected true to write the mutations before an impossible sum
   * @throws {Refused} if a sum is impossible
   */
  commit(commit: Commit, appliesRejected = false): Bytes {
    const failed = commit.checks.flatMap((check, i) => this.#passes(check) ? [] : i);
    if (failed.length > 0) {
      return encodeFields([[1, CHECK_FAILED], [4, packed(failed)]]);
    }
    const version = this.rows.version + 1;
    this.apply(commit, version, appliesRejected);
    this.commits++;
    this.onCommit(commit, version);
    return encodeFields([[1, COMMITTED], [2, versionstampOf(version)]]);
  }

  /** Writes the mutations of a commit without its checks. */
  apply({ mutations }: Commit, version: number, appliesRejected = false): void {
    const changes = new Map<Binary, Row | null>();
    let done = false;
    try {
      this.#addChanges(changes, mutations, version);
      done = true;
    } finally {
      if (done || appliesRejected) this.#write(changes, version);
    }
  }

  #write(changes: Map<Binary, Row | null>, version: number): void {
    this.rows.version = version;
    for (const [key, row] of changes) {
      if (row === null) this.rows.delete(key);
      else this.rows.set(key, row);
    }
    this.#notify(changes.keys());
  }

  /** Deletes the rows that have expired. */
  sweep(now: number): void {
    const keys = this.rows.deleteExpired(now);
    if (keys.length === 0) return;
    this.rows.version++;
    this.#notify(keys);
  }

  /** Returns a `WatchOutput` with the current rows of some keys. */
  watched(keys: readonly Binary[]): Bytes {
    return encodeFields([
      [1, READ_SUCCESS],
      ...keys.map((key): [number, Uint8Array] => {
        const row = this.rows.get(key);
        const changed: [number, number] = [1, 1];
        return [2, encodeFields(row === undefined ? [changed] : [changed, [2, entryOf(key, row)]])];
      }),
    ]);
  }

  /** @returns a function that ends the watch */
  watch(keys: readonly Binary[], watcher: Watcher): () => void {
    for (const key of keys) {
      const watchers = this.#watchers.get(key) ?? new Set();
      this.#watchers.set(key, watchers.add(watcher));
    }
    return () => {
      for (const key of keys) {
        const watchers = this.#watchers.get(key);
        watchers?.delete(watcher);
        if (watchers?.size === 0) this.#watchers.delete(key);
      }
    };
  }

  #passes({ key, versionstamp }: Check): boolean {
    const row = this.rows.get(key);
    return versionstamp === (row === undefined ? "" : binaryOf(versionstampOf(row.version)));
  }

  /** Computes all changes before the first one is made, because a later mutation may be impossible. */
  #addChanges(
    changes: Map<Binary, Row | null>,
    mutations: readonly Mutation[],
    version: number,
  ): void {
    for (const mutation of mutations) {
      const { key, type, value, expiresAt } = mutation;
      if (type === "delete") {
        changes.set(key, null);
      } else if (type === "set") {
        changes.set(key, { ...value!, version, expiresAt });
      } else if (type === "setVersionstamped") {
        changes.set(key + suffixOf(version), { ...value!, version, expiresAt });
      } else {
        const known = changes.has(key) ? changes.get(key) ?? undefined : this.rows.get(key);
        changes.set(key, { ...combine(mutation, known), version, expiresAt: null });
      }
    }
  }

  #notify(keys: Iterable<Binary>): void {
    const due = new Set<Watcher>();
    for (const key of keys) this.#watchers.get(key)?.forEach((watcher) => due.add(watcher));
    for (const watcher of due) watcher();
  }
}

const entryOf = (key: Binary, { data, encoding, version }: Row): Uint8Array =>
  encodeFields([
    [1, bytesOfBinary(key)],
    [2, bytesOfBinary(data)],
    [3, encoding],
    [4, versionstampOf(version)],
  ]);

/** Returns the last part of a key, a text with the commit's versionstamp. */
const suffixOf = (version: number): Binary => `\x02${versionstampOf(version).toString("hex")}\x00`;

/** Numbers of a repeated field are written together. There are fewer than 128. */
const packed = (numbers: readonly number[]): Uint8Array => Uint8Array.from(numbers);
