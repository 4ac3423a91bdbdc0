/** The page `/standard/<section>`, with the contents beside the text. */
import type { State } from "../../lib/app/state.ts";
import type { ShownPage } from "../../lib/features/standard/pages/mod.ts";
import { EarlierNote, PageRecord } from "./pages/PageRecord.tsx";
import { foundationHref } from "./links.ts";
import { AnchorList, Neighbours, SectionNav } from "./navigation.tsx";
import { SearchForm } from "./SearchForm.tsx";
import { CopySamples } from "../CopySamples.tsx";
import { StandardEyebrow, StandardHead } from "./StandardHead.tsx";
import { VersionLine } from "./VersionLine.tsx";

/** The standard's version is above the text. This one counts the texts that the site has published. */
const RECORD_LABELS = { version: "Text on this site", published: "On this site since" };

/** The sections after which readers may want to check an implementation. */
const WITH_KIT = ["verification", "conformance", "test-vectors"];

/** A section of the standard, in the version that was asked for. */
export function SectionPage(
  { id, shown, state }: { id: string; shown: ShownPage; state: State },
) {
  const { standard } = state.services;
  const data = standard.page(id, shown.version.markdown)!;
  const { section, headings, html, previous, next } = data;
  const kit = foundationHref(state, "/standard/kit");
  const contents = (
    <>
      <SearchForm />
      <SectionNav sections={standard.sections} page={data} />
    </>
  );
  return (
    <div class="reading block-print">
      <StandardHead
        state={state}
        title={section.title}
        description={section.summary}
        path={`/standard/${section.id}`}
        styles="standard_text"
        indexed={shown.replacedBy === null}
      />
      <div class="reading-contents wide">{contents}</div>
      <details class="reading-contents narrow below-6 framed rounded">
        <summary class="pad-3-4 bold">Contents</summary>
        {contents}
      </details>
      <article class="reading-text shrinks">
        <StandardEyebrow standard={standard} />
        <EarlierNote shown={shown} />
        <h1 class="stack">
          <span class="number">{section.number}</span> <span>{section.title}</span>
        </h1>
        <p class="lead">{section.summary}</p>
        <VersionLine state={state} section={section.id} />
        <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />
        <CopySamples />
        {WITH_KIT.includes(section.id) && kit && (
          <p class="kit-note pad-4-5">
            The <a href={kit}>conformance kit</a>{" "}
            checks whether your implementation reproduces the test vectors.
          </p>
        )}
        <PageRecord shown={shown} state={state} labels={RECORD_LABELS} />
        <Neighbours previous={previous} next={next} />
      </article>
      {headings.length > 0 && (
        <nav class="on-this-page" aria-labelledby="on-this-page">
          <h2 class="below-3 bold" id="on-this-page">On this page</h2>
          <AnchorList headings={headings} />
        </nav>
      )}
    </div>
  );
}
