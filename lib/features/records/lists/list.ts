/** The list of records in the console, page by page. */

import {
  type ContactIndex,
  contacts,
  type FoundBatch,
  listPrefix,
  ownerOf,
  type StoredContact,
} from "../../contact/mod.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import {
  readByTime,
  type RowPosition,
  type TimeKey,
  type TimeRange,
} from "../../../platform/listing/pages.ts";
import { NO_TYPE, type RecordFilters, recordList } from "./filters.ts";
import { search, wordTest } from "./search.ts";
import {
  newRow,
  readRecord,
  type RecordEntry,
  type RecordRow,
  recordRows,
} from "../record/store.ts";

export interface ListQuery extends RecordFilters {
  /** Defaults to {@link LIST_SIZE}. */
  limit?: number;
}

/** A page of an organisation's records. */
export interface RecordList {
  records: RecordEntry[];
  /** Continues after this page; null on the last one. */
  next: RowPosition | null;
  /** Returns to the page before this one; null on the first one. */
  previous: RowPosition | null;
  /**
   * The registration time up to which records were read, if few of those that were found match the other
   * filters. Then `next` or `previous` continues from there.
   */
  readTo: string | null;
}

export const LIST_SIZE = 20;

/** How many rows are read for a page. After them, the page ends even if it is not full. */
const MOST_READ = 500;

export interface ListOptions {
  kv: Deno.Kv;
  /** Finds the records of a search. */
  index: ContactIndex;
  /** Called with the hashes of each batch, to read what belongs to the records at the same time. */
  onRead?: (hashes: readonly string[]) => void;
}

/**
 * Lists or searches the records of one organisation by the time of their registration. A page costs the
 * same for any number of records: each combination of filters has an index, and so has each word.
 */
export async function listRecords(
  options: ListOptions,
  organisation: OrganisationKey,
  query: ListQuery = {},
): Promise<RecordList> {
  const { sort = "newest", limit = LIST_SIZE } = query;
  const backwards = query.before !== undefined;
  const start = query.before ?? query.after ?? null;
  const range: Range = {
    oldestFirst: (sort === "oldest") !== backwards,
    after: start === null ? undefined : [start.at, start.id],
    first: limit + 1,
  };
  let read = 0;
  const records: RecordEntry[] = [];
  let more: RowPosition | null = null;
  let readTo: string | null = null;
  for await (const batch of readBatches(options, organisation, query, range)) {
    for (const record of batch.records) {
      if (records.length === limit) {
        more = positionOf(records[limit - 1]);
        break;
      }
      records.push(record);
    }
    if (more !== null) break;
    read += batch.read;
    if (read < MOST_READ || batch.last === null) continue;
    more = { at: batch.last[0], id: batch.last[1] };
    readTo = batch.last[0];
    break;
  }
  if (!backwards) {
    const previous = start === null || records.length === 0 ? start : positionOf(records[0]);
    return { records, next: more, previous, readTo };
  }
  records.reverse();
  return {
    records,
    next: records.length === 0 ? start : positionOf(records.at(-1)!),
    previous: more,
    readTo,
  };
}

/** Returns every record that matches, for an export. */
export async function* allRecords(
  options: ListOptions,
  organisation: OrganisationKey,
  query: RecordFilters,
): AsyncGenerator<RecordEntry> {
  const range = { oldestFirst: query.sort === "oldest" };
  for await (const { records } of readBatches(options, organisation, query, range)) yield* records;
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

type Range = Pick<TimeRange, "oldestFirst" | "after" | "first">;

/** Reads the records that match, in batches with the last time and hash that were read. */
async function* readBatches(
  { kv, index, onRead }: ListOptions,
  organisation: OrganisationKey,
  query: RecordFilters,
  range: Range,
): AsyncGenerator<{ records: RecordEntry[]; read: number; last: TimeKey | null }> {
  const { text, from, to } = query;
  const places = { ...range, ...from && { from }, ...to && { to } };
  const batches = text === undefined
    ? readList(kv, organisation, query, places)
    : search({ kv, index }, organisation, text, places);
  for await (const { places, read, next, byWords } of batches) {
    const hashes = places.map(([, hash]) => hash);
    const test = byWords ? wordTest(text!) : undefined;
    onRead?.(hashes);
    yield { records: await readMatching(kv, hashes, query, test), read, last: next };
  }
}

/** Reads the list of a combination of filters. */
async function* readList(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  { level, type, confirmed }: RecordFilters,
  range: TimeRange,
): AsyncGenerator<FoundBatch & { byWords: false }> {
  const prefix = listPrefix(organisation, {
    ...level !== undefined && { level },
    ...type !== undefined && { type: type === NO_TYPE ? "" : type },
    ...confirmed !== undefined && { confirmed },
  });
  for await (const { entries, next } of readByTime(kv, prefix, range)) {
    const places = entries.map(({ key }): TimeKey => [String(key.at(-2)), String(key.at(-1))]);
    yield { places, read: entries.length, next, byWords: false };
  }
}

/** Reads the records that match, in the given order. */
async function readMatching(
  kv: Deno.Kv,
  hashes: readonly string[],
  query: RecordFilters,
  test: (contact: StoredContact) => boolean = () => true,
): Promise<RecordEntry[]> {
  const matches = recordList.matcher(query);
  const records = await readRecords(kv, hashes);
  return records.filter(({ contact: { value }, row }) =>
    matches({ contact: value, row }) && test(value)
  );
}

/** Reads records, their contacts and rows at the same time. Those that do not exist are left out. */
async function readRecords(
  kv: Deno.Kv,
  hashes: readonly string[],
): Promise<RecordEntry[]> {
  if (hashes.length === 0) return [];
  const [found, entries] = await Promise.all([
    kv.getMany<StoredContact[]>(hashes.map((hash) => contacts.key(hash))),
    kv.getMany<RecordRow[]>(hashes.map((hash) => recordRows.key(hash))),
  ]);
  return found.flatMap((contact, i) =>
    contact.versionstamp === null ? [] : [{
      hash: hashes[i],
      contact,
      entry: entries[i],
      row: entries[i].value ?? newRow(contact.value),
    }]
  );
}

const positionOf = ({ hash, contact }: RecordEntry): RowPosition => ({
  at: contact.value.registered_at,
  id: hash,
});
