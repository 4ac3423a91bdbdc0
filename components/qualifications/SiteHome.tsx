import { asset, Head } from "fresh/runtime";
import { renderToString } from "preact-render-to-string";
import { PAGE_SIZE, searchUrl } from "../../lib/qualifications/filters.ts";
import { listPage } from "../../lib/qualifications/listing.ts";
import { readPageRequest } from "../../lib/qualifications/params.ts";
import type { SavedItems } from "../../lib/qualifications/saved.ts";
import type { State } from "../../lib/state.ts";
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
  const listing = listPage(catalogue, filters, { page, size: PAGE_SIZE });
  const { options } = catalogue;
  const description = `${catalogue.size} Australian vocational qualifications from ` +
    `${options.package.length} training packages, with their level, status and successor.`;
  const saved: SavedMarks | null = items && {
    codes: items.qualifications.map(({ code }) => code),
    searches: items.searches.map(({ filters }) => searchUrl("", filters)),
  };
  // The same for everyone, so each is rendered once.
  const key = searchUrl(path, filters, listing.offset / listing.limit + 1);
  const form = html.get(`form ${key}`, () =>
    renderToString(
      <FilterForm action={path} initial={filters} options={options} counts={listing.counts} />,
    ));
  const results = saved === null
    ? html.get(
      `results ${key}`,
      () => renderToString(<Results {...{ path, filters, listing, saved }} />),
    )
    : null;
  return (
    <div class="site-home">
      <Head>
        <title>{`${config.productName}: Australian vocational qualifications`}</title>
        <meta name="description" content={description} />
        <link key="canonical" rel="canonical" href={surface.baseUrl + path} />
        {url.search !== "" && <meta name="robots" content="noindex" />}
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/qualifications.css")} />
      </Head>
      <p class="eyebrow">Australian vocational qualifications</p>
      <h1>Find a qualification</h1>
      <p class="lead">
        {catalogue.size} qualifications from {options.package.length}{" "}
        training packages, with their level, status and successor.
      </p>
      <div dangerouslySetInnerHTML={{ __html: form }} />
      <QualificationSearch
        path={path}
        search={searchUrl("", filters)}
        size={catalogue.size}
        summary={summaryOf(listing, catalogue.size)}
        saved={saved}
        initial={saved && { filters: defined(filters), listing }}
        results={results && <div dangerouslySetInnerHTML={{ __html: results }} />}
      >
        {session
          ? <a class="onward" href="/account">Go to your account →</a>
          : <a class="onward" href="/auth">Sign in to run this analysis on your scope →</a>}
      </QualificationSearch>
      <p class="scope-note muted">
        Your scope is the list of qualifications that you are registered to deliver. The analysis,
        which is not available yet, will show which of them have been superseded, and by what.
      </p>
    </div>
  );
}

/** Returns an object without undefined values, which JSON could not represent. */
const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
