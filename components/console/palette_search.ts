import { useEffect, useRef, useState } from "preact/hooks";
import type {
  ResultGroup,
  SearchHit,
  SearchResults,
} from "../../lib/features/console/search_results.ts";

const TYPING_DELAY_MS = 120;

interface PaletteSearch {
  /** The latest results, which stay until the next ones arrive. */
  results: SearchResults | null;
  state: "settled" | "busy" | "failed" | "signed_out";
  search(text: string): void;
}

/** Searches while somebody types. A search aborts the one before it. */
export function usePaletteSearch(): PaletteSearch {
  const [results, setResults] = useState<SearchResults | null>(null);
  const [state, setState] = useState<PaletteSearch["state"]>("settled");
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const search = async (text: string) => {
    running.current?.abort();
    if (text === "") {
      setResults(null);
      return setState("settled");
    }
    const { signal } = running.current = new AbortController();
    setState("busy");
    try {
      await delay(signal);
      const response = await fetch("/console/search", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ q: text }),
        redirect: "manual", // to the sign-in page
        signal,
      });
      if (response.type === "opaqueredirect") return setState("signed_out");
      if (!response.ok) throw new Error(`status ${response.status}`);
      const found: SearchResults = await response.json();
      signal.throwIfAborted();
      setResults(found);
      setState("settled");
    } catch {
      if (!signal.aborted) setState("failed");
    }
  };
  return { results, state, search };
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

const RECENT = "console-recent";
const MAX_RECENT = 5;

/** The results that an operator opened last, kept as long as the tab is open. */
interface Recent {
  /** Another operator may sign in afterwards in the same tab. */
  by: string;
  opened: SearchHit[];
}

export function readRecent(by: string): SearchHit[] {
  try {
    const recent: Recent = JSON.parse(sessionStorage.getItem(RECENT) ?? "null");
    return recent.by === by ? recent.opened : [];
  } catch {
    return []; // nothing yet, or storage is blocked
  }
}

/** Remembers an opened result without its details, which may be personal. */
export function addRecent(by: string, { href, title }: SearchHit): void {
  const others = readRecent(by).filter((each) => each.href !== href);
  const recent: Recent = { by, opened: [{ href, title }, ...others].slice(0, MAX_RECENT) };
  try {
    sessionStorage.setItem(RECENT, JSON.stringify(recent));
  } catch {
    // storage is blocked
  }
}

/** Returns the groups that the palette lists: what was opened recently, pages, then other results. */
export function groupsFor(
  text: string,
  recent: readonly SearchHit[],
  pages: readonly SearchHit[],
  results: SearchResults | null,
): ResultGroup[] {
  const again = recent.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()));
  const isNew = ({ href }: SearchHit) => !again.some((each) => each.href === href);
  const others = results?.groups.filter(({ title }) => title !== "Pages") ?? [];
  return [
    { title: "Recent", results: again },
    { title: "Pages", results: pages.filter(isNew) },
    ...others.map(({ title, results }) => ({ title, results: results.filter(isNew) })),
  ].filter(({ results }) => results.length > 0);
}
