import { createDerivedValues } from "../../platform/kv/mod.ts";
import { readByTime, type RowPosition } from "../../platform/listing/pages.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { contacts, contactTimes, type StoredContact } from "../contact/mod.ts";
import { type Level, type RecordEntry, withRows } from "../records/mod.ts";
import { rowOf } from "./enquiry.ts";
import { inboxList, type InboxQuery } from "./filters.ts";
import { enquiries, type EnquiryRow, versionKey } from "./store.ts";

/** An enquiry as a list shows it. */
export interface InboxItem {
  hash: string;
  contact: StoredContact;
  row: EnquiryRow;
  level: Level;
  /** True if the holder has deleted the record, which is erased later. */
  deleted: boolean;
}

export interface InboxPage {
  items: InboxItem[];
  /** Continues after this page; null on the last one. */
  next: RowPosition | null;
  /** The time up to which enquiries were read, if time ran out before the page was full. */
  readTo: string | null;
}

/** The number of enquiries in each state, at most {@link MOST_COUNTED}. */
export interface InboxCounts {
  new: number;
  open: number;
  answered: number;
  /** When the oldest new enquiry was registered; null if there is none. */
  since: string | null;
}

export const PAGE_SIZE = 25;
export const MOST_COUNTED = 500;
/** The time limit for reading a page, as for records. */
const READ_BUDGET_MS = 700;
const INDEX = "inbox_by_state";

export interface ListOptions {
  kv: Deno.Kv;
  /** Milliseconds on any scale, for the time budget. */
  elapsed?: (() => number) | undefined;
}

/**
 * Lists enquiries by the time of their registration. Those that are not closed come from an index, the
 * others from all records.
 *
 * @param matches tests what the filters do not, such as the owner
 */
export async function listEnquiries(
  { kv, elapsed = () => performance.now() }: ListOptions,
  organisation: OrganisationKey,
  { state, sort, from, to, after, ...query }: InboxQuery,
  matches: (row: EnquiryRow) => boolean = () => true,
): Promise<InboxPage> {
  const indexed = state !== "closed" && state !== "all";
  const prefix = indexed ? [INDEX, organisation, state] : [contactTimes.prefix, organisation];
  const range = {
    ...{ from, to },
    after: after && [after.at, after.id] as const,
    oldestFirst: sort === "oldest",
    first: PAGE_SIZE + 1,
  };
  const test = inboxList.matcher(query);
  const end = elapsed() + READ_BUDGET_MS;
  const items: InboxItem[] = [];
  let last: RowPosition | null = null;
  for await (const { entries, next } of readByTime(kv, prefix, range)) {
    const found = await readItems(kv, entries.map(({ key }) => String(key.at(-1))));
    for (const { key } of entries) {
      const [at, id] = key.slice(-2).map(String);
      const item = found.get(id);
      const fits = item !== undefined && (indexed || state === "all" || item.row.state === state) &&
        test(item) && matches(item.row);
      if (fits && items.length === PAGE_SIZE) return { items, next: last, readTo: null };
      if (fits) items.push(item);
      last = { at, id };
    }
    if (next === null) break;
    if (elapsed() >= end) return { items, next: last, readTo: next[0] };
  }
  return { items, next: null, readTo: null };
}

/** Reads the enquiries of records, without those that a correction replaces or will be. */
async function readItems(
  kv: Deno.Kv,
  hashes: readonly string[],
): Promise<Map<string, InboxItem>> {
  const keys = hashes.map((hash): [string] => [hash]);
  const [found, rows] = await Promise.all([
    contacts.getMany(kv, keys).then((entries) => withRows(kv, entries)),
    enquiries.getMany(kv, keys),
  ]);
  const stored = new Map(rows.map(({ value }) => [value.record, value]));
  return new Map(
    found.filter(isEnquiry).map((record) => [record.hash, {
      hash: record.hash,
      contact: record.contact.value,
      row: stored.get(record.hash) ?? rowOf(record),
      level: record.row.level,
      deleted: Boolean(record.row.deletion_at),
    }]),
  );
}

const isEnquiry = ({ row: { replaces, replaced_by, counted, deletion_at } }: RecordEntry) =>
  replaced_by === null && !(replaces !== null && counted === null && !deletion_at);

/** Creates a function that counts the enquiries of an organisation again only after a change. */
export function createCounts(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
): (organisation: OrganisationKey) => Promise<InboxCounts> {
  const derived = createDerivedValues({ clock });
  return async (organisation) => {
    const { versionstamp } = await kv.get(versionKey(organisation));
    return await derived.get(organisation, versionstamp, async () => {
      const list = (state: string) =>
        Array.fromAsync(
          kv.list({ prefix: [INDEX, organisation, state] }, { limit: MOST_COUNTED }),
          ({ key }) => String(key[3]),
        );
      const [waiting, open, answered] = await Promise.all(["new", "open", "answered"].map(list));
      return {
        value: {
          new: waiting.length,
          open: open.length,
          answered: answered.length,
          since: waiting[0] ?? null,
        },
      };
    });
  };
}
