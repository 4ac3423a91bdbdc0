/** The sections that a search of the standard finds. */
import type { Standard, StandardHit } from "../../lib/features/standard/mod.ts";
import { highlight, type TextPiece } from "../../lib/features/standard/search.ts";
import { plural } from "../../lib/base/time.ts";
import { SearchForm } from "./SearchForm.tsx";
import { StandardEyebrow } from "./StandardHead.tsx";

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
