/** The instructions for urgent alerts, read from `docs/ops/urgent.md` for mails and a page. */
import { slug } from "github-slugger";
import text from "../../../docs/ops/urgent.md" with { type: "text" };

/** The instructions for one kind of urgent alert. */
interface RunbookSection {
  /** The name of the kind. */
  title: string;
  /** The section's anchor, in the file and on the page `/runbook`. */
  anchor: string;
  /** The meaning of the alert. */
  meaning: string;
  /** The first step. */
  first: string;
  /** The signs of recovery. */
  well: string;
}

/** The page with all sections. Its links to other files are their names, because no page shows those. */
export const RUNBOOK_TEXT = text.slice(text.indexOf("\n## ")).replace(
  /\[([^\]]*)\]\((?!#|https?:)(?:\.\.\/|ops\/)*([\w/]+\.md)[^)]*\)/g,
  "$1 (`$2`)",
);

const FIRST = "1. ";
const WELL = "**Back to normal:** ";

/** The sections of `docs/ops/urgent.md`, by the names of the kinds. */
export const RUNBOOK: ReadonlyMap<string, RunbookSection> = new Map(
  text.split(/^## /m).slice(1).map((section) => {
    const [title, meaning = "", ...rest] = section.split(/\n{2,}/);
    const steps = rest.find((part) => part.startsWith(FIRST)) ?? "";
    const [first] = steps.slice(FIRST.length).split(/\n\d\. /);
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

/** Returns a paragraph as one line without the marks of Markdown. Links are the names of what they lead to. */
function plain(markdown: string): string {
  return markdown.replace(
    /\[([^\]]*)\]\((?:\.\.\/)*([\w/]+\.md)?[^)]*\)/g,
    (_, text, file) => file === undefined ? `“${text}”` : `“${text}” in ${file}`,
  ).replaceAll("`", "").replace(/\s+/g, " ").trim();
}
