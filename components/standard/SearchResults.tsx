import type { Standard, StandardHit } from "../../lib/standard/mod.ts";
import { findWords, type Piece } from "../../lib/standard/query.ts";
import { SearchForm } from "./SearchForm.tsx";
import { StandardEyebrow } from "./StandardEyebrow.tsx";

/** The sections that a query found, the best first; or what to do when there are none. */
export function SearchResults(
  { standard, query, hits }: { standard: Standard; query: string; hits: StandardHit[] },
) {
  return (
    <section class="standard-results">
      <StandardEyebrow standard={standard} />
      <h1>{summaryOf(query, hits.length)}</h1>
      <SearchForm query={query} />
      {hits.length === 0 && (
        <p class="lead">
          Try a word that the standard uses, such as <a href="/standard?q=salt">salt</a>,{" "}
          <a href="/standard?q=signature">signature</a> or{" "}
          <a href="/standard?q=erasure">erasure</a>.
        </p>
      )}
      {hits.length > 0 && (
        <ol class="section-list">
          {hits.map(({ section, excerpt }) => (
            <li>
              <span class="number">{section.number}</span>
              <a class="title" href={`/standard/${section.id}`}>{section.title}</a>
              <p>{findWords(excerpt, query).map((piece, i) => <Excerpted key={i} {...piece} />)}</p>
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

function Excerpted({ text, found }: Piece) {
  return found ? <mark>{text}</mark> : <>{text}</>;
}

function summaryOf(query: string, count: number): string {
  if (count === 0) return `Nothing found for “${query}”`;
  return `${count} ${count === 1 ? "section" : "sections"} for “${query}”`;
}
