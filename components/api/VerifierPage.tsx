import { PageHead } from "../PageHead.tsx";
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
      <PageHead title={title} description={summary} styles="verifier" />
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
