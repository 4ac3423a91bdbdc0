import { ENQUIRY_TYPES } from "../contact/mod.ts";
import type {
  Level,
  ListQuery,
  RecordFilters,
  RecordList,
  Records,
  RecordSort,
  SearchResult,
  SORTS,
} from "../records/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { periodIssues } from "../../base/time.ts";
import { describeFilters } from "../audit/mod.ts";

const NAMES = [
  "text",
  "type",
  "level",
  "confirmed",
  "from",
  "to",
  "sort",
  "after",
  "before",
  "rest",
] as const;
type FilterName = typeof NAMES[number];

/** A query of the list, or with `text` of the search. */
export interface RecordsQuery extends RecordFilters, Pick<ListQuery, "after" | "before"> {
  sort: RecordSort;
  /** Continues a search that ran out of time. */
  rest?: string;
}

/** The filters as typed, with the query, or the issues by field. */
export type RecordsFilters =
  & { typed: Record<FilterName, string> }
  & ({ query: RecordsQuery } | { issues: Partial<Record<FilterName, string>> });

export const MAX_SEARCH = 200;

export const CONFIRMED_CHOICES = { yes: "Confirmed", no: "Not confirmed" } as const;
export const SORT_CHOICES: Record<typeof SORTS[number], string> = {
  newest: "Newest first",
  oldest: "Oldest first",
};

const CURSOR = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z_[\da-f]{64}$/;
const HASH = /^[\da-f]{64}$/;

/**
 * Reads the filters of the list of records. Empty fields are ignored.
 *
 * @param given the parameters of the URL, in which `text` is ignored, or the fields of the form. A
 * search is only sent as a form, because URLs must not contain names and addresses.
 */
export function readRecordFilters(given: Record<string, unknown>, isForm: boolean): RecordsFilters {
  const typed = Object.fromEntries(NAMES.map((name) => {
    const value = given[name];
    return [name, typeof value === "string" ? value.slice(0, MAX_SEARCH + 1).trim() : ""];
  })) as Record<FilterName, string>;
  if (!isForm) typed.text = typed.rest = "";
  const issues: Partial<Record<FilterName, string>> = periodIssues(typed);
  const query: RecordsQuery = { sort: "newest" };
  const { text, type, level, confirmed, from, to, sort, after, before, rest } = typed;
  if (text.length > MAX_SEARCH) issues.text = `Use at most ${MAX_SEARCH} characters.`;
  else if (text.length === 1) issues.text = "Enter at least two characters.";
  else if (text !== "") query.text = text;
  if ((ENQUIRY_TYPES as readonly string[]).includes(type)) query.type = type;
  else if (type !== "") issues.type = "Choose a type from the list.";
  if (/^[1-4]$/.test(level)) query.level = Number(level) as Level;
  else if (level !== "") issues.level = "Choose a level from the list.";
  if (confirmed === "yes" || confirmed === "no") query.confirmed = confirmed === "yes";
  else if (confirmed !== "") issues.confirmed = "Choose an option from the list.";
  if (from !== "") query.from = from;
  if (to !== "") query.to = to;
  if (sort === "newest" || sort === "oldest") query.sort = sort;
  else if (sort !== "") issues.sort = "Choose an order from the list.";
  // A link to a page that is no longer valid leads to the first page.
  if (CURSOR.test(after)) query.after = after;
  else if (CURSOR.test(before)) query.before = before;
  if (HASH.test(rest)) query.rest = rest;
  return Object.keys(issues).length > 0 ? { typed, issues } : { typed, query };
}

const PATH = "/console/records";

/** Returns the values of the fields that a query consists of, without its page. */
export function fieldsOf(query: RecordsQuery): Partial<Record<FilterName, string>> {
  const { text, type, level, confirmed, from, to, sort } = query;
  return {
    ...text === undefined ? {} : { text },
    ...type === undefined ? {} : { type },
    ...level === undefined ? {} : { level: String(level) },
    ...confirmed === undefined ? {} : { confirmed: confirmed ? "yes" : "no" },
    ...from === undefined ? {} : { from },
    ...to === undefined ? {} : { to },
    ...sort === "newest" ? {} : { sort },
  };
}

/** Returns the URL of the list with filters, but without the words of a search. */
export function recordsPath(
  query: RecordsQuery,
  page: Pick<ListQuery, "after" | "before"> = {},
): string {
  const { text: _, ...fields } = fieldsOf(query);
  const params = new URLSearchParams({ ...fields, ...page });
  return params.size === 0 ? PATH : `${PATH}?${params}`;
}

export const hasFilters = (query: RecordsQuery): boolean => {
  const { sort: _, ...fields } = fieldsOf(query);
  return Object.keys(fields).length > 0;
};

/** Describes an export for the audit log, without the words of a search. */
export function describeExport(query: RecordsQuery): string {
  const { text, sort: _, ...fields } = fieldsOf(query);
  if (text === undefined) return describeFilters(fields);
  return ["a search", ...Object.keys(fields).length > 0 ? [describeFilters(fields)] : []].join(
    ", ",
  );
}

/** A page of the list, or the results of a search. */
export type RecordsFound = { list: RecordList } | { search: SearchResult };

/** Finds the records of an organisation that a query selects. */
export async function findRecords(
  records: Records,
  organisation: OrganisationKey,
  { text, ...query }: RecordsQuery,
): Promise<RecordsFound> {
  return text === undefined
    ? { list: await records.list(organisation, query) }
    : { search: await records.search(organisation, { ...query, text }) };
}
