import type { Standard } from "./mod.ts";
import { type Rendered, renderMarkdown } from "./render.ts";
import type { StandardSection } from "./sections.ts";

/** A section as a page to read. */
export interface StandardPage extends Rendered {
  section: StandardSection;
  previous?: StandardSection;
  next?: StandardSection;
}

/** The pages of a standard. */
export interface StandardPages {
  /** The page of the section with this id, or `undefined`; rendered at its first use. */
  get(id: string): StandardPage | undefined;
}

/**
 * Makes the pages of a standard: what stands below each section's title and summary as safe HTML,
 * and its neighbours.
 *
 * @example
 * ```ts
 * createStandardPages(createStandard()).get("heads")?.next?.id; // "trust-levels"
 * ```
 */
export function createStandardPages(standard: Pick<Standard, "sections" | "get">): StandardPages {
  const rendered = new Map<string, StandardPage>();
  return {
    get(id) {
      const section = standard.get(id);
      if (section === undefined) return undefined;
      let page = rendered.get(id);
      if (page === undefined) {
        const { sections } = standard;
        const [previous, next] = [section.number - 2, section.number].map((i) => sections[i]);
        page = { section, previous, next, ...renderMarkdown(bodyOf(section)) };
        rendered.set(id, page);
      }
      return page;
    },
  };
}

/** The text below the title and the summary, which a page shows in its own way. */
const bodyOf = ({ markdown }: StandardSection): string =>
  markdown.split(/\n{2,}/).slice(2).join("\n\n");
