/** The home page of the qualification site, with the search and its results. */
import { asset, Head } from "fresh/runtime";
import { renderToString } from "preact-render-to-string";
import { PAGE_SIZE, searchUrl } from "../../lib/features/qualifications/filters.ts";
import { listPage } from "../../lib/features/qualifications/listing.ts";
import type { Listing } from "../../lib/features/qualifications/schemas.ts";
import { readPageRequest } from "../../lib/features/qualifications/params.ts";
import type { SavedItems } from "../../lib/features/qualifications/saved.ts";
import type { State } from "../../lib/app/state.ts";
import { siteHomePath } from "../navigation.ts";
import { FilterForm } from "./FilterForm.tsx";
import { QualificationSearch } from "./QualificationSearch.tsx";
import { Results, type SavedMarks, summaryOf } from "./Results.tsx";

/** @param props.items what the person who is signed in has saved; null if nobody is */
export function SiteHome(
  { state, url, items }: { state: State; url: URL; items: SavedItems | null },
) {
  const { surface, session } = state;
  const { catalogue, config, html } = state.services;
  const path = siteHomePath(surface);
  const { filters, page } = readPageRequest(url);
  const { options, size } = catalogue;
  const saved = items && marksOf(items);
  // Visitors who are not signed in all see the same, so it is rendered and counted only once.
  const key = searchUrl(path, filters, page);
  let found: Listing | undefined;
  const listing = () => found ??= listPage(catalogue, filters, { page, size: PAGE_SIZE });
  const form = html.getOrAdd(`form ${key}`, () => {
    const { counts } = listing();
    return renderToString(
      <FilterForm action={path} initial={filters} options={options} counts={counts} />,
    );
  });
  const summary = html.getOrAdd(`summary ${key}`, () => summaryOf(listing(), size));
  const results = saved === null
    ? html.getOrAdd(`results ${key}`, () => {
      const props = { path, filters, listing: listing(), saved };
      return renderToString(<Results {...props} />);
    })
    : null;
  const title = `${config.productName}: Australian vocational qualifications`;
  const scope = `${size} Australian vocational qualifications from ${options.package.length}`;
  return (
    <div class="site-home">
      <Head>
        <title>{title}</title>
        <meta
          name="description"
          content={`${scope} training packages, with their level, status and successor.`}
        />
        <link key="canonical" rel="canonical" href={surface.baseUrl + path} />
        {url.search !== "" && <meta name="robots" content="noindex" />}
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/qualifications.css")} />
      </Head>
      <p class="eyebrow">Australian vocational qualifications</p>
      <h1 class="below-3">Find a qualification</h1>
      <p class="lead below-6">
        See whether it is current, and what replaced it. {size} qualifications from{" "}
        {options.package.length} training packages, a selection of the{" "}
        <a href="https://training.gov.au">national register</a>.
      </p>
      <div dangerouslySetInnerHTML={{ __html: form }} />
      <QualificationSearch
        path={path}
        search={searchUrl("", filters)}
        size={size}
        summary={summary}
        saved={saved}
        initial={saved && { filters: defined(filters), listing: listing() }}
        results={results && <div dangerouslySetInnerHTML={{ __html: results }} />}
      >
        {session
          ? <a class="onward bold screen-only" href="/account">Go to your account →</a>
          : (
            <div class="scope">
              <a class="onward bold screen-only" href="/auth">
                Sign in to run this analysis on your scope →
              </a>
              <p class="wrap gap-0-4 flush muted digits text-small">
                The analysis is not available yet. Signed in, you can save qualifications and
                searches, and see which ones were superseded.
              </p>
            </div>
          )}
      </QualificationSearch>
    </div>
  );
}

const marksOf = ({ qualifications, searches }: SavedItems): SavedMarks => ({
  codes: qualifications.map(({ code }) => code),
  searches: searches.map(({ filters }) => searchUrl("", filters)),
});

/** Returns an object without undefined values, which JSON could not represent. */
const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
