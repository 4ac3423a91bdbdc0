import { PUBLIC } from "../../../lib/platform/http/cors.ts";
import { growingFile, IMMUTABLE } from "../../../lib/platform/http/public_file.ts";
import type { RouteProperties, State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  anonymous: true,
  notInOpenApi: "Files of the public log, which C2SP tlog-tiles describes.",
};

/** Returns a tile or an entry bundle of the published tree, to any origin. */
export const handler = growingFile<State>(({ state: { services: { logFiles }, pathname } }) => {
  const path = pathname.slice("/log/".length);
  return logFiles.cachedTile(path) ?? logFiles.tile(path);
}, {
  contentType: "application/octet-stream",
  cacheControl: IMMUTABLE,
  missing: "The published log has no such tile.",
  // Tiles have no other headers, and each one costs time.
  cors: { ...PUBLIC, responseHeaders: [] },
});
