/** The parts of the standard's first page: its documents, where to begin, and the table of contents. */
import type { Standard, StandardSection } from "../../lib/features/standard/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { foundationHref } from "./links.ts";

const DOCUMENTS: readonly { path: string; title: string; text: string }[] = [
  { path: "/standard/complete", title: "One page", text: "to read through or to print" },
  { path: "/standard.pdf", title: "PDF", text: "with page numbers and bookmarks" },
  { path: "/standard.md", title: "Markdown", text: "for editors and language models" },
  { path: "/standard/vectors.json", title: "Test vectors", text: "as JSON, for your tests" },
  { path: "/standard/kit", title: "Conformance kit", text: "checks your implementation" },
  { path: "/standard/changelog", title: "Changelog", text: "every change, with its date" },
];

/** The other forms of the standard, and what belongs to it. */
export function DocumentList({ state }: { state: State }) {
  const documents = DOCUMENTS.flatMap(({ path, ...rest }) => {
    const href = foundationHref(state, path);
    return href === null ? [] : [{ href, ...rest }];
  });
  if (documents.length === 0) return null;
  return (
    <nav class="standard-documents pad-top-4" aria-labelledby="documents">
      <h2 class="below-3 text-large" id="documents">Documents</h2>
      <ul class="plain stack">
        {documents.map(({ href, title, text }) => (
          <li class="flex column ruled text-medium" key={href}>
            <a class="bold" href={href}>{title}</a>
            <span class="muted">{text}</span>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function TableOfContents({ sections }: { sections: readonly StandardSection[] }) {
  return (
    <nav class="standard-contents pad-top-4" aria-labelledby="contents">
      <h2 class="below-3" id="contents">Contents</h2>
      <ol class="section-list below-4">
        {sections.map(({ id, number, title, summary }) => (
          <li class="stack baseline">
            <span class="number">{number}</span>
            <a class="title ink" href={`/standard/${id}`}>{title}</a>
            <p class="flush muted anywhere">{summary}</p>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The sections to read for each goal, in order. */
const READING_PATHS: readonly { goal: string; ids: readonly string[] }[] = [
  { goal: "To verify a chain", ids: ["verification", "heads", "test-vectors"] },
  { goal: "To publish records", ids: ["records", "event-chain", "privacy"] },
  { goal: "To be found by agents", ids: ["discovery"] },
];

export function ReadingPaths({ standard }: { standard: Standard }) {
  return (
    <aside class="reading-paths pad-top-4 above-6 lined" aria-labelledby="where-to-begin">
      <h2 class="below-3 text-large" id="where-to-begin">Where to begin</h2>
      <dl class="stack flush text-medium">
        {READING_PATHS.map(({ goal, ids }) => (
          <div>
            <dt class="below-1 muted">{goal}</dt>
            {ids.map((id) => (
              <dd>
                <a href={`/standard/${id}`}>{standard.get(id)!.title}</a>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </aside>
  );
}
