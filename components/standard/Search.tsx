/** The search of the standard: its form, and the sections that it finds. */
import type { Standard, StandardHit } from "../../lib/features/standard/mod.ts";
import { highlight, MAX_QUERY_LENGTH, type TextPiece } from "../../lib/features/standard/search.ts";
import { plural } from "../../lib/base/time.ts";
import { StandardEyebrow } from "./StandardHead.tsx";

export function SearchForm({ query = "" }: { query?: string }) {
  return (
    <form
      class="standard-search flex below-4 rounded raised"
      role="search"
      action="/standard"
      method="get"
    >
      <input
        class="shrinks ink"
        type="search"
        name="q"
        value={query}
        maxLength={MAX_QUERY_LENGTH}
        aria-label="Search the standard"
        placeholder="Search"
        autocomplete="off"
      />
      <button class="stack rounded muted" type="submit" aria-label="Search">
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <circle cx="8.5" cy="8.5" r="5.5" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="m12.7 12.7 4.3 4.3" stroke="currentColor" stroke-width="1.6" />
        </svg>
      </button>
    </form>
  );
}

export function SearchResults(
  { standard, query, hits }: { standard: Standard; query: string; hits: StandardHit[] },
) {
  return (
    <section class="standard-results">
      <StandardEyebrow standard={standard} />
      <h1>
        {hits.length === 0
          ? `Nothing found for “${query}”`
          : `${plural(hits.length, "section")} for “${query}”`}
      </h1>
      <SearchForm query={query} />
      {hits.length === 0 && (
        <p class="lead">
          Try a word that the standard uses, such as <a href="/standard?q=salt">salt</a>,{" "}
          <a href="/standard?q=signature">signature</a> or{" "}
          <a href="/standard?q=erasure">erasure</a>.
        </p>
      )}
      {hits.length > 0 && (
        <ol class="section-list lined below-4">
          {hits.map(({ section, excerpt }) => (
            <li class="stack baseline">
              <span class="number">{section.number}</span>
              <a class="title ink" href={`/standard/${section.id}`}>{section.title}</a>
              <p class="flush muted anywhere">
                {highlight(excerpt, query).map((piece, i) => <Piece key={i} {...piece} />)}
              </p>
            </li>
          ))}
        </ol>
      )}
      <p>
        <a href="/standard">All contents</a>
      </p>
    </section>
  );
}

function Piece({ text, match }: TextPiece) {
  return match ? <mark class="ink">{text}</mark> : <>{text}</>;
}
