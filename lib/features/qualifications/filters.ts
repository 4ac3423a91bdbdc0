import type { AqfLevel, Qualification } from "./qualification.ts";

/** The filters of a search. A missing filter matches everything. */
export interface Filters {
  q: string;
  level?: AqfLevel;
  /** Three-letter code. */
  package?: string;
  status?: Qualification["status"];
}

export const MAX_QUERY_LENGTH = 100;
export const PAGE_SIZE = 20;

/**
 * Returns the URL of a search, on a page or on the endpoint. It leaves out empty filters, so that
 * each search has one URL.
 *
 * @param page from 1
 *
 * @example
 * ```ts
 * searchUrl("/", { q: "child care", level: 3 }); // "/?q=child+care&level=3"
 * ```
 */
export function searchUrl(path: string, filters: Partial<Filters>, page = 1): string {
  const params = new URLSearchParams();
  for (const name of ["q", "level", "package", "status"] as const) {
    const value = filters[name];
    if (value) params.set(name, String(value));
  }
  if (page > 1) params.set("page", String(page));
  return params.size === 0 ? path : `${path}?${params}`;
}

/** Returns whether anything besides the query narrows a search. */
export const isFiltered = (filters: Filters): boolean =>
  [filters.level, filters.package, filters.status].some((value) => value !== undefined);
