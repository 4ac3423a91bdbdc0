import { growingFile } from "../../lib/platform/http/public_file.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  anonymous: true,
  notInOpenApi: "A file of the public log, which the standard describes.",
};

/** Returns the name, the keys and the last checkpoint of the log that this one continues, to any origin. */
export const handler = growingFile<State>(({ state }) => state.services.logFiles.previous(), {
  contentType: "text/plain; charset=utf-8",
  cacheControl: "public, max-age=300",
  missing: "This log does not continue another one.",
});
