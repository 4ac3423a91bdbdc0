import { PUBLIC, withCors } from "./cors.ts";
import { endpoint, type EndpointHandler } from "./endpoint.ts";
import { cacheableJson } from "./etag.ts";

/**
 * Returns a handler that serves a public JSON document to any origin, with an ETag. Caches may keep it
 * for an hour.
 *
 * @example
 * ```ts
 * export const handler = define.handlers(publicJson<State>(({ services }) => card(services)));
 * ```
 */
export function publicJson<State>(
  documentOf: (state: State) => unknown,
  contentType = "application/json",
): EndpointHandler<State> {
  return withCors<State>(
    () => PUBLIC,
    endpoint<State>({
      GET: ({ req, state }) =>
        cacheableJson(req, documentOf(state), "public, max-age=3600", {
          "content-type": contentType,
        }),
    }),
  );
}
