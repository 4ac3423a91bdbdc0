import { asset, Head } from "fresh/runtime";
import { renderVerifierGuide } from "../../lib/features/api/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { CopySamples } from "../CopySamples.tsx";
import { Reading } from "../Reading.tsx";

/** The guide of the module that verifies, with its versions. */
export function VerifierPage({ state }: { state: State }) {
  const { surface, services: { surfaces, chains, config } } = state;
  const { title, summary, html, headings } = renderVerifierGuide({
    from: surface,
    surfaces,
    publisher: chains.publisher,
    codeHostUrl: config.organisations[surface.organisation].codeHostUrl,
  });
  return (
    <>
      <Head>
        <title>{title}</title>
        <meta name="description" content={summary} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={summary} />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/standard.css")} />
      </Head>
      <Reading
        title={title}
        html={html}
        headings={headings}
        before={<p class="eyebrow">For programs and pages</p>}
        opening={<p class="lead">{summary}</p>}
      />
      <CopySamples />
    </>
  );
}
