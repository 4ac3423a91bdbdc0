import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Filters, isFiltered, searchUrl } from "../../lib/qualifications/filters.ts";
import type { FilterOptions, Listing } from "../../lib/qualifications/listing.ts";
import { FilterForm } from "./FilterForm.tsx";
import { Results, summaryOf } from "./Results.tsx";

const ENDPOINT = "/api/qualifications";
const TYPING_DELAY_MS = 120;

interface SearchResult {
  filters: Filters;
  listing: Listing;
}

export interface QualificationSearchProps {
  /** Path of the page. */
  path: string;
  /** Number of qualifications in the catalogue. */
  size: number;
  options: FilterOptions;
  /** The search in the page's URL, with its results. */
  initial: SearchResult;
  /** Shown next to the number of results. */
  children?: ComponentChildren;
}

/** The search of the home page. Without JavaScript, the same form and links load pages. */
export function QualificationSearch(
  { path, size, options, initial, children }: QualificationSearchProps,
) {
  const form = useRef<HTMLFormElement>(null);
  const { filters, listing, state, search } = useListing(initial, path);

  const searchNow = (options?: { typing: boolean }) => search(readFilters(form.current!), options);
  const tryAgain = () => {
    form.current!.querySelector("input")!.focus(); // the focused button disappears
    searchNow();
  };
  useEffect(() => {
    // Visitors may type before this script runs, and browsers restore form values.
    if (searchUrl("", readFilters(form.current!)) !== searchUrl("", initial.filters)) searchNow();
  }, []);

  return (
    <>
      <FilterForm
        action={path}
        initial={initial.filters}
        options={options}
        counts={listing.counts}
        form={form}
        onInput={({ target }) => searchNow({ typing: (target as HTMLInputElement).name === "q" })}
        onSubmit={(event) => {
          event.preventDefault();
          searchNow();
        }}
      />
      <div class="found">
        <p>
          <span role="status">{summaryOf(listing, size)}</span>
          {(filters.q !== "" || isFiltered(filters)) && <a href={path}>Clear</a>}
        </p>
        {children}
      </div>
      {state === "failed" && (
        <p class="search-failed" role="alert">
          The search failed.
          <button type="button" class="button small" onClick={tryAgain}>Try again</button>
        </p>
      )}
      <Results path={path} filters={filters} listing={listing} busy={state === "busy"} />
    </>
  );
}

function readFilters(form: HTMLFormElement): Filters {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? "").trim();
  return {
    q: text("q"),
    level: (Number(text("level")) || undefined) as Filters["level"],
    package: text("package") || undefined,
    status: (text("status") || undefined) as Filters["status"],
  };
}

/**
 * Returns the current results and a function that searches again. The results are kept until the next
 * response arrives. A search aborts the previous one and updates the page's URL.
 */
function useListing(initial: SearchResult, path: string) {
  const [result, setResult] = useState(initial);
  const [state, setState] = useState<"settled" | "busy" | "failed">("settled");
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const search = async (filters: Filters, { typing = false } = {}) => {
    running.current?.abort();
    const { signal } = running.current = new AbortController();
    setState("busy");
    try {
      if (typing) await delay(signal);
      history.replaceState(history.state, "", searchUrl(path, filters));
      const response = await fetch(searchUrl(ENDPOINT, filters), { signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const listing: Listing = await response.json();
      signal.throwIfAborted();
      setResult({ filters, listing });
      setState("settled");
    } catch {
      if (!signal.aborted) setState("failed");
    }
  };
  return { ...result, state, search };
}

function delay(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, TYPING_DELAY_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
