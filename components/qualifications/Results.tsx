import { addressOf, type Filters, isFiltered } from "../../lib/qualifications/filters.ts";
import type { Listing } from "../../lib/qualifications/listing.ts";
import { StateNote } from "../StateNote.tsx";
import { Paging } from "./Paging.tsx";
import { ResultList } from "./ResultList.tsx";

/** What a search found, or what to do where it found nothing. */
export function Results({ path, filters, listing, busy }: {
  path: string;
  filters: Filters;
  listing: Listing;
  busy: boolean;
}) {
  return (
    <section
      id="results"
      class="results-part"
      aria-label="Results"
      aria-busy={busy ? "true" : "false"}
    >
      {listing.total === 0 ? <Nothing path={path} filters={filters} /> : (
        <>
          <ResultList qualifications={listing.qualifications} />
          <Paging path={path} filters={filters} listing={listing} />
        </>
      )}
    </section>
  );
}

function Nothing({ path, filters }: { path: string; filters: Filters }) {
  const { q } = filters;
  return (
    <StateNote kind="empty" title={q === "" ? "Nothing fits all filters" : `Nothing for “${q}”`}>
      <p>
        Try the beginning of a code, as in BSB5, or fewer words of the title. This catalogue is a
        selection: <a href="https://training.gov.au">the national register</a> has everything.
      </p>
      <p class="actions">
        {q !== "" && isFiltered(filters) && (
          <a class="button small" href={addressOf(path, { q })}>Search without filters</a>
        )}
        <a class="button small" href={path}>Show all</a>
      </p>
    </StateNote>
  );
}

/**
 * A result's size in words.
 *
 * @param size of the whole catalogue
 */
export function summaryOf({ total, offset, qualifications }: Listing, size: number): string {
  if (total === 0) return "No qualifications found";
  const count = total === size ? `${size} qualifications` : `${total} of ${size} qualifications`;
  const { length } = qualifications;
  return length === total ? count : `${count}, ${offset + 1} to ${offset + length}`;
}
