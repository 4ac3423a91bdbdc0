import { jsonContent } from "../../lib/platform/http/etag.ts";
import { publicFile } from "../../lib/platform/http/public_file.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  anonymous: true,
  notInOpenApi: "A file of the public log, which docs/ops/log.md describes.",
};

/**
 * Returns the newest checkpoint of each combination of witnesses that have countersigned one, the largest first, as a
 * list of texts in JSON, to any origin.
 */
export const handler = publicFile<State>(
  async ({ services }) => jsonContent(await services.logFiles.checkpoints()),
  { cacheControl: "public, max-age=5" },
);
