/** The list of qualifications that a search found, with its paging and actions. */
import { type Filters, isFiltered, searchUrl } from "../../lib/features/qualifications/filters.ts";
import type { Listing } from "../../lib/features/qualifications/schemas.ts";
import {
  packageName,
  type Qualification,
} from "../../lib/features/qualifications/qualification.ts";
import { StateNote } from "../StateNote.tsx";
import { SAVE_FORM, SaveButton } from "./SaveButton.tsx";
import { Pager } from "../Pager.tsx";

/** The saved items of somebody who is signed in: codes, and the queries of searches. */
export interface SavedMarks {
  codes: string[];
  searches: string[];
}

export interface ResultsProps {
  path: string;
  filters: Filters;
  listing: Listing;
  /** Null if nobody is signed in. */
  saved: SavedMarks | null;
}

export function Results(props: ResultsProps) {
  const { total, qualifications } = props.listing;
  if (total === 0) return <NoResults {...props} />;
  return (
    <>
      <ResultList qualifications={qualifications} saved={props.saved} />
      <Paging {...props} />
      <ResultActions {...props} />
    </>
  );
}

/** A list of qualifications. The stylesheet makes the whole row a link. */
function ResultList(
  { qualifications, saved }: { qualifications: Qualification[]; saved: SavedMarks | null },
) {
  return (
    <ol class={saved === null ? "results box" : "results box can-save"}>
      {qualifications.map((qualification) => {
        const { code, title, aqf_level, status } = qualification;
        return (
          <li class="stack relative middle gap-4" key={code}>
            <code class="accent text-medium">{code}</code>
            <div class="result-what stack">
              <a class="ink bold covers" href={`/qualifications/${code}`}>{title}</a>
              <span class="note">{packageName(qualification)}</span>
            </div>
            <span class="note result-level mono nowrap">
              <abbr title="Australian Qualifications Framework">AQF</abbr> {aqf_level}
            </span>
            <StatusPill status={status} />
            {saved !== null && <SaveButton code={code} saved={saved.codes.includes(code)} />}
            <label class="result-pick middle gap-2 muted text-small screen-only">
              <input class="flush" type="checkbox" name="code" value={code} form="compare" />
              <span>
                Compare <span class="visually-hidden">{code}</span>
              </span>
            </label>
          </li>
        );
      })}
    </ol>
  );
}

/** Compares two of the results, and saves the search. */
function ResultActions({ filters, saved }: ResultsProps) {
  const search = searchUrl("", filters);
  return (
    <div class="result-actions wrap middle apart gap-3-5 above-5 screen-only">
      <form id="compare" action="/compare">
        <button type="submit" class="button small">Compare selected</button>
      </form>
      {saved === null
        ? (
          <p class="flush">
            <a href="/auth">Sign in to save qualifications and searches</a>
            <small class="muted block">The account is for this site only, not for records.</small>
          </p>
        )
        : search === ""
        ? <span class="muted">Search or filter to save the search</span>
        : saved.searches.includes(search)
        ? <a href="/account">This search is in your account</a>
        : (
          <button
            type="submit"
            class="button small"
            form={SAVE_FORM}
            name="save_search"
            value={search}
          >
            Save this search
          </button>
        )}
    </div>
  );
}

function Paging({ path, filters, listing }: ResultsProps) {
  const { total, offset, limit } = listing;
  const last = Math.ceil(total / limit);
  const page = offset / limit + 1;
  if (last <= 1) return null;
  const urlOf = (page: number) => `${searchUrl(path, filters, page)}#results`;
  return (
    <div class="above-5">
      <Pager
        label="Pages of results"
        previous={page > 1 ? { href: urlOf(page - 1), text: "Previous" } : null}
        next={page < last ? { href: urlOf(page + 1), text: "Next" } : null}
      >
        Page {page} of {last}
      </Pager>
    </div>
  );
}

function NoResults({ path, filters }: ResultsProps) {
  const { q } = filters;
  const title = q === "" ? "No qualifications match all filters" : `No results for “${q}”`;
  return (
    <StateNote kind="empty" title={title}>
      <p>
        Try the start of a code, such as BSB5, or fewer words of the title. This catalogue is a
        selection; <a href="https://training.gov.au">the national register</a>{" "}
        lists every qualification.
      </p>
      <p class="actions">
        {q !== "" && isFiltered(filters) && (
          <a class="button small" href={searchUrl(path, { q })}>Search without filters</a>
        )}
        <a class="button small" href={path}>Show all</a>
      </p>
    </StateNote>
  );
}

/**
 * Returns how many qualifications were found and which of them the page shows.
 *
 * @param size number of qualifications in the catalogue
 */
export function summaryOf({ total, offset, qualifications }: Listing, size: number): string {
  if (total === 0) return "No qualifications found";
  const count = total === size ? `${size} qualifications` : `${total} of ${size} qualifications`;
  const { length } = qualifications;
  return length === total ? count : `${count}, ${offset + 1} to ${offset + length}`;
}

export function StatusPill({ status }: { status: Qualification["status"] }) {
  return status === "current"
    ? <span class="pill good">Current</span>
    : <span class="pill warn">Superseded</span>;
}
