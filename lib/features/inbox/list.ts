/** Lists, searches and counts the enquiries of an organisation. */
import { createDerivedValues } from "../../platform/kv/mod.ts";
import {
  readByTime,
  type RowPosition,
  type TimeKey,
  type TimeRange,
} from "../../platform/listing/pages.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import {
  type ContactIndex,
  contacts,
  contactTimes,
  type FoundBatch,
  type StoredContact,
} from "../contact/mod.ts";
import { deletedAmong, replacedAmong, search, wordTest } from "../records/mod.ts";
import { inboxList, type InboxQuery, type View } from "./filters.ts";
import { isWaiting } from "./states.ts";
import { enquiries, type EnquiryRow, versionKey } from "./store.ts";

/** An enquiry as a list shows it. */
export interface InboxItem {
  hash: string;
  contact: StoredContact;
  row: EnquiryRow;
  /** True if the deletion of the record is scheduled or in progress. */
  deleted: boolean;
}

/** A page of enquiries. */
export interface InboxPage {
  items: InboxItem[];
  /** Continues after this page; null on the last one. */
  next: RowPosition | null;
  /** The time up to which enquiries were read, if the page is not full because many did not match. */
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

export const PAGE_SIZE = 20;
/** The most enquiries of a state that are counted. */
export const MOST_COUNTED = 500;
/** How many rows are read for a page. After them, the page ends even if it is not full. */
const MOST_READ = 500;
const INDEX = "inbox_by_state";

export interface ListOptions {
  kv: Deno.Kv;
  /** Finds the records of a search. */
  index: ContactIndex;
}

/**
 * Lists enquiries by the time of their registration, or searches them. Each state has an index; all of
 * them are those of all records.
 *
 * @param matches tests what the filters do not, such as the owner
 */
export async function listEnquiries(
  options: ListOptions,
  organisation: OrganisationKey,
  { text, state, sort, from, to, after, ...query }: InboxQuery,
  matches: (row: EnquiryRow) => boolean = () => true,
): Promise<InboxPage> {
  const range = {
    ...from && { from },
    ...to && { to },
    ...after && { after: [after.at, after.id] as const },
    oldestFirst: sort === "oldest",
    first: PAGE_SIZE + 1,
  };
  const batches = text === undefined
    ? readList(options.kv, organisation, state, range)
    : search(options, organisation, text, range);
  const test = inboxList.matcher(query);
  const items: InboxItem[] = [];
  let last: RowPosition | null = null;
  let rows = 0;
  for await (const { places, read, next, byWords } of batches) {
    const hasWords = byWords ? wordTest(text!) : () => true;
    const found = await readItems(options.kv, places.map(([, hash]) => hash), state);
    for (const [at, id] of places) {
      const item = found.get(id);
      const fits = item !== undefined && isIn(item.row, state) && test(item) &&
        hasWords(item.contact) && matches(item.row);
      if (fits && items.length === PAGE_SIZE) return { items, next: last, readTo: null };
      if (fits) items.push(item);
      last = { at, id };
    }
    rows += read;
    if (next === null) break;
    last = { at: next[0], id: next[1] };
    if (rows >= MOST_READ) return { items, next: last, readTo: next[0] };
  }
  return { items, next: null, readTo: null };
}

const isIn = ({ state }: EnquiryRow, view: View): boolean =>
  view === "all" || (view === "waiting" ? isWaiting(state) : state === view);

async function* readList(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  state: View,
  range: TimeRange,
): AsyncGenerator<FoundBatch & { byWords: false }> {
  const prefix = state === "all"
    ? [contactTimes.prefix, organisation]
    : [INDEX, organisation, state];
  for await (const { entries, next } of readByTime(kv, prefix, range)) {
    const places = entries.map(({ key }): TimeKey => [String(key.at(-2)), String(key.at(-1))]);
    yield { places, read: entries.length, next, byWords: false };
  }
}

/**
 * Reads the enquiries of records. Somebody who has only accepted a document has sent none. A correction takes over the
 * enquiry of the record that it replaces when it comes into force, and has none until then.
 */
async function readItems(
  kv: Deno.Kv,
  hashes: readonly string[],
  view: View,
): Promise<Map<string, InboxItem>> {
  const keys = hashes.map((hash): [string] => [hash]);
  // Version 1.0.0 wrote an enquiry of a replaced record again, closed, for a note from a page that was opened before.
  const mayBeReplaced = view === "closed" || view === "all" ? hashes : [];
  const [rows, found, deleted, replaced] = await Promise.all([
    enquiries.getMany(kv, keys),
    contacts.getMany(kv, keys),
    deletedAmong(kv, hashes),
    replacedAmong(kv, mayBeReplaced),
  ]);
  const people = new Map(found.map(({ key, value }) => [key[1], value]));
  return new Map(
    rows.flatMap(({ value: row }): [string, InboxItem][] => {
      const { record: hash } = row;
      const contact = people.get(hash);
      return contact === undefined || replaced.has(hash)
        ? []
        : [[hash, { hash, contact, row, deleted: deleted.has(hash) }]];
    }),
  );
}

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
