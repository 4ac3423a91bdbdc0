import { ENQUIRY_TYPES, type StoredContact } from "../contact/mod.ts";
import { choice, period, position, withDefault } from "../../platform/listing/filters.ts";
import { defineList, type Query, type ReadFilters } from "../../platform/listing/list.ts";
import type { Level } from "./levels.ts";

/** The properties of a record that the filters test. */
interface Tested {
  contact: StoredContact;
  hash: string;
}

/** Selects the enquiries without a type. */
const NO_TYPE = "none";
const MAX_SEARCH = 200;
const HASH = /^[\da-f]{64}$/;

/** The position where a page continues: the time and the hash of the last record of the page before it. */
export const RECORD_CURSOR = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_([\da-f]{64})$/;

/** An invalid position, such as one in an old link, leads to the first page. */
const cursor = position((text) => RECORD_CURSOR.test(text) ? text : undefined);

/** A search for words. It is posted, because URLs must not contain names and addresses. */
export const recordSearch = <Item>(
  label: string,
  test: (text: string) => (item: Item) => boolean,
) => ({
  kind: "search",
  label,
  maxLength: MAX_SEARCH,
  posted: true,
  logged: "a search",
  parse: (text: string) => text.length > 1 && text.length <= MAX_SEARCH ? text : undefined,
  issue: (text: string) =>
    text.length === 1 ? "Enter at least two characters." : `Use at most ${MAX_SEARCH} characters.`,
  test,
} as const);

export const recordOrder = withDefault(
  choice({ newest: "Newest first", oldest: "Oldest first" }, {
    label: "Order",
    issue: "Choose an order from the list.",
    arranges: true,
  }),
  "newest",
);

export const recordType = {
  kind: "choice",
  label: "Type",
  any: "All",
  issue: "Choose a type from the list.",
  choices: {
    ...Object.fromEntries(ENQUIRY_TYPES.map((type) => [type, type])),
    [NO_TYPE]: "Not given",
  },
  parse: (text: string) => [...ENQUIRY_TYPES, NO_TYPE].find((type) => type === text),
  test: (type: string) => ({ contact }: Pick<Tested, "contact">) =>
    (contact.record.enquiry_type ?? NO_TYPE) === type,
} as const;

const hasWords = (text: string) =>
  wordMatcher(text, ({ contact: { record: { name, organisation = "", email } } }: Tested) => [
    name,
    organisation,
    email,
  ]);

/** The list of records, and with `text` the search. */
export const recordList = defineList("/console/records", {
  text: recordSearch("Name, organisation, email or hash", hasWords),
  sort: recordOrder,
  type: recordType,
  // This filter has no test, because a test would need the record's row, which is read only if the contact matches.
  level: {
    kind: "choice",
    label: "Level",
    any: "All",
    issue: "Choose a level from the list.",
    choices: { 1: "Level 1", 2: "Level 2", 3: "Level 3", 4: "Level 4" },
    parse: (text: string) => /^[1-4]$/.test(text) ? Number(text) as Level : undefined,
  },
  confirmed: {
    kind: "choice",
    label: "Email",
    any: "All",
    issue: "Choose an option from the list.",
    choices: { yes: "Confirmed", no: "Not confirmed" },
    parse: (text: string) => text === "yes" ? true : text === "no" ? false : undefined,
    format: (confirmed: boolean) => confirmed ? "yes" : "no",
    test: (confirmed: boolean) => ({ contact }: Tested) =>
      (contact.confirmed_at !== null) === confirmed,
  },
  ...period(({ contact }: Tested) => contact.registered_at),
  after: cursor,
  before: cursor,
  /** Continues a search that ran out of time. */
  rest: { ...position((text) => HASH.test(text) ? text : undefined), posted: true },
});

export type RecordQuery = Query<typeof recordList.filters>;
export type RecordsFilters = ReadFilters<typeof recordList.filters>;

/** Filters of the list of records. An absent filter matches every record. */
export type RecordFilters = Partial<RecordQuery>;

/**
 * Returns a function that tests whether texts of a record contain all words, or, for a single word,
 * whether its hash starts with it.
 */
export function wordMatcher<Item extends { hash: string }>(
  text: string,
  textsOf: (item: Item) => readonly string[],
): (item: Item) => boolean {
  const words = fold(text).split(/\s+/).filter((word) => word !== "");
  const beginning = words.length === 1 && /^[\da-f]{4,64}$/.test(words[0]) ? words[0] : null;
  return (item) => {
    if (beginning !== null && item.hash.startsWith(beginning)) return true;
    const folded = fold(textsOf(item).join("\n"));
    return words.every((word) => folded.includes(word));
  };
}

// deno-lint-ignore no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** Removes case and accents, so that `zoe` finds `Zoë`. */
function fold(text: string): string {
  return ASCII.test(text)
    ? text.toLowerCase()
    : text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
