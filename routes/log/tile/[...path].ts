import { type CorsPolicy, PUBLIC, withCors } from "../../../lib/platform/http/cors.ts";
import { RequestError } from "../../../lib/platform/http/errors.ts";
import { route, type RouteProperties, type State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  anonymous: true,
  bindsLogs: false,
  notInOpenApi: "Files of the public log, which C2SP tlog-tiles describes.",
};

const HEADERS = {
  "content-type": "application/octet-stream",
  "cache-control": "public, max-age=31536000, immutable",
};

/** Tiles have no other headers, and each one costs time. */
const CORS: CorsPolicy = { ...PUBLIC, responseHeaders: [] };

/** Returns a tile or an entry bundle of the published tree, to any origin. */
export const handler = withCors<State>(
  () => CORS,
  route({
    async GET({ state }) {
      const { services: { logFiles }, pathname } = state;
      const path = pathname.slice("/log/".length);
      const bytes = logFiles.cachedTile(path) ?? await logFiles.tile(path);
      if (bytes === null) {
        // It may exist later, so no cache may keep this.
        throw new RequestError(404, "The published log has no such tile.", {
          headers: { "cache-control": "no-store" },
        });
      }
      return new Response(bytes, { headers: HEADERS });
    },
  }),
);
