/** Links to the standard's PDF, Markdown and test vectors, and the line with its version and dates. */
import type { Standard, WholeText } from "../../lib/features/standard/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { foundationHref } from "./links.ts";
import { Time } from "../Time.tsx";

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

/**
 * The version of a text, by default the current one, and when it or one of its sections was published
 * and corrected.
 */
export function VersionLine(
  { state, section, text }: { state: State; section?: string; text?: WholeText },
) {
  const { standard } = state.services;
  const changelog = foundationHref(state, "/standard/changelog");
  const { published, corrected } = text?.dates() ?? standard.dates(section);
  return (
    <p class="wrap standard-version muted digits">
      <span>Version {text?.version ?? standard.version}</span>
      <span>
        Published <Time at={published} day />
      </span>
      {corrected && (
        <span>
          Corrected <Time at={corrected} day />
        </span>
      )}
      {changelog && <a href={changelog}>Changelog</a>}
    </p>
  );
}

/** The titles of sections as links, or “All sections”. */
export function ChangedSections(
  { standard, sections }: { standard: Standard; sections: readonly string[] | "all" },
) {
  if (sections === "all") return <>All sections</>;
  return (
    <>
      {sections.map((id, i) => (
        <>
          {i > 0 && ", "}
          <a key={id} href={`/standard/${id}`}>{standard.get(id)!.title}</a>
        </>
      ))}
    </>
  );
}
