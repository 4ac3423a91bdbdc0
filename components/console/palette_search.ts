/** The data of the consoles' search dialog: results from the server, and those opened last. */
import type {
  ResultGroup,
  SearchHit,
  SearchResults,
} from "../../lib/features/console/search_results.ts";

/** The search was redirected to the sign-in page. */
export class SignedOut extends Error {}

export async function searchConsole(text: string, signal: AbortSignal): Promise<SearchResults> {
  const response = await fetch("/console/search", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ q: text }),
    redirect: "manual",
    signal,
  });
  if (response.type === "opaqueredirect") throw new SignedOut();
  if (!response.ok) throw new Error(`status ${response.status}`);
  return await response.json();
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
