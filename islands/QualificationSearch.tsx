import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { FilterForm } from "../components/qualifications/FilterForm.tsx";
import { Results, summaryOf } from "../components/qualifications/Results.tsx";
import { type Found, useListing } from "../components/qualifications/useListing.ts";
import type { Choices } from "../lib/qualifications/choices.ts";
import { addressOf, type Filters, isFiltered } from "../lib/qualifications/filters.ts";

export interface QualificationSearchProps {
  /** Where the page stands. */
  path: string;
  /** How many qualifications there are. */
  size: number;
  choices: Choices;
  /** What the address asked for, and what the server found. */
  first: Found;
  /** What stands beside the count. */
  children?: ComponentChildren;
}

/** The search of the site's home. Without scripts the same form and links work by loading pages. */
export default function QualificationSearch(
  { path, size, choices, first, children }: QualificationSearchProps,
) {
  const form = useRef<HTMLFormElement>(null);
  const { filters, listing, state, search } = useListing(first, path);

  const searchNow = (options?: { typing: boolean }) => search(read(form.current!), options);
  const tryAgain = () => {
    form.current!.querySelector("input")!.focus(); // the button goes away under it
    searchNow();
  };
  useEffect(() => {
    // What was typed before this script ran, or what the browser has put back.
    if (addressOf("", read(form.current!)) !== addressOf("", first.filters)) searchNow();
  }, []);

  return (
    <>
      <FilterForm
        action={path}
        begin={first.filters}
        choices={choices}
        counts={listing.counts}
        form={form}
        onInput={({ target }) => searchNow({ typing: (target as HTMLInputElement).name === "q" })}
        onSubmit={(event) => {
          event.preventDefault();
          searchNow();
        }}
      />
      <div class="found">
        <p>
          <span role="status">{summaryOf(listing, size)}</span>
          {(filters.q !== "" || isFiltered(filters)) && <a href={path}>Clear</a>}
        </p>
        {children}
      </div>
      {state === "failed" && (
        <p class="search-failed" role="alert">
          The search did not answer.
          <button type="button" class="button small" onClick={tryAgain}>Try again</button>
        </p>
      )}
      <Results path={path} filters={filters} listing={listing} busy={state === "busy"} />
    </>
  );
}

/** What the controls say at this moment. */
function read(form: HTMLFormElement): Filters {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? "").trim();
  return {
    q: text("q"),
    level: (Number(text("level")) || undefined) as Filters["level"],
    package: text("package") || undefined,
    status: (text("status") || undefined) as Filters["status"],
  };
}
