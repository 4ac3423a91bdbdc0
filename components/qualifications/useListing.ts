import { useEffect, useRef, useState } from "preact/hooks";
import { type Filters, searchUrl } from "../../lib/qualifications/filters.ts";
import type { Listing } from "../../lib/qualifications/listing.ts";

/** A search and its results. */
export interface SearchResult {
  filters: Filters;
  listing: Listing;
}

const ENDPOINT = "/api/qualifications";
const TYPING_DELAY_MS = 120;

/**
 * Returns the current results and a function that searches again. The results stay until the next
 * response arrives, a new search aborts the previous one, and the page's URL follows the search.
 *
 * @param initial the results that the server rendered
 * @param path path of the page
 */
export function useListing(initial: SearchResult, path: string) {
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
