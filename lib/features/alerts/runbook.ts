import { slug } from "github-slugger";
import text from "../../../docs/ops/urgent.md" with { type: "text" };

/** What to do about one kind of urgent alert. */
export interface RunbookSection {
  /** The name of the kind. */
  title: string;
  /** The section's anchor, in the file and on the page `/runbook`. */
  anchor: string;
  /** What the alert means. */
  meaning: string;
  /** What to do first. */
  first: string;
  /** How to see that it is well again. */
  well: string;
}

/** The page with all sections. Its links to other files are their names, because no page shows those. */
export const RUNBOOK_TEXT = text.slice(text.indexOf("\n## ")).replace(
  /\[([^\]]*)\]\((?!#|https?:)(?:\.\.\/|ops\/)*([\w/]+\.md)[^)]*\)/g,
  "$1 (`$2`)",
);

const WELL = "**Well again:** ";

/** The sections of `docs/ops/urgent.md`, by the names of the kinds. */
export const RUNBOOK: ReadonlyMap<string, RunbookSection> = new Map(
  text.split(/^## /m).slice(1).map((section) => {
    const [title, meaning = "", ...rest] = section.split(/\n{2,}/);
    const [, first = ""] = /^1\. ([^]*?)(?=\n\d\. |\n\n|$)/m.exec(rest.join("\n\n")) ?? [];
    const well = rest.find((part) => part.startsWith(WELL))?.slice(WELL.length) ?? "";
    return [title, {
      title,
      anchor: slug(title),
      meaning: plain(meaning),
      first: plain(first),
      well: plain(well),
    }];
  }),
);

/** Returns a paragraph as one line without the marks of Markdown. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "")
    .replace(/\s+/g, " ").trim();
}
