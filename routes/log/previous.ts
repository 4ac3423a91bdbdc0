import { PUBLIC, withCors } from "../../lib/platform/http/cors.ts";
import { RequestError } from "../../lib/platform/http/errors.ts";
import { route, type RouteProperties, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  anonymous: true,
  notInOpenApi: "A file of the public log, which the standard describes.",
};

/** Returns the name, the keys and the last checkpoint of the log that this one continues, to any origin. */
export const handler = withCors<State>(
  () => PUBLIC,
  route({
    async GET({ state }) {
      const previous = await state.services.logFiles.previous();
      if (previous === null) {
        throw new RequestError(404, "This log does not continue another one.", {
          headers: { "cache-control": "no-store" },
        });
      }
      return new Response(previous, {
        headers: {
          "content-type": "text/plain; charset=utf-8",
          "cache-control": "public, max-age=300",
        },
      });
    },
  }),
);
