import { asset, Head } from "fresh/runtime";
import type { Heading } from "../../lib/features/standard/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { renderPage, type ShownPage } from "../../lib/features/trust_pages/mod.ts";
import { EarlierNote, PageRecord } from "./PageRecord.tsx";

/** The least number of sections that a page lists above its text on narrow screens. */
const MANY_SECTIONS = 6;

/** A page whose text is published Markdown, with its contents, hash, version and date beside it. */
export function PublishedPage({ shown, state }: { shown: ShownPage; state: State }) {
  const { title, description, html, headings } = renderPage(shown.version.markdown);
  const sections = headings.filter(({ level }) => level === 2);
  return (
    <article class="published">
      <Head>
        <title>{title}</title>
        <meta name="description" content={description} />
        {shown.replacedBy && <meta name="robots" content="noindex" />}
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/published.css")} />
      </Head>
      <div class="published-text prose">
        <EarlierNote shown={shown} />
        <h1>{title}</h1>
        {sections.length >= MANY_SECTIONS && (
          <details class="published-contents narrow pad-3-4 below-5 framed rounded">
            <summary class="bold">Contents</summary>
            <Contents sections={sections} />
          </details>
        )}
        <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />
      </div>
      <div class="published-side">
        <nav class="published-contents wide" aria-labelledby="on-this-page">
          <h2 class="below-2" id="on-this-page">On this page</h2>
          <Contents sections={sections} />
        </nav>
        <PageRecord shown={shown} state={state} />
      </div>
    </article>
  );
}

const Contents = ({ sections }: { sections: readonly Heading[] }) => (
  <ul class="plain">
    {sections.map(({ id, text }) => (
      <li key={id}>
        <a class="muted" href={`#${id}`}>{text}</a>
      </li>
    ))}
  </ul>
);
