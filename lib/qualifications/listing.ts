import type { Filters } from "./filters.ts";
import type { Catalogue, CatalogueQuery, Qualification } from "./mod.ts";

/** How many qualifications each choice of a filter would leave, the other filters staying. */
export interface Counts {
  /** By AQF level. */
  level: Record<string, number>;
  /** By three-letter code. */
  package: Record<string, number>;
  status: Record<string, number>;
}

/** One page of a search's result. */
export interface Listing {
  /** All that match. */
  total: number;
  /** How many of them stand before these. */
  offset: number;
  /** The most that a page has. */
  limit: number;
  qualifications: Qualification[];
  counts: Counts;
}

/**
 * Lists a page of what filters let pass, best first.
 *
 * @example
 * ```ts
 * listQualifications(catalogue, { q: "carpentry" }, { limit: 20, offset: 0 }).total;
 * ```
 */
export function listQualifications(
  catalogue: Catalogue,
  filters: Filters,
  { limit, offset }: { limit: number; offset: number },
): Listing {
  const query: CatalogueQuery = {
    query: filters.q,
    aqf_level: filters.level,
    training_package: filters.package,
    status: filters.status,
  };
  const found = (but?: keyof CatalogueQuery) =>
    catalogue.search(but === undefined ? query : { ...query, [but]: undefined }).qualifications;
  const matches = found();
  return {
    total: matches.length,
    offset,
    limit,
    qualifications: matches.slice(offset, offset + limit),
    counts: {
      level: countBy(found("aqf_level"), ({ aqf_level }) => String(aqf_level)),
      package: countBy(found("training_package"), (each) => each.training_package.code),
      status: countBy(found("status"), ({ status }) => status),
    },
  };
}

/** As {@linkcode listQualifications}, by the page's number from 1; past the end, the last page. */
export function listPage(
  catalogue: Catalogue,
  filters: Filters,
  { page, size }: { page: number; size: number },
): Listing {
  const at = (page: number) =>
    listQualifications(catalogue, filters, { limit: size, offset: (page - 1) * size });
  const listing = at(page);
  const last = Math.max(1, Math.ceil(listing.total / size));
  return page > last ? at(last) : listing;
}

function countBy(
  qualifications: readonly Qualification[],
  keyOf: (qualification: Qualification) => string,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const qualification of qualifications) {
    const key = keyOf(qualification);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
