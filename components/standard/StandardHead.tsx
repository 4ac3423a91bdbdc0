import { asset, Head } from "fresh/runtime";
import type { State } from "../../lib/state.ts";

export interface StandardHeadProps {
  state: State;
  /** The page's own title; the standard's stands behind it. */
  title?: string;
  description: string;
  path: string;
  /** False for answers to a query, which no search engine should keep. */
  indexed?: boolean;
}

/**
 * What a reading page has in its head. Both organisations publish the same text, so the foundation's
 * address is the canonical one, wherever its site is served here.
 */
export function StandardHead(
  { state, title, description, path, indexed = true }: StandardHeadProps,
) {
  const { standard, surfaces } = state.services;
  const whole = `${standard.title} ${standard.version}`;
  const full = title === undefined ? whole : `${title} · ${whole}`;
  const canonical = surfaces.url("foundation", path) ?? state.surface.baseUrl + path;
  return (
    <Head>
      <title>{full}</title>
      <meta name="description" content={description} />
      <meta property="og:type" content="article" />
      <meta property="og:title" content={full} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={canonical} />
      {!indexed && <meta name="robots" content="noindex" />}
      <link key="canonical" rel="canonical" href={canonical} />
      <link rel="stylesheet" href={asset("/styles/standard.css")} />
    </Head>
  );
}
