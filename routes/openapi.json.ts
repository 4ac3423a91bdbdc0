import { readOpenApi } from "../lib/features/api/mod.ts";
import { isNotModified } from "../lib/platform/http/etag.ts";
import { jsonResponse } from "../lib/platform/http/feed.ts";
import { serveOperation } from "../lib/app/serve_operation.ts";
import { route } from "../lib/app/state.ts";

/** Returns the OpenAPI 3.1 document of the API. */
export const handler = route({
  GET: serveOperation(readOpenApi, async ({ req, state: { services, surface } }) => {
    const { document, etag } = await services.api.document(surface);
    const headers = { etag, "cache-control": "public, max-age=300", vary: "Accept-Encoding" };
    if (isNotModified(req, etag)) return new Response(null, { status: 304, headers });
    return jsonResponse(req, document, headers);
  }),
});
