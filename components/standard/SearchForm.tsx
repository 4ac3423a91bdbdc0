/** The field that searches the standard. */
import { MAX_QUERY_LENGTH } from "../../lib/features/standard/search.ts";

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
