/** The filters of the list of records. */
import { ENQUIRY_TYPES, type StoredContact } from "../../contact/mod.ts";
import { atRow, choice, period, withDefault } from "../../../platform/listing/filters.ts";
import { defineList, type Query, type ReadFilters } from "../../../platform/listing/list.ts";
import type { Level } from "../record/levels.ts";
import { searchIssue } from "./search.ts";

/** The properties of a record that the filters test. */
interface Tested {
  contact: StoredContact;
  row: { level: Level };
}

/** Selects the enquiries without a type. */
export const NO_TYPE = "none";
const MAX_SEARCH = 200;

/** An invalid position, such as one in an old link, leads to the first page. */
const place = atRow();

/**
 * A search by name, address, number or hash. It is posted, because URLs must not contain names and
 * addresses. It has no test, because the records come from an index.
 */
export const recordSearch = (label: string) => ({
  kind: "search",
  label,
  maxLength: MAX_SEARCH,
  posted: true,
  logged: "a search",
  parse: (text: string) =>
    text.length <= MAX_SEARCH && searchIssue(text) === null ? text : undefined,
  issue: (text: string) =>
    text.length > MAX_SEARCH ? `Use at most ${MAX_SEARCH} characters.` : searchIssue(text)!,
} as const);

/** The filter that sets the order of records. */
export const recordOrder = withDefault(
  choice({ newest: "Newest first", oldest: "Oldest first" }, {
    label: "Order",
    issue: "Choose an order from the list.",
    arranges: true,
  }),
  "newest",
);

/** The filter of the type of enquiry. */
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

/** The list of records, and with `text` the search. */
export const recordList = defineList("/console/records", {
  text: recordSearch("Name, organisation, email or hash"),
  sort: recordOrder,
  type: recordType,
  level: {
    kind: "choice",
    label: "Level",
    any: "All",
    issue: "Choose a level from the list.",
    choices: { 1: "Level 1", 2: "Level 2", 3: "Level 3", 4: "Level 4" },
    parse: (text: string) => /^[1-4]$/.test(text) ? Number(text) as Level : undefined,
    test: (level: Level) => ({ row }: Tested) => row.level === level,
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
  after: place,
  before: place,
});

export type RecordQuery = Query<typeof recordList.filters>;
export type RecordsFilters = ReadFilters<typeof recordList.filters>;

/** Filters of the list of records. An absent filter matches every record. */
export type RecordFilters = Partial<RecordQuery>;
