/** Receives the console's form that uploads a new document to a record. */
import { issuerChoiceSchema } from "../../../../../lib/features/issuers/mod.ts";
import { renderRecord } from "../../../../../components/records/render_console_record.tsx";
import { requireLayer, requirePasskey } from "../../../../../lib/features/console/http.ts";
import { readOwnRecord } from "../../../../../lib/features/records/http.ts";
import {
  contentOf,
  documentSchema,
  UPLOAD_LIMIT,
  versionSchema,
} from "../../../../../lib/features/documents/mod.ts";
import { withConsoleResult } from "../../../../../lib/features/console/results.ts";
import { checkInput } from "../../../../../lib/platform/http/body.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";
import { orShowFileForm, readFileForm } from "../../../../../lib/platform/http/file_form.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Adds a document to a record, for full administrators. */
export const handler = route({
  async POST(ctx) {
    const { state, req, params } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const { hash: record } = await readOwnRecord(state, params.hash);
    return await orShowFileForm(() => readFileForm(req, UPLOAD_LIMIT), async (form) => {
      const details = checkInput(documentSchema, form.fields);
      const { onlyNew, askLeftOut } = checkInput(versionSchema, form.fields);
      const { issuer } = checkInput(issuerChoiceSchema, form.fields);
      const { organisation } = state.surface;
      const { documents } = state.services;
      const { file_name, content } = await contentOf(form, { staged: documents.staged, by });
      const added = {
        ...details,
        record,
        organisation,
        issuer,
        file_name,
        by,
        onlyNew,
        askLeftOut,
        askHash: "publish_hash" as const,
      };
      const { document } = unwrap(await documents.add(added, content));
      const page = `/console/records/${record}/documents/${document.id}`;
      return ctx.redirect(await withConsoleResult(state, page, "add"), 303);
    }, (refusedDocument, status) => renderRecord(ctx, { refusedDocument, status }));
  },
});
