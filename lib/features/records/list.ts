import { contactEntries, contactKey, ownerOf, type StoredContact } from "../contact/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { createMatcher, type RecordFilters } from "./filters.ts";
import { newRow, readRecord, type RecordEntry, recordKey, type RecordRow } from "./store.ts";

export const SORTS = ["newest", "oldest"] as const;
export type RecordSort = typeof SORTS[number];

export interface ListQuery extends RecordFilters {
  /** Defaults to `newest`. */
  sort?: RecordSort;
  /** Continues after an earlier page. An invalid cursor starts at the beginning. */
  after?: string;
  /** Returns the page before a later one. Not together with `after`. */
  before?: string;
  /** Defaults to {@link LIST_SIZE}. */
  limit?: number;
}

/** A page of an organisation's records. */
export interface RecordList {
  records: RecordEntry[];
  /** Continues after this page; null on the last one. */
  next: string | null;
  /** Returns to the page before this one; null on the first one. */
  previous: string | null;
  /**
   * The registration time up to which records were read, if time ran out before the page was full.
   * Then `next` or `previous` continues from there.
   */
  readTo: string | null;
}

export const LIST_SIZE = 25;

/** The time limit for reading a page. After it, the page ends even if it is not full. */
export const READ_BUDGET_MS = 700;

const PREFIX = "contacts_by_time";
/** The position where a page continues: the time and the hash of the last record of the page before it. */
const CURSOR = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_([\da-f]{64})$/;
const BATCH = 500;
const MOST_KEYS = 10; // that `getMany` reads

export interface ListOptions {
  kv: Deno.Kv;
  /** Milliseconds on any scale, for the time budget. */
  elapsed?: () => number;
}

/**
 * Lists the records of one organisation by the time of their registration. Without filters, a page
 * costs the same for any number of records.
 */
export async function listRecords(
  { kv, elapsed = () => performance.now() }: ListOptions,
  organisation: OrganisationKey,
  query: ListQuery = {},
): Promise<RecordList> {
  const { sort = "newest", limit = LIST_SIZE } = query;
  const backwards = query.before !== undefined && isCursor(query.before);
  const cursor = [query.before, query.after].find((each) => each !== undefined && isCursor(each));
  const direction = { descending: (sort === "newest") !== backwards, cursor, batch: limit + 1 };
  const end = elapsed() + READ_BUDGET_MS;
  const records: RecordEntry[] = [];
  let more: string | null = null;
  let readTo: string | null = null;
  for await (const batch of readByTime(kv, organisation, query, direction)) {
    for (const record of batch.records) {
      if (records.length === limit) {
        more = cursorOf(records[limit - 1]);
        break;
      }
      records.push(record);
    }
    if (more !== null) break;
    if (elapsed() < end || batch.last === null) continue;
    more = batch.last.join("_");
    readTo = batch.last[0];
    break;
  }
  if (!backwards) {
    const previous = cursor === undefined
      ? null
      : records.length === 0
      ? cursor
      : cursorOf(records[0]);
    return { records, next: more, previous, readTo };
  }
  records.reverse();
  return {
    records,
    next: records.length === 0 ? cursor! : cursorOf(records.at(-1)!),
    previous: more,
    readTo,
  };
}

/** The most records that {@link newestRecords} returns: one read has their contacts and rows. */
const MOST_NEWEST = MOST_KEYS / 2;

/** Returns the newest records of one organisation with two reads, at most {@link MOST_NEWEST}. */
export async function newestRecords(
  kv: Deno.Kv,
  organisation: OrganisationKey,
): Promise<RecordEntry[]> {
  const options = { limit: MOST_NEWEST, batchSize: MOST_NEWEST, reverse: true };
  const hashes = await Array.fromAsync(
    kv.list({ prefix: [PREFIX, organisation] }, options),
    ({ key }) => String(key[3]),
  );
  if (hashes.length === 0) return [];
  const keys = [...hashes.map(contactKey), ...hashes.map(recordKey)];
  const entries = await kv.getMany<(StoredContact | RecordRow)[]>(keys);
  const records = hashes.flatMap((hash, i): RecordEntry[] => {
    const contact = entries[i] as Deno.KvEntryMaybe<StoredContact>;
    const entry = entries[hashes.length + i] as Deno.KvEntryMaybe<RecordRow>;
    if (contact.versionstamp === null) return [];
    return [{ hash, contact, entry, row: entry.value ?? newRow(contact.value) }];
  });
  if (records.length === hashes.length) return records;
  // One of them was deleted in the meantime.
  return (await listRecords({ kv }, organisation, { limit: MOST_NEWEST })).records;
}

/** Returns every record that matches, for an export. */
export async function* allRecords(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: RecordFilters & Pick<ListQuery, "sort">,
): AsyncGenerator<RecordEntry> {
  const direction = { descending: query.sort !== "oldest", batch: BATCH };
  for await (const { records } of readByTime(kv, organisation, query, direction)) yield* records;
}

/** Reads a record of one organisation. Returns null if it belongs to the other one. */
export async function readRecordOf(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  hash: string,
): Promise<RecordEntry | null> {
  const record = await readRecord(kv, hash);
  return record !== null && ownerOf(record.contact.value) === organisation ? record : null;
}

/**
 * Reads the records that match, in batches.
 *
 * @param direction `batch` is the number of records that the first batch reads
 * @returns the records of each batch, and the time and hash of the last one that was read; null in
 * the last batch
 */
async function* readByTime(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  filters: RecordFilters,
  { descending, cursor, batch: size }: { descending: boolean; cursor?: string; batch: number },
): AsyncGenerator<{ records: RecordEntry[]; last: [at: string, hash: string] | null }> {
  const matches = createMatcher(filters);
  const prefix = [PREFIX, organisation];
  let start = [...prefix, filters.from ?? ""];
  // A letter follows every time of the last day, and every time at all.
  let end = [...prefix, filters.to === undefined ? "Z" : `${filters.to}Z`];
  const continueAfter = (after: string[]) => {
    const key = [...prefix, ...after];
    if (descending && after[0] < end[2]) end = key;
    // The smallest key after it, because `start` includes its key.
    else if (!descending && after[0] >= start[2]) start = [...key.slice(0, -1), `${key.at(-1)}\0`];
  };
  if (cursor !== undefined) continueAfter(partsOf(cursor));
  for (let limit = size;; limit = BATCH) {
    // A cursor outside the period leaves nothing to read, and a range must not end before it starts.
    if (start[2] > end[2]) return;
    const options = { limit, batchSize: Math.min(limit, BATCH), reverse: descending };
    const keys = await Array.fromAsync(
      kv.list({ start, end }, options),
      ({ key }) => key.slice(2).map(String),
    );
    const records = await readMatching(kv, keys.map(([, hash]) => hash), matches, filters);
    const last = keys.length < limit ? null : keys.at(-1) as [string, string];
    yield { records, last };
    if (last === null) return;
    continueAfter(last);
  }
}

/** Reads the records that match, in the given order. Rows are read only if the contact matches. */
async function readMatching(
  kv: Deno.Kv,
  hashes: readonly string[],
  matches: (contact: StoredContact, hash: string) => boolean,
  { level }: RecordFilters,
): Promise<RecordEntry[]> {
  const contacts = await contactEntries(kv, hashes);
  const matching = contacts.filter(({ key, value }) => matches(value, String(key[1])));
  const records = await withRows(kv, matching);
  return level === undefined ? records : records.filter(({ row }) => row.level === level);
}

/** Reads the rows of contacts. */
export async function withRows(
  kv: Deno.Kv,
  contacts: readonly Deno.KvEntry<StoredContact>[],
): Promise<RecordEntry[]> {
  const hashes = contacts.map(({ key }) => String(key[1]));
  const entries = await kv.getMany<RecordRow[]>(hashes.map(recordKey));
  return contacts.map((contact, i) => ({
    hash: hashes[i],
    contact,
    entry: entries[i],
    row: entries[i].value ?? newRow(contact.value),
  }));
}

const isCursor = (text: string): boolean => CURSOR.test(text);
const partsOf = (cursor: string): string[] => CURSOR.exec(cursor)!.slice(1);
const cursorOf = ({ hash, contact }: RecordEntry): string =>
  `${contact.value.registered_at}_${hash}`;
