import { renderConsole } from "../../../../../../components/console/render_console.tsx";
import { DocumentView } from "../../../../../../components/documents/DocumentView.tsx";
import { openInConsole } from "../../../../../../components/documents/open_in_console.ts";
import { openView, OPERATOR, VIEWER_POLICY } from "../../../../../../lib/features/documents/mod.ts";
import { route } from "../../../../../../lib/app/state.ts";

/** A document of a record, for full administrators. Reading it is an event of the record. */
export const handler = route({
  async GET(ctx) {
    const { state, params } = ctx;
    const { opened } = await openInConsole(ctx);
    const { document } = opened;
    const [view, partiesOf] = await Promise.all([
      openView(ctx, opened, OPERATOR),
      state.services.documentParties.of([document]),
    ]);
    state.policy = VIEWER_POLICY;
    const path = `/console/records/${params.hash}/documents/${document.id}`;
    return await renderConsole(
      ctx,
      { title: document.title },
      <div class="document-page wide">
        <DocumentView
          {...{ opened, path, state, ...view }}
          parties={partiesOf(document)}
          page={1}
          back={{ href: path, text: "Document" }}
        />
      </div>,
      { headers: { "cache-control": "no-store" } },
    );
  },
});
