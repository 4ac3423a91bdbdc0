/** The page `/console/search`, with the results for a text. */
import type { Layer } from "../../lib/features/operators/mod.ts";
import {
  isRecordSearchOpen,
  MAX_TEXT,
  searchHint,
  type SearchResults,
  unfinished,
} from "../../lib/features/console/search_results.ts";
import type { Problem } from "../../lib/platform/http/errors.ts";
import { SearchBar } from "../FilterBar.tsx";
import { StateNote } from "../StateNote.tsx";
import { PageHead } from "../console_parts.tsx";
import { SearchAllRecords } from "./SearchAllRecords.tsx";

/** The search of the consoles as a page, for browsers without scripts. */
export function SearchPage({ q, found, layer }: {
  q: string;
  /** The results, or why the text is invalid. */
  found: SearchResults | Problem;
  layer: Layer;
}) {
  const problem = "groups" in found ? undefined : found.issues?.q ?? found.message;
  return (
    <>
      <PageHead
        title="Search"
        lead={layer === "L1"
          ? "Pages, accounts, records, issuers, documents and payments of this console."
          : "The pages of this console."}
      />
      <SearchBar
        action="/console/search"
        label="Search for"
        submit="Search"
        name="q"
        type="search"
        value={q}
        maxLength={MAX_TEXT}
        problem={problem}
      />
      {"groups" in found && <Results q={q} results={found} layer={layer} />}
    </>
  );
}

function Results({ q, results, layer }: {
  q: string;
  results: SearchResults;
  layer: Layer;
}) {
  const { groups, incomplete } = results;
  const more = isRecordSearchOpen(q, results) && <SearchAllRecords text={q} />;
  if (groups.length === 0) {
    return (
      <StateNote kind="empty" title={`Nothing found for “${q}”`}>
        <p>{incomplete.length > 0 ? unfinished(incomplete) : searchHint(layer)}</p>
        {more}
      </StateNote>
    );
  }
  return (
    <>
      {groups.map(({ title, results }) => (
        <section key={title} class="search-group">
          <h2 class="above-5 below-2">{title}</h2>
          <ul class="plain below-4">
            {results.map(({ href, title, detail }, i) => (
              <li class="cluster wraps gap-0-4 anywhere" key={i}>
                <a href={href}>{title}</a>
                {detail !== undefined && <span class="muted">{detail}</span>}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {incomplete.length > 0 && <p class="note">{unfinished(incomplete)}</p>}
      {more}
    </>
  );
}
