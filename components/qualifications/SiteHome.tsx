import { asset, Head } from "fresh/runtime";
import { PAGE_SIZE } from "../../lib/qualifications/filters.ts";
import { filterOptions, listPage } from "../../lib/qualifications/listing.ts";
import { readPageRequest } from "../../lib/qualifications/params.ts";
import type { State } from "../../lib/state.ts";
import { siteHomePath } from "../navigation.ts";
import { QualificationSearch } from "./QualificationSearch.tsx";

export function SiteHome({ state, url }: { state: State; url: URL }) {
  const { surface, session } = state;
  const { catalogue, config } = state.services;
  const { filters, page } = readPageRequest(url);
  const options = filterOptions(catalogue);
  const description = `${catalogue.size} Australian vocational qualifications from ` +
    `${options.package.length} training packages, with their level, status and successor.`;
  return (
    <div class="site-home">
      <Head>
        <title>{`${config.productName}: Australian vocational qualifications`}</title>
        <meta name="description" content={description} />
        <link key="canonical" rel="canonical" href={surface.baseUrl + siteHomePath(surface)} />
        {url.search !== "" && <meta name="robots" content="noindex" />}
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/qualifications.css")} />
      </Head>
      <p class="eyebrow">Australian vocational qualifications</p>
      <h1>Find a qualification</h1>
      <p class="lead">
        {catalogue.size} qualifications from {options.package.length}{" "}
        training packages, with their level, status and successor.
      </p>
      <QualificationSearch
        path={siteHomePath(surface)}
        size={catalogue.size}
        options={options}
        initial={{ filters, listing: listPage(catalogue, filters, { page, size: PAGE_SIZE }) }}
      >
        {session
          ? <a class="onward" href="/account">Go to your account →</a>
          : <a class="onward" href="/auth">Sign in to run this analysis on your scope →</a>}
      </QualificationSearch>
    </div>
  );
}
