/** The response of a console's search and its explanations, shared by server and browser. */
import type { Layer } from "../operators/mod.ts";

/** The response of `/console/search`, which the browser reads too. */
export interface SearchResults {
  /** Groups without results are left out. */
  groups: ResultGroup[];
  /**
   * The titles of the groups that were not searched completely, because there are too many objects or a
   * service did not respond in time.
   */
  incomplete: string[];
}

export interface ResultGroup {
  title: string;
  results: SearchHit[];
}

/** Something that was found. Its title contains nothing personal, because browsers remember it. */
export interface SearchHit {
  href: string;
  title: string;
  detail?: string;
}

/** The longest text that can be searched for: an email address fits. */
export const MAX_TEXT = 254;

/** True if the search ended before it had read all records. The list of records can continue it. */
export const isRecordSearchOpen = (text: string, { incomplete }: SearchResults): boolean =>
  incomplete.includes("Records") && text.length <= MAX_RECORD_TEXT;

/** The longest text that the list of records can be searched for. */
const MAX_RECORD_TEXT = 200;

/** Suggests what to search for if nothing was found. Board members find only pages. */
export const searchHint = (layer: Layer): string =>
  layer === "L1"
    ? "Try a word of a name or its first three letters, a whole email address, a confirmed number with " +
      "its country code, the beginning of a record’s hash, the number or external id of a document, " +
      "the name of an issuer, an amount, or the name of a page."
    : "Try the name of a page.";

/** Says what may be missing because the search did not read everything. */
export const unfinished = (titles: readonly string[]): string =>
  `Not everything was searched, so some ${
    new Intl.ListFormat("en").format(titles).toLowerCase()
  } may be missing.`;
