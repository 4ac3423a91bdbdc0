/** The whole standard in one document, as HTML and as Markdown. */
import type { TextDates } from "./changes.ts";
import { type Rendered, renderMarkdown } from "./render.ts";
import { bodyOf, type StandardSection } from "./sections.ts";

/** The standard as far as documents of the whole text need it. */
export interface WholeText {
  readonly title: string;
  readonly version: string;
  readonly sections: readonly StandardSection[];
  dates(): TextDates;
}

interface CompleteSection extends Rendered {
  section: StandardSection;
}

const SECTION_LINK = /(?<=href="|\]\()\/standard\/([a-z-]+)(?=["#)])/g;

/** Renders all sections for one page. Links between sections become links within the page. */
export const renderComplete = ({ sections }: WholeText): CompleteSection[] =>
  sections.map((section) => {
    const { html, headings } = renderMarkdown(bodyOf(section), { number: section.number, section });
    return { section, headings, html: html.replace(SECTION_LINK, "#$1") };
  });

/**
 * Returns the whole standard as one Markdown document. Sections are at the second level, and links
 * between them lead to their pages.
 *
 * @param base the start of the URLs of the standard's site
 */
export function standardMarkdown(standard: WholeText, base: string): string {
  const { title, version, sections } = standard;
  const { published, corrected } = standard.dates();
  const dates = `published ${published}${corrected ? `, corrected ${corrected}` : ""}`;
  return [
    `# ${title}`,
    `Version ${version}, ${dates}. Canonical address: <${base}/standard>`,
    ...sections.map(({ number, markdown }) =>
      lowerHeadings(markdown).replace(/^## /, `## ${number}. `)
        .replace(SECTION_LINK, `${base}/standard/$1`).trim()
    ),
  ].join("\n\n") + "\n";
}

/** Moves the headings outside code blocks down by one level. */
const lowerHeadings = (markdown: string): string =>
  markdown.split(/^(```[\s\S]*?^```)/m)
    .map((part) => part.startsWith("```") ? part : part.replace(/^#/gm, "##")).join("");
