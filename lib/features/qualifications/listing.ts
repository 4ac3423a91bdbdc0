/** Pages of a search for qualifications, with the number of matches for each filter. */
import type { Filters } from "./filters.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Qualification } from "./qualification.ts";
import type { Counts, Listing } from "./schemas.ts";

/** Returns one page of matches, best match first. */
export function listQualifications(
  catalogue: Catalogue,
  filters: Filters,
  { limit, offset }: { limit: number; offset: number },
): Listing {
  const packageCode = filters.package?.toUpperCase();
  const counts: Counts = { level: {}, package: {}, status: {} };
  const matches: Qualification[] = [];
  for (const qualification of catalogue.search({ query: filters.q }).qualifications) {
    const { aqf_level, training_package: { code }, status } = qualification;
    const level = filters.level === undefined || filters.level === aqf_level;
    const pack = packageCode === undefined || packageCode === code;
    const state = filters.status === undefined || filters.status === status;
    if (level && pack && state) matches.push(qualification);
    if (pack && state) count(counts.level, String(aqf_level));
    if (level && state) count(counts.package, code);
    if (level && pack) count(counts.status, status);
  }
  return {
    total: matches.length,
    offset,
    limit,
    qualifications: matches.slice(offset, offset + limit),
    counts,
  };
}

/** Returns a page by its number from 1, or the last page if the number is larger. */
export function listPage(
  catalogue: Catalogue,
  filters: Filters,
  { page, size }: { page: number; size: number },
): Listing {
  const listingOf = (page: number) =>
    listQualifications(catalogue, filters, { limit: size, offset: (page - 1) * size });
  const listing = listingOf(page);
  const last = Math.max(1, Math.ceil(listing.total / size));
  return page > last ? listingOf(last) : listing;
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
