import { page } from "fresh";
import { ReadingPaths } from "../../components/standard/ReadingPaths.tsx";
import { SearchForm } from "../../components/standard/SearchForm.tsx";
import { SearchResults } from "../../components/standard/SearchResults.tsx";
import { StandardHead } from "../../components/standard/StandardHead.tsx";
import { TableOfContents } from "../../components/standard/TableOfContents.tsx";
import { readQuery } from "../../lib/standard/query.ts";
import { define } from "../../lib/state.ts";

const WHAT =
  "What it takes for anyone to check a record and its history without trusting whoever " +
  "keeps them: the bytes that are hashed, the events that are chained, the heads that are signed.";

export const handler = define.handlers({
  GET: (ctx) => page({ query: readQuery(ctx.url) }),
});

/** The standard's first page: what it is, its contents, and a search over it. */
export default define.page<typeof handler>(({ data: { query }, state }) => {
  const { standard, config } = state.services;
  const { sections, title, version, search } = standard;
  if (query !== "") {
    return (
      <div class="standard-index">
        <StandardHead
          state={state}
          title={`Search: ${query}`}
          description={WHAT}
          path="/standard"
          indexed={false}
        />
        <SearchResults standard={standard} query={query} hits={search(query, sections.length)} />
      </div>
    );
  }
  return (
    <div class="standard-index">
      <StandardHead state={state} description={WHAT} path="/standard" />
      <div class="standard-opening">
        <header>
          <p class="eyebrow">Version {version}</p>
          <h1>{title}</h1>
          <p class="lead">{WHAT}</p>
          <p class="muted">
            {sections.length}{" "}
            sections, exact to the byte, with test vectors. Anyone may implement it, without asking
            and without a fee. {config.organisations.foundation.name} is its steward.
          </p>
          <SearchForm />
        </header>
        <ReadingPaths standard={standard} />
      </div>
      <TableOfContents sections={sections} />
    </div>
  );
});
