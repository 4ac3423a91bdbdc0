import { PUBLIC, withCors } from "../../../lib/platform/http/cors.ts";
import { RequestError } from "../../../lib/platform/http/errors.ts";
import { route, type RouteProperties, type State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  anonymous: true,
  notInOpenApi: "A file of the public log, which the standard describes.",
};

/** Returns a set of the publisher's keys as it was logged, to any origin. */
export const handler = withCors<State>(
  () => PUBLIC,
  route({
    async GET({ state, params: { n } }) {
      const keySet = await state.services.logFiles.keySet(n);
      if (keySet === null) {
        throw new RequestError(404, "The log has no key set with this number.", {
          headers: { "cache-control": "no-store" },
        });
      }
      return new Response(keySet, {
        headers: {
          "content-type": "application/jwk-set+json",
          "cache-control": "public, max-age=31536000, immutable",
        },
      });
    },
  }),
);
