import { readServerDescriptor } from "../../../lib/features/api/mod.ts";
import { serverDescriptor } from "../../../lib/features/mcp/mod.ts";
import { cacheable, jsonContent } from "../../../lib/platform/http/etag.ts";
import { FOR_AN_HOUR } from "../../../lib/platform/http/public_file.ts";
import { serveOperation } from "../../../lib/app/serve_operation.ts";
import { route } from "../../../lib/app/state.ts";

/** Returns the server descriptor (spec 2.7). */
export const handler = route({
  GET: serveOperation(readServerDescriptor, ({ req, state: { services, surface } }) => {
    const content = jsonContent(serverDescriptor(services.manifests[surface.organisation]));
    return cacheable(req, content, { "cache-control": FOR_AN_HOUR });
  }),
});
