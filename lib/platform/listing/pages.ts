/**
 * The reading of rows by time, page by page.
 *
 * @module
 */
import { type Expiring, isLive, type Table } from "../kv/mod.ts";

const BATCH = 500;

/** The time and the id at the end of a row's key. */
export type TimeKey = readonly [at: string, id: string];

/** The time and the id of a row, where the next page continues. */
export interface RowPosition {
  /** ISO 8601 in UTC. */
  at: string;
  id: string;
}

/** The rows to read, and their order. */
export interface TimeRange {
  /** First and last day, `YYYY-MM-DD` in UTC. */
  from?: string;
  to?: string;
  /** Continues after a row in this order. */
  after?: TimeKey;
  oldestFirst?: boolean;
  /** How many rows the first batch has: usually enough for a page. */
  first?: number;
}

/** Rows that are read together. */
interface Batch<Value> {
  entries: Deno.KvEntry<Value>[];
  /** Continues after this batch; null if it is the last one. */
  next: TimeKey | null;
}

/**
 * Reads rows with the keys `[...prefix, time, id]` in batches, by default the newest first. The times
 * are ISO 8601 in UTC.
 */
export async function* readByTime<Value>(
  kv: Deno.Kv,
  prefix: readonly string[],
  { from = "", to, after, oldestFirst = false, first = BATCH }: TimeRange = {},
): AsyncGenerator<Batch<Value>> {
  let start: TimeKey | [string] = [from];
  // "Z" sorts after every time, and after a date it sorts after every time of that day.
  let end: TimeKey | [string] = [to === undefined ? "Z" : `${to}Z`];
  let limit = Math.min(first, BATCH);
  for (let last = after;;) {
    if (last !== undefined && !oldestFirst && isBefore(last, end)) end = last;
    // This is the smallest key after it, because `start` includes its key.
    if (last !== undefined && oldestFirst && last[0] >= start[0]) start = [last[0], `${last[1]}\0`];
    // A position outside the period leaves nothing to read, and a range must not end before it starts.
    if (start[0] > end[0]) return;
    const range = { start: [...prefix, ...start], end: [...prefix, ...end] };
    const options = { limit, batchSize: limit, reverse: !oldestFirst };
    const entries = await Array.fromAsync(kv.list<Value>(range, options));
    const [at, id] = entries.at(-1)?.key.slice(prefix.length).map(String) ?? [];
    const next: TimeKey | null = entries.length < limit ? null : [at, id];
    yield { entries, next };
    if (next === null) return;
    last = next;
    limit = BATCH;
  }
}

/** Returns whether a row comes before the end of a range, which may be a time without an id. */
const isBefore = ([at, id]: TimeKey, [endAt, endId]: TimeKey | [string]): boolean =>
  at < endAt || at === endAt && endId !== undefined && id < endId;

/**
 * Reads the rows of a table with the keys `[...key, time, id]`, without those that have expired, by
 * default the newest first.
 */
export async function* readRows<Row extends Expiring>(
  kv: Deno.Kv,
  { prefix }: Pick<Table<Row, never, never>, "prefix" | "list">,
  key: readonly string[],
  now: number,
  { after, ...range }: Omit<TimeRange, "after"> & { after?: RowPosition } = {},
): AsyncGenerator<Row> {
  const batches = readByTime<Row>(kv, [prefix, ...key], {
    ...range,
    after: after && [after.at, after.id],
  });
  for await (const { entries } of batches) {
    yield* entries.map(({ value }) => value).filter((row) => isLive(row, now));
  }
}

/**
 * Reads the rows that an index lists below the keys `[...index, time, id]`, like {@link readRows}.
 *
 * @param index the index's prefix and columns, the last of which are the first parts of a row's key
 */
export async function* readIndexed<Row extends Expiring>(
  kv: Deno.Kv,
  table: Pick<Table<Row, readonly [string, string, string], never>, "getMany">,
  index: readonly string[],
  now: number,
  { after, ...range }: Omit<TimeRange, "after"> & { after?: RowPosition } = {},
): AsyncGenerator<Row> {
  const batches = readByTime(kv, index, { ...range, after: after && [after.at, after.id] });
  for await (const { entries } of batches) {
    const keys = entries.map(({ key }) => key.slice(-3) as [string, string, string]);
    const rows = await table.getMany(kv, keys);
    yield* rows.map(({ value }) => value).filter((row) => isLive(row, now));
  }
}

/**
 * Collects the rows of a page.
 *
 * @param options.most how many rows are read; then the page ends, whether or not it is full. Default: all
 * @param options.matches whether a row is on the page. Default: it is
 * @returns the rows that match, and the row after which the next page begins; null on the last page
 */
export async function readPage<Row extends RowPosition>(
  rows: AsyncIterable<Row>,
  { size, most = Infinity, matches = () => true }: {
    size: number;
    most?: number;
    matches?: (row: Row) => boolean;
  },
): Promise<{ page: Row[]; next: RowPosition | null }> {
  const page: Row[] = [];
  let last: Row | undefined;
  let read = 0;
  for await (const row of rows) {
    if (read++ === most) return { page, next: positionOf(last) };
    if (matches(row)) {
      if (page.length === size) return { page, next: positionOf(page.at(-1)) };
      page.push(row);
    }
    last = row;
  }
  return { page, next: null };
}

const positionOf = (row: RowPosition | undefined): RowPosition | null =>
  row === undefined ? null : { at: row.at, id: row.id };
