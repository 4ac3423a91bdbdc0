import type { AqfLevel, Qualification } from "./qualification.ts";

/** What a page of the search asks for; what is absent lets everything pass. */
export interface Filters {
  /** What was typed; may be empty. */
  q: string;
  level?: AqfLevel;
  /** Three-letter code. */
  package?: string;
  status?: Qualification["status"];
}

/** The most characters of a query. */
export const QUERY_LENGTH = 100;

/** How many qualifications one page lists. */
export const PAGE_SIZE = 20;

/**
 * The address of a search: a page's, or with another path the endpoint's. What says nothing is
 * left out, so that one search has one address.
 *
 * @param page from 1
 *
 * @example
 * ```ts
 * addressOf("/", { q: "child care", level: 3 }); // "/?q=child+care&level=3"
 * ```
 */
export function addressOf(path: string, filters: Partial<Filters>, page = 1): string {
  const params = new URLSearchParams();
  for (const name of ["q", "level", "package", "status"] as const) {
    const value = filters[name];
    if (value) params.set(name, String(value));
  }
  if (page > 1) params.set("page", String(page));
  return params.size === 0 ? path : `${path}?${params}`;
}

/** True where something besides the query narrows a search. */
export const isFiltered = (filters: Filters): boolean =>
  [filters.level, filters.package, filters.status].some((value) => value !== undefined);
