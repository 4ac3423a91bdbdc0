/**
 * The Open Standard for Verifiable Records, which the foundation maintains: its text as data, for
 * pages and tools. `lib/chain` implements it.
 *
 * @module
 */
import { type Rendered, renderMarkdown } from "./render.ts";
import { createSearch, type StandardSearch } from "./search.ts";
import { bodyOf, readSections, type StandardSection } from "./sections.ts";

export type { StandardHit } from "./search.ts";
export type { StandardSection } from "./sections.ts";

export interface StandardPage extends Rendered {
  section: StandardSection;
  previous?: StandardSection;
  next?: StandardSection;
}

export interface Standard {
  readonly title: string;
  /** `major.minor`. */
  readonly version: string;
  readonly sections: readonly StandardSection[];
  get(id: string): StandardSection | undefined;
  /** Returns the page of the section with this id, or `undefined`. Renders it on the first call. */
  page(id: string): StandardPage | undefined;
  /** Finds up to `limit` sections (5 by default), the best first. */
  search: StandardSearch;
}

/**
 * Reads the standard and builds its search index. This takes a few milliseconds, so create it once.
 *
 * @example
 * const standard = createStandard();
 * standard.get("event-chain")?.title; // "The event chain and its bytes"
 * standard.page("heads")?.next?.id; // "trust-levels"
 * standard.search("truncated")[0].section.id; // "verification"
 */
export function createStandard(): Standard {
  const sections = readSections();
  const byId = new Map(sections.map((section) => [section.id, section]));
  const pages = new Map<string, StandardPage>();
  return {
    title: "Open Standard for Verifiable Records",
    version: "1.0",
    sections,
    get: (id) => byId.get(id),
    page(id) {
      const section = byId.get(id);
      if (section === undefined) return undefined;
      let page = pages.get(id);
      if (page === undefined) {
        const [previous, next] = [section.number - 2, section.number].map((i) => sections[i]);
        page = { section, previous, next, ...renderMarkdown(bodyOf(section)) };
        pages.set(id, page);
      }
      return page;
    },
    search: createSearch(sections),
  };
}
