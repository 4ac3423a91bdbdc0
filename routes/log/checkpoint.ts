import { PUBLIC, withCors } from "../../lib/platform/http/cors.ts";
import { RequestError } from "../../lib/platform/http/errors.ts";
import { route, type RouteProperties, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  anonymous: true,
  notInOpenApi: "A file of the public log, which C2SP tlog-tiles describes.",
};

/** Returns the newest published checkpoint of the log, to any origin. */
export const handler = withCors<State>(
  () => PUBLIC,
  route({
    async GET({ state }) {
      const checkpoint = await state.services.logFiles.checkpoint();
      if (checkpoint === null) {
        throw new RequestError(404, "The log has no checkpoint yet.", {
          headers: { "cache-control": "no-store" },
        });
      }
      return new Response(checkpoint, {
        headers: {
          "content-type": "text/plain; charset=utf-8",
          "cache-control": "public, max-age=5",
        },
      });
    },
  }),
);
