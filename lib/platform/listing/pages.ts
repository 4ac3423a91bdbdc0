const BATCH = 500;

/** The time and the id at the end of a row's key. */
export type TimeKey = readonly [at: string, id: string];

/** Which rows to read, and in which order. */
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
export interface Batch<Value> {
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
  // A letter follows every time of the last day, and every time at all.
  let end: TimeKey | [string] = [to === undefined ? "Z" : `${to}Z`];
  let limit = Math.min(first, BATCH);
  for (let last = after;;) {
    if (last !== undefined && !oldestFirst && last[0] < end[0]) end = last;
    // The smallest key after it, because `start` includes its key.
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

/**
 * Collects the items of a page.
 *
 * @param options.most how many items are read; then the page ends, whether or not it is full
 * @returns the items that match, and the item after which the next page begins; null on the last page
 */
export async function readPage<Item>(
  items: AsyncIterable<Item>,
  { size, most, matches }: {
    size: number;
    most: number;
    matches: (item: Item) => boolean | Promise<boolean>;
  },
): Promise<{ page: Item[]; last: Item | null }> {
  const page: Item[] = [];
  let last: Item | null = null;
  let read = 0;
  for await (const item of items) {
    if (read++ === most) return { page, last };
    if (await matches(item)) {
      if (page.length === size) return { page, last: page.at(-1)! };
      page.push(item);
    }
    last = item;
  }
  return { page, last: null };
}
