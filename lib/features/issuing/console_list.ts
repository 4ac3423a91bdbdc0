/** The console's list of an issuer's documents: its filters. */
import { findIssue, ISSUED_STATES, type IssuedQuery } from "./find.ts";
import { atRow, choice, period, withDefault } from "../../platform/listing/filters.ts";
import { defineList, type ReadFilters } from "../../platform/listing/list.ts";
import { issuerPath } from "../issuers/mod.ts";

const MAX_SEARCH = 200;

/** Their tests are in the reading of the documents, which decides by recipients too. */
const FILTERS = {
  text: {
    kind: "search",
    label: "Number, external id, name or email",
    maxLength: MAX_SEARCH,
    posted: true,
    logged: "a search",
    parse: (text: string) =>
      text.length <= MAX_SEARCH && findIssue(text) === null ? text : undefined,
    issue: (text: string) =>
      text.length > MAX_SEARCH ? `Use at most ${MAX_SEARCH} characters.` : findIssue(text)!,
  },
  state: choice(ISSUED_STATES, {
    label: "State",
    any: "All",
    issue: "Choose a state from the list.",
  }),
  mode: withDefault(
    choice({ live: "Live", test: "Tests" }, {
      label: "Mode",
      issue: "Choose a mode from the list.",
    }),
    "live",
  ),
  ...period(),
  after: atRow("This page does not exist."),
} as const;

/** Returns the list of the documents of an issuer. A search is posted, because it may be a name or address. */
export const issuedList = (issuer: string) => defineList(issuerPath(issuer), FILTERS);

export type IssuedList = ReturnType<typeof issuedList>;
export type IssuedFilters = ReadFilters<typeof FILTERS>;
export type { IssuedQuery };

/** How many documents a page lists. */
export const ISSUED_PER_PAGE = 25;
