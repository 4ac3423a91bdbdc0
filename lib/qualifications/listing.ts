import type { Filters } from "./filters.ts";
import type { Catalogue, CatalogueQuery } from "./mod.ts";
import { packageName, type Qualification } from "./qualification.ts";
import type { Counts, Listing } from "./schemas.ts";

export type { Counts, Listing };

/**
 * Returns one page of matches, best match first.
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
  const matches = catalogue.search(query).qualifications;
  const without = (filter: keyof CatalogueQuery) =>
    catalogue.search({ ...query, [filter]: undefined }).qualifications;
  return {
    total: matches.length,
    offset,
    limit,
    qualifications: matches.slice(offset, offset + limit),
    counts: {
      level: countBy(without("aqf_level"), ({ aqf_level }) => String(aqf_level)),
      package: countBy(without("training_package"), (each) => each.training_package.code),
      status: countBy(without("status"), ({ status }) => status),
    },
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

export interface FilterOption {
  value: string;
  text: string;
}

export interface FilterOptions {
  level: FilterOption[];
  package: FilterOption[];
}

/** Returns the levels and training packages of a catalogue, sorted. */
export function filterOptions(catalogue: Catalogue): FilterOptions {
  const levels = new Map<number, Set<string>>();
  const packages = new Map<string, string>();
  for (const qualification of catalogue.all) {
    const { aqf_level, level_name, training_package } = qualification;
    levels.set(aqf_level, (levels.get(aqf_level) ?? new Set()).add(level_name));
    packages.set(training_package.code, packageName(qualification));
  }
  return {
    level: [...levels].sort(([a], [b]) => a - b).map(([level, names]) => ({
      value: String(level),
      text: `${level} · ${[...names].sort().join(", ")}`,
    })),
    package: [...packages].sort().map(([code, name]) => ({
      value: code,
      text: `${code} · ${name}`,
    })),
  };
}
