import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, type Filters } from "../../lib/qualifications/filters.ts";
import type { Listing } from "../../lib/qualifications/listing.ts";

/** A search and what it found. */
export interface Found {
  filters: Filters;
  listing: Listing;
}

const ENDPOINT = "/api/qualifications";
/** So long a pause in typing that its end may be meant. */
const PAUSE_MS = 120;

/**
 * Searches again whenever it is told to. What was found stays until the next answer is there, a
 * search that is overtaken is aborted, and the page's address follows the search.
 *
 * @param first what the server has rendered
 * @param path of the page
 */
export function useListing(first: Found, path: string) {
  const [found, setFound] = useState(first);
  const [state, setState] = useState<"settled" | "busy" | "failed">("settled");
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const search = async (filters: Filters, { typing = false } = {}) => {
    running.current?.abort();
    const { signal } = running.current = new AbortController();
    setState("busy");
    try {
      if (typing) await pause(signal);
      history.replaceState(history.state, "", addressOf(path, filters));
      const response = await fetch(addressOf(ENDPOINT, filters), { signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const listing: Listing = await response.json();
      signal.throwIfAborted();
      setFound({ filters, listing });
      setState("settled");
    } catch {
      if (!signal.aborted) setState("failed");
    }
  };
  return { ...found, state, search };
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
