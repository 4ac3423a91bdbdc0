import { PageHead } from "../../PageHead.tsx";
import type { State } from "../../../lib/app/state.ts";
import { derive } from "../../../lib/platform/http/derived.ts";
import { renderPage, type ShownPage } from "../../../lib/features/standard/pages/mod.ts";
import { Reading } from "../../Reading.tsx";
import { EarlierNote, PageRecord } from "./PageRecord.tsx";

/** A page whose text is published Markdown, with its contents, hash, version and date beside it. */
export function PublishedPage({ shown, state }: { shown: ShownPage; state: State }) {
  const { title, description, html, headings } = derive(
    "page",
    shown.version.markdown,
    renderPage,
  );
  return (
    <>
      <PageHead title={title} description={description} styles="published">
        {shown.replacedBy && <meta name="robots" content="noindex" />}
      </PageHead>
      <Reading
        title={title}
        html={html}
        headings={headings}
        before={<EarlierNote shown={shown} />}
        beside={<PageRecord shown={shown} state={state} />}
      />
    </>
  );
}
