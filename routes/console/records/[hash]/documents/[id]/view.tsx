import { renderConsole } from "../../../../../../components/console/render_console.tsx";
import { DocumentView } from "../../../../../../components/documents/DocumentView.tsx";
import { openInConsole } from "../../../../../../lib/features/console/documents.ts";
import { openView, OPERATOR, VIEWER_POLICY } from "../../../../../../lib/features/documents/mod.ts";
import { route } from "../../../../../../lib/app/state.ts";

/** A document of a record, for full administrators. Reading it is an event of the record. */
export const handler = route({
  async GET(ctx) {
    const { state, params } = ctx;
    const { opened } = await openInConsole(ctx);
    const view = await openView(ctx, opened, OPERATOR);
    state.policy = VIEWER_POLICY;
    const path = `/console/records/${params.hash}/documents/${opened.document.id}`;
    return await renderConsole(
      ctx,
      { title: opened.document.title },
      <div class="document-page wide">
        <DocumentView
          {...{ opened, path, state, ...view }}
          grant={null}
          page={1}
          back={{ href: path, text: "Document" }}
        />
      </div>,
      { headers: { "cache-control": "no-store" } },
    );
  },
});
