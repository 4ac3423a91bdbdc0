import { contacts, ownerOf, type StoredContact } from "../contact/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { readByTime, type TimeKey, type TimeRange } from "../../platform/listing/pages.ts";
import { RECORD_CURSOR, type RecordFilters, recordList } from "./filters.ts";
import { newRow, readRecord, type RecordEntry, type RecordRow, recordRows } from "./store.ts";

export interface ListQuery extends RecordFilters {
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
const READ_BUDGET_MS = 700;

const PREFIX = "contacts_by_time";

export interface ListOptions {
  kv: Deno.Kv;
  /** Milliseconds on any scale, for the time budget. */
  elapsed?: (() => number) | undefined;
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
  const range: Range = {
    oldestFirst: (sort === "oldest") !== backwards,
    after: cursor === undefined ? undefined : keyOf(cursor),
    first: limit + 1,
  };
  const end = elapsed() + READ_BUDGET_MS;
  const records: RecordEntry[] = [];
  let more: string | null = null;
  let readTo: string | null = null;
  for await (const batch of readBatches(kv, organisation, query, range)) {
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

/** Returns every record that matches, for an export. */
export async function* allRecords(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: RecordFilters,
): AsyncGenerator<RecordEntry> {
  const batches = readBatches(kv, organisation, query, { oldestFirst: query.sort === "oldest" });
  for await (const { records } of batches) yield* records;
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
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: RecordFilters,
  range: Range,
): AsyncGenerator<{ records: RecordEntry[]; last: TimeKey | null }> {
  const period = { from: query.from, to: query.to };
  for await (
    const { entries, next } of readByTime(kv, [PREFIX, organisation], { ...range, ...period })
  ) {
    const hashes = entries.map(({ key }) => String(key.at(-1)));
    yield { records: await readMatching(kv, hashes, query), last: next };
  }
}

/** Reads the records that match, in the given order. Rows are read only if the contact matches. */
async function readMatching(
  kv: Deno.Kv,
  hashes: readonly string[],
  query: RecordFilters,
): Promise<RecordEntry[]> {
  const { level } = query;
  const matches = recordList.matcher(query);
  const found = await contacts.getMany(kv, hashes.map((hash): [string] => [hash]));
  const matching = found.filter(({ key, value }) =>
    matches({ contact: value, hash: String(key[1]) })
  );
  const records = await withRows(kv, matching);
  return level === undefined ? records : records.filter(({ row }) => row.level === level);
}

/** Reads the rows of contacts. */
export async function withRows(
  kv: Deno.Kv,
  contacts: readonly Deno.KvEntry<StoredContact>[],
): Promise<RecordEntry[]> {
  const hashes = contacts.map(({ key }) => String(key[1]));
  const entries = await kv.getMany<RecordRow[]>(hashes.map((hash) => recordRows.key(hash)));
  return contacts.map((contact, i) => ({
    hash: hashes[i],
    contact,
    entry: entries[i],
    row: entries[i].value ?? newRow(contact.value),
  }));
}

const isCursor = (text: string): boolean => RECORD_CURSOR.test(text);
const keyOf = (cursor: string) => cursor.split("_") as [at: string, hash: string];
const cursorOf = ({ hash, contact }: RecordEntry): string =>
  `${contact.value.registered_at}_${hash}`;
