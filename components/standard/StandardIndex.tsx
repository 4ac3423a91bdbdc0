/** The page `/standard`: an introduction with the table of contents, or search results. */
import type { State } from "../../lib/app/state.ts";
import { DocumentList, ReadingPaths, TableOfContents } from "./IndexParts.tsx";
import { SearchForm } from "./SearchForm.tsx";
import { SearchResults } from "./SearchResults.tsx";
import { StandardHead } from "./StandardHead.tsx";
import { VersionLine } from "./VersionLine.tsx";

const DESCRIPTION =
  "How anyone can verify a record and its history without trusting its publisher: the bytes that " +
  "are hashed, the events that are chained, the heads that are signed.";

/** The standard's contents, or the results of a search in it. */
export function StandardIndex({ query, state }: { query: string; state: State }) {
  const { standard, config } = state.services;
  const { sections, title, search } = standard;
  if (query !== "") {
    return (
      <div class="standard-index">
        <StandardHead
          state={state}
          title={`Search: ${query}`}
          description={DESCRIPTION}
          path="/standard"
          indexed={false}
        />
        <SearchResults standard={standard} query={query} hits={search(query, sections.length)} />
      </div>
    );
  }
  return (
    <div class="standard-index">
      <StandardHead state={state} description={DESCRIPTION} path="/standard" />
      <div class="standard-opening stack">
        <header class="measure-wide">
          <p class="eyebrow">Standard</p>
          <h1>{title}</h1>
          <p class="lead">{DESCRIPTION}</p>
          <VersionLine state={state} />
          <p class="muted">
            {sections.length}{" "}
            sections, exact to the byte, with test vectors. Anyone may implement the standard
            without asking and without a fee. {config.organisations.foundation.name} maintains it.
          </p>
          <SearchForm />
        </header>
        <DocumentList state={state} />
      </div>
      <ReadingPaths standard={standard} />
      <TableOfContents sections={sections} />
    </div>
  );
}
