import { publicFile } from "../../lib/platform/http/public_file.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  anonymous: true,
  notInOpenApi: "A file of the public log, which C2SP tlog-policy describes.",
};

/** Returns a policy file with the log and the witnesses that it asks, to any origin. */
export const handler = publicFile<State>(async ({ services }) => ({
  body: await services.logFiles.policy(),
  contentType: "text/plain; charset=utf-8",
}), { cacheControl: "public, max-age=300" });
