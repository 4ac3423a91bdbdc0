import { RequestError } from "../../lib/platform/http/errors.ts";
import { manifest } from "../../lib/features/push/app/mod.ts";
import { route } from "../../lib/app/state.ts";

/** The web app manifest of `/my-record`. */
export const handler = route({
  GET({ state: { services: { config }, surface } }) {
    if (!config.recordApp) throw new RequestError(404, "Records are not available as an app.");
    const { name } = config.organisations[surface.organisation];
    return new Response(JSON.stringify(manifest(name)), {
      headers: { "content-type": "application/manifest+json", "cache-control": "no-cache" },
    });
  },
});
