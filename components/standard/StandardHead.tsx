/** Titles, metadata and eyebrows that the pages of the standard share. */
import { asset, Head } from "fresh/runtime";
import type { WholeText } from "../../lib/features/standard/mod.ts";
import type { State } from "../../lib/app/state.ts";

interface StandardHeadProps {
  state: State;
  /** The page's own title, shown before the standard's. */
  title?: string;
  description: string;
  path: string;
  /** The stylesheet in `static/styles/pages`. */
  styles?: string;
  /** The version of the text, by default the current one. */
  version?: string;
  /** False for search results, which search engines should not index. */
  indexed?: boolean;
}

/**
 * The head of a page of the standard. Both organisations publish the same text, so the canonical URL
 * is on the foundation's site if this deployment serves it.
 */
export function StandardHead(
  { state, title, description, path, styles = "standard", version, indexed = true }:
    StandardHeadProps,
) {
  const { standard, surfaces } = state.services;
  const standardTitle = `${standard.title} ${version ?? standard.version}`;
  const fullTitle = title === undefined ? standardTitle : `${title} · ${standardTitle}`;
  const canonical = surfaces.url("foundation", path) ?? state.surface.baseUrl + path;
  return (
    <Head>
      <title>{fullTitle}</title>
      <meta name="description" content={description} />
      <meta property="og:type" content="article" />
      <meta property="og:title" content={fullTitle} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={canonical} />
      {!indexed && <meta name="robots" content="noindex" />}
      <link key="canonical" rel="canonical" href={canonical} />
      <link key="styles" rel="stylesheet" href={asset(`/styles/pages/${styles}.css`)} />
    </Head>
  );
}

export function StandardEyebrow({ standard }: { standard: Pick<WholeText, "title" | "version"> }) {
  return (
    <p class="eyebrow">
      <a href="/standard">{standard.title} {standard.version}</a>
    </p>
  );
}
