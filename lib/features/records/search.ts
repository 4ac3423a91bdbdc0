import { ownerOf, type StoredContact } from "../contact/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type RecordFilters, recordList } from "./filters.ts";
import { LIST_SIZE, type ListOptions, withRows } from "./list.ts";
import type { RecordEntry } from "./store.ts";

export interface SearchQuery extends RecordFilters {
  text: string;
  limit?: number;
  /** The time limit; by default {@link SEARCH_BUDGET_MS}. */
  budgetMs?: number;
  /** Ends the search early, as if time had run out. */
  signal?: AbortSignal;
}

export interface SearchResult {
  records: RecordEntry[];
  /** How many records match, on this page and later ones. */
  found: number;
  /** Continues after this page; null on the last one. */
  next: string | null;
  /** Set if time ran out: continues the search. Then later records may match, too. */
  rest: string | null;
  /** The share of all records that have been searched, from 0 to 1. */
  searched: number;
}

/** The time limit of one request. After it, the result says how far the search got. */
const SEARCH_BUDGET_MS = 900;

const BATCH = 500;
/** Pages show eight digits of a hash. */
const HASH_START = /^\s*([\da-f]{8,64})\s*$/i;
/** A hexadecimal text of this length is the beginning of a hash, and nothing else. */
const HASH_ONLY = 16;
type Contact = Deno.KvEntry<StoredContact>;

/**
 * Searches an organisation's records. It reads the contacts themselves, in the order of their hashes,
 * because an index of names and addresses would be a second copy of personal data.
 */
export async function searchRecords(
  options: ListOptions,
  organisation: OrganisationKey,
  query: SearchQuery,
): Promise<SearchResult> {
  const beginning = HASH_START.exec(query.text)?.[1].toLowerCase();
  if (beginning !== undefined && (beginning.length >= HASH_ONLY || query.rest === undefined)) {
    const result = await searchRange(options, organisation, query, beginning);
    if (result.found > 0 || beginning.length >= HASH_ONLY) return result;
  }
  return await searchRange(options, organisation, query, "");
}

/** Searches the records by the beginning of their hash. */
async function searchRange(
  { kv, elapsed = () => performance.now() }: ListOptions,
  organisation: OrganisationKey,
  query: SearchQuery,
  beginning: string,
): Promise<SearchResult> {
  const { level, sort = "newest", limit = LIST_SIZE, budgetMs = SEARCH_BUDGET_MS } = query;
  const matches = recordList.matcher(query);
  const isLater = sort === "newest"
    ? (a: string, b: string) => a < b
    : (a: string, b: string) => a > b;
  const until = elapsed() + budgetMs;
  let start = query.rest === undefined ? beginning : `${query.rest}\0`;
  let best: Contact[] = [];
  let found = 0;
  let rest: string | null = null;
  while (true) {
    const range = { start: ["contacts", start], end: ["contacts", `${beginning}g`] };
    const batch = await Array.fromAsync(
      kv.list<StoredContact>(range, { limit: BATCH, batchSize: BATCH }),
    );
    let matching = batch.filter(({ key, value }) =>
      ownerOf(value) === organisation && matches({ contact: value, hash: String(key[1]) })
    );
    if (query.after !== undefined) {
      matching = matching.filter((contact) => isLater(placeOf(contact), query.after!));
    }
    if (level !== undefined && matching.length > 0) {
      const levels = await withRows(kv, matching);
      matching = matching.filter((_, i) => levels[i].row.level === level);
    }
    found += matching.length;
    if (matching.length > 0) best = firstOf([...best, ...matching], limit, isLater);
    if (batch.length < BATCH) break;
    const last = String(batch.at(-1)!.key[1]);
    if (elapsed() >= until || query.signal?.aborted) {
      rest = last;
      break;
    }
    start = `${last}\0`;
  }
  return {
    records: await withRows(kv, best),
    found,
    next: found > best.length ? placeOf(best.at(-1)!) : null,
    rest,
    // Hashes are distributed evenly.
    searched: rest === null ? 1 : Number.parseInt(rest.slice(0, 8), 16) / 2 ** 32,
  };
}

/** The position of a contact in the order of registration, as in the cursor of a list. */
const placeOf = ({ key, value }: Contact): string => `${value.registered_at}_${String(key[1])}`;

function firstOf(
  contacts: Contact[],
  limit: number,
  isLater: (a: string, b: string) => boolean,
): Contact[] {
  return contacts.map((contact) => ({ contact, place: placeOf(contact) }))
    .sort((a, b) => isLater(a.place, b.place) ? 1 : -1)
    .slice(0, limit)
    .map(({ contact }) => contact);
}
