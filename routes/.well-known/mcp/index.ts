import { PUBLIC, withCors } from "../../../lib/http/cors.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { cacheableJson } from "../../../lib/http/etag.ts";
import { serverDescriptor } from "../../../lib/mcp/mod.ts";
import { define, type State } from "../../../lib/state.ts";

/** Returns the server descriptor (spec 2.7) to any origin. */
export const handler = define.handlers(withCors<State>(
  () => PUBLIC,
  endpoint<State>({
    GET({ req, state: { services, surface } }) {
      const manifest = services.manifests[surface.organisation];
      return cacheableJson(req, serverDescriptor(manifest), "public, max-age=3600");
    },
  }),
));
