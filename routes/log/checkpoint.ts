import { growingFile } from "../../lib/platform/http/public_file.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  anonymous: true,
  notInOpenApi: "A file of the public log, which C2SP tlog-tiles describes.",
};

/** Returns the newest published checkpoint of the log, to any origin. */
export const handler = growingFile<State>(({ state }) => state.services.logFiles.checkpoint(), {
  contentType: "text/plain; charset=utf-8",
  cacheControl: "public, max-age=5",
  missing: "The log has no checkpoint yet.",
});
