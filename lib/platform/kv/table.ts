import type { z } from "zod";
import { type Expiring, expiring, getLive } from "./expiry.ts";
import type { Lifetime, Owner, PrivacyText, TableDescription } from "./table_description.ts";
import { transact } from "./transact.ts";

/** The type of a table's rows: `row: rowType<Passkey>()`. */
export interface RowType<Row> {
  readonly type?: Row;
}

/** Returns the type of a table's rows, which has no value. */
export const rowType = <Row>(): RowType<Row> => ({});

type Columns = readonly string[];

/** The parts of a key, with the types that the row's columns of the same names have. */
type KeyParts<Row, Key extends Columns> = {
  [I in keyof Key]: Key[I] extends keyof Row ? Row[Key[I]] & Deno.KvKeyPart : Deno.KvKeyPart;
};

/** The columns of an index, or a function that returns its keys; and its value if it is not null. */
type Index<Row> =
  | Columns
  | { columns: Columns; value: (row: Row) => unknown }
  | { keysOf: IndexKeys<Row>; value: (row: Row) => unknown };

/** Returns the keys of an index without its prefix. `key` is that of the row. */
type IndexKeys<Row> = (row: Row, key: Deno.KvKey) => readonly Deno.KvKey[];

export interface TableOptions<
  Row,
  Key extends Columns,
  Indexes extends { readonly [prefix: string]: Index<Row> },
> {
  /** The first part of the keys. */
  prefix: string;
  /** The schema of a row. Tests refuse rows that do not fit. */
  value?: z.ZodType<Row>;
  row?: RowType<Row>;
  /**
   * The columns that identify a row, in the order of its key. A row need not repeat them: `put` takes
   * them. Default: none.
   */
  key?: Key;
  /**
   * The columns of each index, by its prefix. The row's key follows them. A row with null in one of the
   * columns is not in the index, and one with an array is in it once for each element. The value of an
   * index is null, unless a function returns it. Indexes with other keys have a function for them; `find`
   * needs keys that end with the row's key.
   */
  indexes?: Indexes;
  /** The first parts of the keys of indexes that the feature writes itself. */
  otherIndexes?: readonly string[];
  /**
   * Whom the rows belong to. With a column, the rows are deleted with the record or the user, or with
   * the first of several. If the column is not the first one of the key or of an index, that reads the
   * whole table. Without a column, the feature deletes them.
   */
  owner: Owner | { record: string } | { user: string };
  /** True if a correction moves the rows to the new record. Default: the feature moves or ends them. */
  moves?: boolean;
  lifetime: Lifetime;
  /** The cause of a new row, such as `sign-in link`. */
  per: string;
  /** The text on the privacy page. Default: none, because the rows are not about people. */
  privacy?: PrivacyText | readonly PrivacyText[];
}

/** A table, as its feature reads and writes it. */
export interface Table<Row, Key extends readonly unknown[], Name extends string>
  extends TableDescription {
  key(...key: Key): Deno.KvKey;
  /** Reads a row as an entry that a commit can check. It may have expired. */
  get(kv: Deno.Kv, ...key: Key): Promise<Deno.KvEntryMaybe<Row>>;
  /** Reads a row with an `expires_at`. Returns null if it does not exist or has expired. */
  getLive(kv: Deno.Kv, now: number, ...key: Key): Promise<Deno.KvEntry<Row> | null>;
  /** Reads rows in the given order, without those that do not exist. They may have expired. */
  getMany(kv: Deno.Kv, keys: readonly Key[]): Promise<Deno.KvEntry<Row>[]>;
  /** Lists the rows whose keys begin with `key`, in their order. They may have expired. */
  list(
    kv: Deno.Kv,
    key: readonly Deno.KvKeyPart[],
    options?: Deno.KvListOptions,
  ): Deno.KvListIterator<Row>;
  /**
   * Reads the rows whose columns in an index begin with `columns`, in the order of the index.
   * They may have expired.
   */
  find(
    kv: Deno.Kv,
    index: Name,
    columns: readonly Deno.KvKeyPart[],
    options?: Deno.KvListOptions,
  ): Promise<Deno.KvEntry<Row>[]>;
  /**
   * Adds a new or changed row to a commit, with its indexes. A changed row must keep the values of its
   * indexed columns.
   */
  set(
    commit: Deno.AtomicOperation,
    row: Row,
    ...now: Row extends Expiring ? [now: number] : []
  ): void;
  /** Like {@link Table.set}, for a row that does not repeat the columns of its key. */
  put(
    commit: Deno.AtomicOperation,
    key: Key,
    row: Row,
    ...now: Row extends Expiring ? [now: number] : []
  ): void;
  /**
   * Like {@link Table.set}, in place of an entry that was read, or that did not exist. The commit fails if
   * it has changed since.
   */
  replace(
    commit: Deno.AtomicOperation,
    entry: Deno.KvEntryMaybe<unknown>,
    row: Row,
    ...now: Row extends Expiring ? [now: number] : []
  ): void;
  /** Adds the deletion of a row and its indexes to a commit. */
  delete(commit: Deno.AtomicOperation, row: Row): void;
  /** Like {@link Table.delete}, for a row that does not repeat the columns of its key. */
  deleteAt(commit: Deno.AtomicOperation, key: Key, row: Row): void;
}

/**
 * Declares a table of the store. Features list their tables in `feature.ts`; the privacy page, the
 * retention table, the deletion of records and the tests of the store follow from that.
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
 * notes.set(commit, { id: "1", record: hash, text: "Hello" });
 * const found = await notes.find(kv, "notes_by_record", [hash]);
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
  const { prefix, lifetime, owner, per, privacy = [] } = options;
  const { rowKey, indexRows, keyOfIndexed, ownedKeys, belongsTo, withOwner } = layoutOf(options);
  const keyOf = (...key: Parts): Deno.KvKey => [prefix, ...key as readonly Deno.KvKeyPart[]];

  function write(commit: Deno.AtomicOperation, key: Deno.KvKey, row: Row, now?: number): void {
    const lasts = lifetime.removedBy === "store" ? expiring(row as Expiring, now!) : undefined;
    commit.set(key, row, lasts);
    for (const index of indexRows(row, key)) commit.set(index.key, index.value, lasts);
  }

  function remove(commit: Deno.AtomicOperation, row: Row, key: Deno.KvKey): void {
    commit.delete(key);
    for (const index of indexRows(row, key)) commit.delete(index.key);
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
    lifetime,
    per,
    privacy: [privacy].flat(),
    key: keyOf,
    get: (kv, ...key) => kv.get<Row>(keyOf(...key)),
    getLive: (kv, now, ...key) => getLive<Row & Expiring>(kv, keyOf(...key), now),
    getMany: (kv, keys) => read(kv, keys.map((key) => keyOf(...key))),
    async find(kv, index, columns, listOptions) {
      const selector = { prefix: [index, ...columns] };
      const list = kv.list(selector, listOptions);
      const keys = await Array.fromAsync(list, ({ key }) => keyOfIndexed(key));
      return await read(kv, keys);
    },
    list: (kv, key, listOptions) => kv.list<Row>({ prefix: [prefix, ...key] }, listOptions),
    set: (commit, row, ...[now]) => write(commit, rowKey(row), row, now),
    put: (commit, key, row, ...[now]) => write(commit, keyOf(...key), row, now),
    replace: (commit, entry, row, ...[now]) => write(commit.check(entry), entry.key, row, now),
    delete: (commit, row) => remove(commit, row, rowKey(row)),
    deleteAt: (commit, key, row) => remove(commit, row, keyOf(...key)),
    async deleteOf(kv, owner) {
      for await (const { key, found } of ownedKeys(kv, owner)) {
        await transact(async () => {
          const entry = await kv.get<Row>(key); // it may have moved to another record
          const commit = kv.atomic();
          if (found !== key) commit.delete(found); // of an index
          if (entry.versionstamp !== null && belongsTo(entry, owner)) {
            remove(commit.check(entry), entry.value, key);
          }
          return { result: undefined, commit };
        });
      }
    },
    async move(kv, from, to, now) {
      if (typeof owner === "string") throw new TypeError(`${prefix} has no column of its record.`);
      for await (const { key } of ownedKeys(kv, from)) {
        await transact(async () => {
          const entry = await kv.get<Row>(key);
          if (entry.versionstamp === null || !belongsTo(entry, from)) return { result: undefined };
          const commit = kv.atomic().check(entry);
          remove(commit, entry.value, key);
          const moved = withOwner(entry, to);
          write(commit, moved.key, moved.value, now);
          return { result: undefined, commit };
        });
      }
    },
  };
}

/** Returns the functions that know where the rows of a table are. */
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
  /** The index that lists the rows of an owner; undefined if their keys begin with the owner. */
  const ownerIndex = ownerInKey
    ? undefined
    : indexes.find((index) => index.columns[0] === ownerColumn)?.name;
  /** Returns whether a row belongs to an owner. An index may be older than the row. */
  const belongsTo = ({ key, value }: Deno.KvEntry<Row>, owner: Deno.KvKeyPart): boolean =>
    ownerInKey ? key[1] === owner : partsOf(value, [ownerColumn!]).flat().includes(owner);
  const keyOfIndexed = (key: Deno.KvKey): Deno.KvKey => [prefix, ...key.slice(-columns.length)];

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
    /** Returns the rows of the indexes of a row. */
    indexRows: (row: Row, [, ...key]: Deno.KvKey): { key: Deno.KvKey; value: unknown }[] =>
      indexes.flatMap(({ name, keysOf, value }) =>
        keysOf(row, key).map((parts) => ({ key: [name, ...parts], value: value(row) }))
      ),
    /** Returns the key of the row that a key of an index leads to. */
    keyOfIndexed,
    /** Lists the keys of an owner's rows, each with the key that it was found by. */
    async *ownedKeys(kv: Deno.Kv, owner: Deno.KvKeyPart) {
      if (ownerColumn === undefined) return;
      if (ownerIndex === undefined && !ownerInKey) {
        for await (const entry of kv.list<Row>({ prefix: [prefix] })) {
          if (belongsTo(entry, owner)) yield { key: entry.key, found: entry.key };
        }
        return;
      }
      const single = [prefix, owner];
      if (ownerIndex === undefined) yield { key: single, found: single };
      for await (const { key: found } of kv.list({ prefix: [ownerIndex ?? prefix, owner] })) {
        yield { key: ownerIndex === undefined ? found : keyOfIndexed(found), found };
      }
    },
    belongsTo,
    /** Returns a row as it is when it belongs to another record. */
    withOwner: ({ key, value }: Deno.KvEntry<Row>, record: string) => ({
      key: key.map((part, i) => columns[i - 1] === ownerColumn ? record : part),
      value: ownerColumn! in (value as object) ? { ...value, [ownerColumn!]: record } : value,
    }),
  };
}

const partsOf = (row: unknown, columns: Columns): unknown[] =>
  columns.map((column) => (row as Record<string, unknown>)[column]);

const valuesIn = (part: unknown): Deno.KvKeyPart[] => [part].flat() as Deno.KvKeyPart[];
