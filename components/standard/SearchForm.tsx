import { QUERY_LENGTH } from "../../lib/standard/query.ts";

/** Searches the standard; a plain form, so it needs no script. */
export function SearchForm({ query = "" }: { query?: string }) {
  return (
    <form class="standard-search" role="search" action="/standard" method="get">
      <input
        type="search"
        name="q"
        value={query}
        maxLength={QUERY_LENGTH}
        aria-label="Search the standard"
        placeholder="Search the standard"
        autocomplete="off"
      />
      <button type="submit" aria-label="Search">
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <circle cx="8.5" cy="8.5" r="5.5" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="m12.7 12.7 4.3 4.3" stroke="currentColor" stroke-width="1.6" />
        </svg>
      </button>
    </form>
  );
}
