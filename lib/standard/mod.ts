/**
 * The Open Standard for Verifiable Records, which the foundation stewards: its
 * text as data, for pages and tools alike. `lib/chain` implements it.
 *
 * @module
 */
import { createSearch, type StandardSearch } from "./search.ts";
import { readSections, type StandardSection } from "./sections.ts";

export type { StandardHit, StandardSearch } from "./search.ts";
export type { StandardSection } from "./sections.ts";

/** The standard's text, ready to be read and searched. */
export interface Standard {
  readonly title: string;
  /** `major.minor`. */
  readonly version: string;
  /** All sections, in order. */
  readonly sections: readonly StandardSection[];
  /** The section with this id, or `undefined`. */
  get(id: string): StandardSection | undefined;
  /** Finds at most `limit` sections (5 unless told), the best first. */
  search: StandardSearch;
}

/**
 * Reads the standard and builds its search index, which takes some
 * milliseconds: make one and pass it on.
 *
 * @example
 * const standard = createStandard();
 * standard.get("event-chain")?.title; // "The event chain and its bytes"
 * standard.search("truncated")[0].section.id; // "verification"
 */
export function createStandard(): Standard {
  const sections = readSections();
  const byId = new Map(sections.map((section) => [section.id, section]));
  return {
    title: "Open Standard for Verifiable Records",
    version: "1.0",
    sections,
    get: (id) => byId.get(id),
    search: createSearch(sections),
  };
}
