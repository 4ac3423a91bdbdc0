import { asset, Head } from "fresh/runtime";
import type { State } from "../../lib/state.ts";
import { renderPage, type ShownPage } from "../../lib/trust_pages/mod.ts";
import { EarlierNote, PageRecord } from "./PageRecord.tsx";

/** A page whose text is published Markdown, with its hash, version and date at the foot. */
export function PublishedPage({ shown, state }: { shown: ShownPage; state: State }) {
  const { title, description, html } = renderPage(shown.version.markdown);
  return (
    <article class="prose published">
      <Head>
        <title>{title}</title>
        <meta name="description" content={description} />
        {shown.replacedBy && <meta name="robots" content="noindex" />}
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/published.css")} />
      </Head>
      <EarlierNote shown={shown} />
      <h1>{title}</h1>
      <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />
      <PageRecord shown={shown} state={state} />
    </article>
  );
}
