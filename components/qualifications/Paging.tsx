import { addressOf, type Filters } from "../../lib/qualifications/filters.ts";
import type { Listing } from "../../lib/qualifications/listing.ts";

/** Leads to the other pages of a result; nothing where there is one. */
export function Paging(
  { path, filters, listing }: { path: string; filters: Filters; listing: Listing },
) {
  const { total, offset, limit } = listing;
  const last = Math.ceil(total / limit);
  const page = offset / limit + 1;
  if (last <= 1) return null;
  const to = (page: number) => `${addressOf(path, filters, page)}#results`;
  return (
    <nav class="paging" aria-label="Pages of results">
      {page > 1 ? <a class="button small" rel="prev" href={to(page - 1)}>← Previous</a> : <span />}
      <span class="muted">Page {page} of {last}</span>
      {page < last ? <a class="button small" rel="next" href={to(page + 1)}>Next →</a> : <span />}
    </nav>
  );
}
