import { downloadDocument } from "../../../../lib/features/api/mod.ts";
import { fileResponse } from "../../../../lib/features/documents/mod.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { serveOperation } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";

/** Returns a file of a document: `?form=issued` (default) or `original`, and `&version=` for an older one. */
export const handler = route({
  GET: serveOperation(
    downloadDocument,
    async ({ req, params, state: { services } }, { caller, query: which }) => {
      const found = unwrap(await services.issuerApi.file(caller, params.id, which));
      const about = { ...found, shown: false };
      if (req.method === "HEAD") return fileResponse(about, { body: null });
      const { body } = unwrap(await services.documents.begin(found.file));
      return fileResponse(about, { body });
    },
  ),
});
