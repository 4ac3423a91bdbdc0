import { type Expiring, expiring } from "./expiry.ts";
import type { Lifetime, Owner, PrivacyText, TableDescription } from "./table_description.ts";
import { transact, whenUnlocked } from "./transact.ts";

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

export interface TableOptions<
  Row,
  Key extends Columns,
  Indexes extends { readonly [prefix: string]: Columns },
> {
  /** The first part of the keys. */
  prefix: string;
  row?: RowType<Row>;
  /** The columns that identify a row, in the order of its key. Default: none. */
  key?: Key;
  /**
   * The columns of each index, by its prefix. The row's key follows them. A row with null in one of the
   * columns is not in the index.
   */
  indexes?: Indexes;
  /** The first parts of the keys of indexes that the feature writes itself. */
  otherIndexes?: readonly string[];
  /**
   * Whom the rows belong to. With a column, which is the first one of the key or of an index, the rows
   * are deleted with the record. Without one, the feature deletes them.
   */
  owner: Owner | { record: string };
  lifetime: Lifetime;
  /** The cause of a new row, such as `sign-in link`. */
  per: string;
  /** What the privacy page says. Default: nothing, because the rows are not about people. */
  privacy?: PrivacyText | readonly PrivacyText[];
}

/** A table, as its feature reads and writes it. */
export interface Table<Row, Key extends readonly unknown[], Index extends string>
  extends TableDescription {
  key(...key: Key): Deno.KvKey;
  /** Reads a row as an entry that a commit can check. It may have expired. */
  get(kv: Deno.Kv, ...key: Key): Promise<Deno.KvEntryMaybe<Row>>;
  /** Reads rows in the given order, without those that do not exist. They may have expired. */
  getMany(kv: Deno.Kv, keys: readonly Key[]): Promise<Deno.KvEntry<Row>[]>;
  /**
   * Reads the rows whose columns in an index begin with `columns`, in the order of the index.
   * They may have expired.
   */
  find(
    kv: Deno.Kv,
    index: Index,
    columns: readonly Deno.KvKeyPart[],
    options?: Deno.KvListOptions,
  ): Promise<Deno.KvEntry<Row>[]>;
  /** Adds a new or changed row to a commit, with its indexes. The indexed columns do not change. */
  set(
    commit: Deno.AtomicOperation,
    row: Row,
    ...now: Row extends Expiring ? [now: number] : []
  ): void;
  /** Adds the deletion of a row and its indexes to a commit. */
  delete(commit: Deno.AtomicOperation, row: Row): void;
  /** Moves all rows to the record that corrects `from`. Needs a column of the owner. */
  move(kv: Deno.Kv, from: string, to: string, now: number): Promise<void>;
}

/** The number of keys that one read may have. */
const MOST_KEYS = 10;

/**
 * Declares a table of the store. Features list their tables in `feature.ts`; the privacy page, the
 * retention table, the deletion of records and the tests of the store follow from that.
 *
 * @example
 * ```ts
 * const notes = defineTable({
 *   prefix: "notes",
 *   row: rowType<{ id: string; record: string; text: string }>(),
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
  const Indexes extends { readonly [prefix: string]: Columns } = Record<never, never>,
>(
  options: TableOptions<Row, Key, Indexes>,
): Table<Row, KeyParts<Row, Key>, keyof Indexes & string> {
  type Parts = KeyParts<Row, Key>;
  const { prefix, key: keyColumns = [], lifetime, per, privacy = [] } = options;
  const indexes: { readonly [prefix: string]: Columns } = options.indexes ?? {};
  const column = typeof options.owner === "object" ? options.owner.record : undefined;

  const keyOf = (row: Row): Deno.KvKey => [prefix, ...partsOf(row, keyColumns) as Deno.KvKeyPart[]];
  const indexKeys = (row: Row, [, ...key]: Deno.KvKey): Deno.KvKey[] =>
    Object.entries(indexes).flatMap(([index, columns]) => {
      const parts = partsOf(row, columns);
      return parts.some((part) => part === null || part === undefined)
        ? []
        : [[index, ...parts as Deno.KvKeyPart[], ...key]];
    });

  function set(commit: Deno.AtomicOperation, row: Row, now?: number): void {
    const lasts = lifetime.removedBy === "store" ? expiring(row as Expiring, now!) : undefined;
    const key = keyOf(row);
    commit.set(key, row, lasts);
    for (const index of indexKeys(row, key)) commit.set(index, null, lasts);
  }

  function remove(commit: Deno.AtomicOperation, row: Row, key = keyOf(row)): void {
    commit.delete(key);
    for (const index of indexKeys(row, key)) commit.delete(index);
  }

  async function read(kv: Deno.Kv, keys: readonly Deno.KvKey[]): Promise<Deno.KvEntry<Row>[]> {
    const reads = Array.from({ length: Math.ceil(keys.length / MOST_KEYS) }, (_, i) => {
      const some = keys.slice(i * MOST_KEYS, (i + 1) * MOST_KEYS);
      return whenUnlocked(() => kv.getMany<Row[]>(some));
    });
    return (await Promise.all(reads)).flat().filter((entry) => entry.versionstamp !== null);
  }

  async function find(
    kv: Deno.Kv,
    index: string,
    columns: readonly Deno.KvKeyPart[],
    options?: Deno.KvListOptions,
  ): Promise<Deno.KvEntry<Row>[]> {
    const selector = { prefix: [index, ...columns] };
    const keys = await whenUnlocked(() =>
      Array.fromAsync(
        kv.list(selector, options),
        ({ key }) => [prefix, ...key.slice(-keyColumns.length)],
      )
    );
    return await read(kv, keys);
  }

  /** The first part of the keys that list the rows of a record. */
  const ownedBy = column === undefined || keyColumns[0] === column
    ? prefix
    : Object.keys(indexes).find((index) => indexes[index][0] === column)!;

  /** Lists what belongs to a record: the keys of rows, each with the key that it was found by. */
  async function* ownedKeys(kv: Deno.Kv, record: string): AsyncGenerator<[Deno.KvKey, Deno.KvKey]> {
    if (column === undefined) return;
    if (ownedBy === prefix) yield [[prefix, record], [prefix, record]];
    for await (const { key } of kv.list({ prefix: [ownedBy, record] })) {
      yield [ownedBy === prefix ? key : [prefix, ...key.slice(-keyColumns.length)], key];
    }
  }

  async function deleteOf(kv: Deno.Kv, record: string): Promise<void> {
    for await (const [key, found] of ownedKeys(kv, record)) {
      await transact(async () => {
        const { value, versionstamp } = await kv.get<Row>(key);
        const commit = kv.atomic().delete(found);
        if (versionstamp !== null) remove(commit, value, key);
        return { result: undefined, commit };
      });
    }
  }

  async function move(kv: Deno.Kv, from: string, to: string, now: number): Promise<void> {
    for await (const [key] of ownedKeys(kv, from)) {
      await transact(async () => {
        const entry = await kv.get<Row & Record<string, unknown>>(key);
        if (entry.value?.[column!] !== from) return { result: undefined };
        const commit = kv.atomic().check(entry);
        remove(commit, entry.value, key);
        set(commit, { ...entry.value, [column!]: to }, now);
        return { result: undefined, commit };
      });
    }
  }

  return {
    prefix,
    indexes: [...Object.keys(indexes), ...options.otherIndexes ?? []],
    owner: typeof options.owner === "object" ? "record" : options.owner,
    lifetime,
    per,
    privacy: [privacy].flat(),
    key: (...key: Parts) => [prefix, ...key as readonly Deno.KvKeyPart[]],
    get: (kv, ...key) => kv.get<Row>([prefix, ...key as readonly Deno.KvKeyPart[]]),
    getMany: (kv, keys) =>
      read(kv, keys.map((key) => [prefix, ...key as readonly Deno.KvKeyPart[]])),
    find,
    set,
    delete: (commit, row) => remove(commit, row),
    deleteOf,
    move,
  };
}

const partsOf = (row: unknown, columns: Columns): unknown[] =>
  columns.map((column) => (row as Record<string, unknown>)[column]);
