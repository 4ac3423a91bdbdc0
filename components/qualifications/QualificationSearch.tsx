/** The interactive results of the qualification search, which update while somebody types. */
import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type Filters, searchUrl } from "../../lib/features/qualifications/filters.ts";
import type { Listing } from "../../lib/features/qualifications/schemas.ts";
import { FILTER_FORM } from "./FilterForm.tsx";
import { isChanged, readFilters, showCounts } from "./finder.ts";
import { Results, type SavedMarks, summaryOf } from "./Results.tsx";
import { SaveForm } from "./SaveButton.tsx";
import { useSearch } from "../useSearch.ts";
import { useSaved } from "./use_saved.ts";

const ENDPOINT = "/api/qualifications";

interface SearchResult {
  filters: Filters;
  listing: Listing;
}

export interface QualificationSearchProps {
  path: string;
  /** The search of the page's URL, such as `?q=care`; empty without a search. */
  search: string;
  /** Number of qualifications in the catalogue. */
  size: number;
  /** The number of results of the page's URL, in words. */
  summary: string;
  /** The saved items of the signed-in person; null if nobody is signed in. */
  saved: SavedMarks | null;
  /** The page's results, which the island needs only to mark what is saved. */
  initial: SearchResult | null;
  /** The page's results as HTML, if `initial` is null. */
  results?: ComponentChildren;
  /** Shown next to the number of results. */
  children?: ComponentChildren;
}

/**
 * The results of the home page, which follow the form {@link FILTER_FORM}. Without JavaScript, the
 * same form and links load pages.
 */
export function QualificationSearch(
  { path, search, size, summary, saved, initial, results, children }: QualificationSearchProps,
) {
  const { results: latest, busy, error, searchNow } = useListing(initial, path);
  const { marks, problem, onSubmit } = useSaved(saved);
  const found = latest.value;
  const current = found === null ? search : searchUrl("", found.filters);
  return (
    <>
      <div class="found flex wraps apart gap-2-5 below-3">
        <p class="wrap gap-0-4 flush muted digits">
          <span role="status">{found === null ? summary : summaryOf(found.listing, size)}</span>
          {current !== "" && <a href={path}>Clear</a>}
        </p>
        {children}
      </div>
      {marks.value !== null && <SaveForm from={`${path}${current}#results`} onSubmit={onSubmit} />}
      {problem.value !== null && (
        <p class="wrap middle gap-3 search-failed" role="alert">{problem}</p>
      )}
      {error.value !== null && (
        <p class="wrap middle gap-3 search-failed" role="alert">
          The search failed.
          <button type="button" class="button small" onClick={() => searchNow({ focus: true })}>
            Try again
          </button>
        </p>
      )}
      <section
        id="results"
        class="results-part"
        aria-label="Results"
        aria-busy={useComputed(() => busy.value ? "true" : "false")}
      >
        {found === null ? results : <Results path={path} saved={marks.value} {...found} />}
      </section>
    </>
  );
}

/**
 * Searches when the form changes, which updates the page's URL. The results are null while the page
 * shows those of its URL.
 */
function useListing(initial: SearchResult | null, path: string) {
  const { search, ...shown } = useSearch(initial);

  const searchNow = ({ typing = false, focus = false } = {}) => {
    const form = finder();
    if (focus) form.querySelector("input")!.focus(); // the focused button disappears
    const filters = readFilters(form);
    search(async (signal) => {
      history.replaceState(history.state, "", searchUrl(path, filters));
      const response = await fetch(searchUrl(ENDPOINT, filters), { signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const listing: Listing = await response.json();
      signal.throwIfAborted();
      showCounts(form, listing.counts);
      return { filters, listing };
    }, typing).catch(reportError);
  };

  useEffect(() => {
    const form = finder();
    const onInput = ({ target }: Event) =>
      searchNow({ typing: (target as HTMLInputElement).name === "q" });
    const onSubmit = (event: Event) => {
      event.preventDefault();
      searchNow();
    };
    form.addEventListener("input", onInput);
    form.addEventListener("submit", onSubmit);
    // Visitors may type before this script runs, and browsers restore form values.
    if (isChanged(form)) searchNow();
    return () => {
      form.removeEventListener("input", onInput);
      form.removeEventListener("submit", onSubmit);
    };
  }, []);
  return { ...shown, searchNow };
}

const finder = () => document.getElementById(FILTER_FORM) as HTMLFormElement;
