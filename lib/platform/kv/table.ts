/** Declares the tables of the store with their indexes, keys and lifetimes: `defineTable`. */
import type { z } from "zod";
import { eachOf } from "../../base/slots.ts";
import { noteChange } from "./changes.ts";
import { type Expiring, expiring, getLive } from "./expiry.ts";
import {
  type Due,
  DUE_JOBS,
  type Lifetime,
  type Owner,
  type PrivacyText,
  type TableDescription,
} from "./table_description.ts";
import { transact } from "./transact.ts";

type Columns = readonly string[];

/** The types of a key's parts: those of the row's columns with the same names, if it has them. */
type KeyParts<Row, Key extends Columns> = {
  [I in keyof Key]: Key[I] extends keyof Row ? Row[Key[I]] & Deno.KvKeyPart : Deno.KvKeyPart;
};

/** An index of a table, see {@link TableOptions.indexes}. */
type Index<Row> =
  | Columns
  | { columns: Columns; value: (row: Row) => unknown }
  | { keysOf: IndexKeys<Row>; value: (row: Row) => unknown };

/** Returns the keys under which an index lists a row. All keys are without their prefix. */
type IndexKeys<Row> = (row: Row, key: Deno.KvKey) => readonly Deno.KvKey[];

export interface TableOptions<
  Row,
  Key extends Columns,
  Indexes extends { readonly [prefix: string]: Index<Row> },
> {
  /** The first part of the key of each row. */
  prefix: string;
  /** The schema of a row. The store of tests rejects rows that do not fit. */
  value?: z.ZodType<Row>;
  /**
   * The names of the parts that follow the prefix in a row's key, such as `["record", "day"]`. If all
   * of them are columns of the row, write it with `set` and delete it with `delete`; otherwise use `put`
   * and `deleteAt`, which take the key. Default: none, for a single row at the prefix itself, or for
   * rows whose keys the feature builds.
   */
  key?: Key;
  /**
   * The indexes, by their prefixes. Writing and deleting a row also writes and deletes its keys in them.
   *
   * - `["record"]` has the key `[prefix, row.record, ...the row's key]` and the value null. A row with
   *   null in one of the columns is not in the index. A row with an array is in it once for each element.
   * - `{ columns, value }` stores what `value` returns instead of null.
   * - `{ keysOf, value }` has the keys that `keysOf` returns. `find` works only if they end with the
   *   row's key.
   */
  indexes?: Indexes;
  /** The prefixes of indexes that the feature reads and writes without the table's methods. */
  otherIndexes?: readonly string[];
  /**
   * The owner of the rows. `{ record: "contact_hash" }` names the column with the hash of a record,
   * and `{ user: "user_id" }` the one with the id of a user: their rows are deleted with them. If the
   * column contains an array, a row is deleted with the first of them. The column must be the first one
   * of the key or of an index, so that a deletion does not read the whole table.
   *
   * `"record"` or `"user"` alone means that the feature deletes the rows itself.
   */
  owner: Owner | { record: string } | { user: string };
  /**
   * True if the rows of a corrected record move to the new one. It requires that `owner` names the
   * column. Default: false, so the feature moves or deletes them itself.
   */
  moves?: boolean;
  /**
   * How long rows are kept. With `expires(…)`, rows have a column `expires_at` (`...EXPIRING` in the
   * schema), the methods that write them take the time as the last argument, and `getLive` reads them.
   */
  lifetime: Lifetime;
  /**
   * The rows that become due for deletion, if the store cannot delete them: a condition decides it, or more goes
   * with them. The feature's `deletesDue` has the function that deletes one, and a job of the platform calls it.
   */
  due?: Due<NoInfer<Row>>;
  /** True if a key watch follows rows, whose changes are then noted. Default: false. */
  watched?: boolean;
  /** The cause of a new row, such as `sign-in link`. */
  per: string;
  /** The text about the rows on the privacy page. Default: none, because they are not about people. */
  privacy?: PrivacyText | readonly PrivacyText[];
}

/**
 * A table, as its feature reads and writes it. Methods with a `commit` only add to it; the caller commits.
 */
export interface Table<Row, Key extends readonly unknown[], Name extends string>
  extends TableDescription {
  /** Returns the key of a row in the store. */
  key(...key: Key): Deno.KvKey;
  /** Reads a row as an entry that a commit can check. It may have expired. */
  get(kv: Deno.Kv, ...key: Key): Promise<Deno.KvEntryMaybe<Row>>;
  /** Reads a row with an `expires_at`. Returns null if it does not exist or has expired. */
  getLive(kv: Deno.Kv, now: number, ...key: Key): Promise<Deno.KvEntry<Row> | null>;
  /** Reads rows in the given order, without those that do not exist. They may have expired. */
  getMany(kv: Deno.Kv, keys: readonly Key[]): Promise<Deno.KvEntry<Row>[]>;
  /** Lists the rows whose keys begin with these parts, in the order of the keys. They may have expired. */
  list(
    kv: Deno.Kv,
    key: readonly Deno.KvKeyPart[],
    options?: Deno.KvListOptions,
  ): Deno.KvListIterator<Row>;
  /**
   * Reads the rows whose keys in an index begin with these columns, in the order of the index. They may
   * have expired.
   *
   * @param options with `from`, only the rows whose next column is not less
   */
  find(
    kv: Deno.Kv,
    index: Name,
    columns: readonly Deno.KvKeyPart[],
    options?: Deno.KvListOptions & { from?: Deno.KvKeyPart },
  ): Promise<Deno.KvEntry<Row>[]>;
  /**
   * Writes a new or changed row and its indexes. A changed row must have the same values in the indexed
   * columns; otherwise, delete the old row in the same commit first.
   */
  set(
    commit: Deno.AtomicOperation,
    row: Row,
    ...now: Row extends Expiring ? [now: number] : []
  ): void;
  /** Like {@link Table.set}, for a row that lacks columns of its key. */
  put(
    commit: Deno.AtomicOperation,
    key: Key,
    row: Row,
    ...now: Row extends Expiring ? [now: number] : []
  ): void;
  /**
   * Like {@link Table.set}, at the key of an entry that `get` returned. The commit fails if the entry has
   * changed since then, or was created if it did not exist.
   */
  replace(
    commit: Deno.AtomicOperation,
    entry: Deno.KvEntryMaybe<unknown>,
    row: Row,
    ...now: Row extends Expiring ? [now: number] : []
  ): void;
  /** Returns the rows of the indexes that list a row with this key. */
  indexRows(row: Row, key: Deno.KvKey): { key: Deno.KvKey; value: unknown }[];
  /** Deletes a row, as it is stored, and its indexes. */
  delete(commit: Deno.AtomicOperation, row: Row): void;
  /** Like {@link Table.delete}, for a row that lacks columns of its key. */
  deleteAt(commit: Deno.AtomicOperation, key: Key, row: Row): void;
}

/**
 * Declares a table of the store. Export it from the file that uses its rows, and add it to the list of
 * tables in the feature's `feature.ts` or `tables.ts`. The privacy page, `docs/ops/retention.md`, the
 * deletion of records and users, and the tests of the store read that list.
 *
 * @example
 * ```ts
 * const notes = defineTable({
 *   prefix: "notes",
 *   value: z.strictObject({ id: z.string(), record: z.string(), text: z.string() }),
 *   key: ["id"],
 *   indexes: { notes_by_record: ["record"] },
 *   owner: { record: "record" },
 *   lifetime: WITH_RECORD,
 *   per: "note",
 *   privacy: { section: "record", label: "Notes", text: "The notes that you write." },
 * });
 *
 * // Writes ["notes", "1"] and ["notes_by_record", hash, "1"].
 * const commit = kv.atomic();
 * notes.set(commit, { id: "1", record: hash, text: "Hello" });
 * await commit.commit();
 *
 * const note = await notes.get(kv, "1"); // an entry, as kv.get() returns it
 * const ofRecord = await notes.find(kv, "notes_by_record", [hash]); // a list of entries
 * ```
 */
export function defineTable<
  Row,
  const Key extends Columns = readonly [],
  const Indexes extends { readonly [prefix: string]: Index<Row> } = Record<never, never>,
>(
  options: TableOptions<Row, Key, Indexes>,
): Table<Row, KeyParts<Row, Key>, keyof Indexes & string> {
  type Parts = KeyParts<Row, Key>;
  const { prefix, lifetime, due, owner, watched = false, per, privacy = [] } = options;
  const { rowKey, indexRows, rowKeyIn, ownedKeys, belongsTo, withOwner } = layoutOf(options);
  const keyOf = (...key: Parts): Deno.KvKey => [prefix, ...key as readonly Deno.KvKeyPart[]];

  function write(commit: Deno.AtomicOperation, key: Deno.KvKey, row: Row, now?: number): void {
    const expiry = lifetime.removedBy === "store" ? expiring(row as Expiring, now!) : undefined;
    commit.set(key, row, expiry);
    for (const index of indexRows(row, key)) commit.set(index.key, index.value, expiry);
    if (watched) noteChange(commit, key);
  }

  function remove(commit: Deno.AtomicOperation, row: Row, key: Deno.KvKey): void {
    commit.delete(key);
    for (const index of indexRows(row, key)) commit.delete(index.key);
    if (watched) noteChange(commit, key);
  }

  async function read(kv: Deno.Kv, keys: readonly Deno.KvKey[]): Promise<Deno.KvEntry<Row>[]> {
    if (keys.length === 0) return [];
    const entries = await kv.getMany<Row[]>(keys);
    return entries.filter((entry) => entry.versionstamp !== null);
  }

  return {
    prefix,
    value: options.value,
    indexes: [...Object.keys(options.indexes ?? {}), ...options.otherIndexes ?? []],
    owner: typeof owner === "string" ? owner : "user" in owner ? "user" : "record",
    moves: options.moves ?? false,
    lifetime: due === undefined
      ? lifetime
      : { ...lifetime, job: due.nightly ? DUE_JOBS.nightly : DUE_JOBS.often },
    due,
    per,
    privacy: [privacy].flat(),
    key: keyOf,
    get: (kv, ...key) => kv.get<Row>(keyOf(...key)),
    getLive: (kv, now, ...key) => getLive<Row & Expiring>(kv, keyOf(...key), now),
    getMany: (kv, keys) => read(kv, keys.map((key) => keyOf(...key))),
    list: (kv, key, listOptions) => kv.list<Row>({ prefix: [prefix, ...key] }, listOptions),
    async find(kv, index, columns, { from, ...listOptions } = {}) {
      const prefix = [index, ...columns];
      const list = from === undefined
        ? kv.list({ prefix }, listOptions)
        : kv.list({ prefix, start: [...prefix, from] }, listOptions);
      return await read(kv, await Array.fromAsync(list, ({ key }) => rowKeyIn(key)));
    },
    set: (commit, row, ...[now]) => write(commit, rowKey(row), row, now),
    put: (commit, key, row, ...[now]) => write(commit, keyOf(...key), row, now),
    replace: (commit, entry, row, ...[now]) => write(commit.check(entry), entry.key, row, now),
    indexRows,
    rowKeyIn(key) {
      const index = options.indexes?.[String(key[0])];
      return index === undefined || "keysOf" in index ? null : rowKeyIn(key);
    },
    delete: (commit, row) => remove(commit, row, rowKey(row)),
    deleteAt: (commit, key, row) => remove(commit, row, keyOf(...key)),
    async deleteOf(kv, owner) {
      for await (const { key, found } of ownedKeys(kv, owner)) {
        await transact(async () => {
          const entry = await kv.get<Row>(key); // it may have moved to another record
          const commit = kv.atomic().check(entry);
          if (found !== key) commit.delete(found); // of an index
          if (entry.versionstamp !== null && belongsTo(entry, owner)) {
            remove(commit, entry.value, key);
          }
          return { result: undefined, commit };
        });
      }
    },
    async move(kv, from, to, now) {
      if (typeof owner === "string") throw new TypeError(`${prefix} has no column of its record.`);
      await eachOf(ownedKeys(kv, from), ({ key }) =>
        transact(async () => {
          const entry = await kv.get<Row>(key);
          if (entry.versionstamp === null || !belongsTo(entry, from)) return { result: undefined };
          const commit = kv.atomic().check(entry);
          remove(commit, entry.value, key);
          const moved = withOwner(entry, to);
          write(commit, moved.key, moved.value, now);
          return { result: undefined, commit };
        }));
    },
  };
}

/** Returns the functions that compute the keys of a table's rows, indexes and owners. */
function layoutOf<
  Row,
  Key extends Columns,
  Indexes extends { readonly [prefix: string]: Index<Row> },
>(
  { prefix, key: keyColumns, indexes: indexOptions, owner }: TableOptions<Row, Key, Indexes>,
) {
  const columns = keyColumns ?? [];
  const indexes = Object.entries<Index<Row>>(indexOptions ?? {}).map(([name, index]) => {
    if ("keysOf" in index) return { name, columns: [], ...index };
    const { columns, value } = "columns" in index ? index : { columns: index, value: () => null };
    return { name, columns, keysOf: keysOfColumns(columns), value };
  });
  const ownerColumn = typeof owner === "string" ? undefined : Object.values<string>(owner)[0];
  const ownerInKey = columns[0] === ownerColumn;
  /** The index that lists the rows of an owner, unless the keys of the rows begin with the owner. */
  const ownerIndex = ownerInKey
    ? undefined
    : indexes.find((index) => index.columns[0] === ownerColumn)?.name;
  if (ownerColumn !== undefined && !ownerInKey && ownerIndex === undefined) {
    throw new TypeError(
      `${prefix} needs an index by ${ownerColumn}, with which its rows are deleted.`,
    );
  }
  /** Returns whether a row belongs to an owner. An index may lead to a row that has since moved. */
  const belongsTo = ({ key, value }: Deno.KvEntry<Row>, owner: Deno.KvKeyPart): boolean =>
    ownerInKey ? key[1] === owner : partsOf(value, [ownerColumn!]).flat().includes(owner);
  /** Returns the key of the row that a key of an index leads to. */
  const rowKeyIn = (key: Deno.KvKey): Deno.KvKey => [prefix, ...key.slice(-columns.length)];

  /** Returns the keys of an index of columns: one for each element of an array, and none for null. */
  function keysOfColumns(indexed: Columns): IndexKeys<Row> {
    return (row, key) => {
      const keyParts = Object.fromEntries(columns.map((column, i) => [column, key[i]]));
      const parts = partsOf({ ...row, ...keyParts }, indexed);
      if (parts.some((part) => part === null || part === undefined)) return [];
      const starts = parts.reduce<Deno.KvKey[]>(
        (keys, part) => keys.flatMap((start) => valuesIn(part).map((each) => [...start, each])),
        [[]],
      );
      return starts.map((start) => [...start, ...key]);
    };
  }

  return {
    rowKey: (row: Row): Deno.KvKey => [prefix, ...partsOf(row, columns) as Deno.KvKeyPart[]],
    indexRows: (row: Row, [, ...key]: Deno.KvKey): { key: Deno.KvKey; value: unknown }[] =>
      indexes.flatMap(({ name, keysOf, value }) =>
        keysOf(row, key).map((parts) => ({ key: [name, ...parts], value: value(row) }))
      ),
    rowKeyIn,
    /** Lists the keys of an owner's rows. `found` is the key that led there: the row's own, or an index's. */
    async *ownedKeys(kv: Deno.Kv, owner: Deno.KvKeyPart) {
      if (ownerColumn === undefined) return;
      const single = [prefix, owner];
      if (ownerIndex === undefined) yield { key: single, found: single };
      for await (const { key: found } of kv.list({ prefix: [ownerIndex ?? prefix, owner] })) {
        yield { key: ownerIndex === undefined ? found : rowKeyIn(found), found };
      }
    },
    belongsTo,
    /** Returns the key and value of a row after it has moved to another record. */
    withOwner: ({ key, value }: Deno.KvEntry<Row>, record: string) => ({
      key: key.map((part, i) => columns[i - 1] === ownerColumn ? record : part),
      value: ownerColumn! in (value as object) ? { ...value, [ownerColumn!]: record } : value,
    }),
  };
}

const partsOf = (row: unknown, columns: Columns): unknown[] =>
  columns.map((column) => (row as Record<string, unknown>)[column]);

const valuesIn = (part: unknown): Deno.KvKeyPart[] => [part].flat() as Deno.KvKeyPart[];
