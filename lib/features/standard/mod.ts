/**
 * The Open Standard for Verifiable Records, which the foundation maintains: its text as data, for
 * pages and tools. `packages/proof` implements it.
 *
 * @module
 */
import kit from "../../../docs/conform.md" with { type: "text" };
import { CHANGES, type StandardChange, type TextDates } from "./changes.ts";
import type { WholeText } from "./complete.ts";
import { type Rendered, renderMarkdown } from "./render.ts";
import { createSearch, type StandardSearch } from "./search.ts";
import {
  bodyOf,
  readEarlier,
  readSection,
  readSections,
  type StandardSection,
} from "./sections.ts";

export type { StandardChange } from "./changes.ts";
export { renderComplete, standardMarkdown, type WholeText } from "./complete.ts";
export { PDF_FILE, textHash } from "./pdf.ts";
export { llmsText } from "./llms.ts";
export { type Heading, type Rendered, renderMarkdown } from "./render.ts";
export type { StandardHit } from "./search.ts";
export type { StandardSection } from "./sections.ts";
export { VECTORS } from "../../../packages/proof/kit/mod.ts";

/** A section as a page shows it, with its neighbours. */
export interface StandardPage extends Rendered {
  section: StandardSection;
  previous?: StandardSection;
  next?: StandardSection;
}

/** The text of the standard, in its current and earlier versions. */
export interface Standard {
  readonly title: string;
  /** `major.minor`. */
  readonly version: string;
  readonly sections: readonly StandardSection[];
  /** Every change to the text, the newest first. */
  readonly changes: readonly StandardChange[];
  /** Returns the dates of the current version of a section, or of all sections. */
  dates(id?: string): TextDates;
  get(id: string): StandardSection | undefined;
  /**
   * Returns the page of the section with this id, or `undefined`. Renders it on the first call.
   *
   * @param markdown an earlier text of the section
   */
  page(id: string, markdown?: string): StandardPage | undefined;
  /** Returns the whole text of a version, such as `1.0`; `undefined` if there is no such version. */
  inVersion(version: string): WholeText | undefined;
  /** Finds up to `limit` sections (5 by default), the best first. */
  search: StandardSearch;
}

/** Renders the description of the conformance kit, without its title. */
export const renderKit = (): Rendered => renderMarkdown(kit.replace(/^# .*\n/, ""));

/**
 * Reads the standard. The first search builds an index, which takes a few milliseconds, so create it once.
 */
export function createStandard(): Standard {
  const sections = readSections();
  const byId = new Map(sections.map((section) => [section.id, section]));
  const pages = new Map<string, StandardPage>();
  let search: StandardSearch | undefined;
  const { version } = CHANGES[0];
  const title = "Open Standard for Verifiable Records";
  const versions = readEarlier().set(version, sections);
  return {
    title,
    version,
    sections,
    changes: CHANGES,
    dates: (id) => datesOf(version, id),
    inVersion(version) {
      const sections = versions.get(version);
      return sections && { title, version, sections, dates: () => datesOf(version) };
    },
    get: (id) => byId.get(id),
    page(id, markdown) {
      const current = byId.get(id);
      if (current === undefined) return undefined;
      const render = (section: StandardSection): StandardPage => {
        const [previous, next] = [section.number - 2, section.number].map((i) => sections[i]);
        return { section, previous, next, ...renderMarkdown(bodyOf(section), section) };
      };
      if (markdown !== undefined && markdown !== current.markdown) {
        return render(readSection(id, current.number, markdown));
      }
      let page = pages.get(id);
      if (page === undefined) {
        page = render(current);
        pages.set(id, page);
      }
      return page;
    },
    search: (...query) => (search ??= createSearch(sections))(...query),
  };
}

/** Returns when a version was published, and when it or one of its sections was last corrected. */
function datesOf(version: string, id?: string): TextDates {
  const own = CHANGES.filter((change) => change.version === version);
  const { date: published } = own.find(({ kind }) => kind === "publication")!;
  const corrected = own.find(({ kind, sections }) =>
    kind === "correction" && (!id || sections === "all" || sections.includes(id))
  )?.date;
  return { published, corrected };
}
