import { type CorsPolicy, PUBLIC, withCors } from "./cors.ts";
import { endpoint, type EndpointHandler } from "./endpoint.ts";
import { cacheableJson } from "./etag.ts";

export interface PublicJsonOptions {
  /** Default: `application/json`. */
  contentType?: string;
  /** Default: caches may keep the document for an hour. */
  cacheControl?: string;
  /** Default: {@linkcode PUBLIC}. */
  cors?: CorsPolicy;
}

/** Returns a handler that serves a public JSON document to any origin, with an ETag. */
export function publicJson<State>(
  documentOf: (state: State) => unknown,
  {
    contentType = "application/json",
    cacheControl = "public, max-age=3600",
    cors = PUBLIC,
  }: PublicJsonOptions = {},
): EndpointHandler<State> {
  return withCors<State>(
    () => cors,
    endpoint<State>({
      GET: ({ req, state }) =>
        cacheableJson(req, documentOf(state), cacheControl, { "content-type": contentType }),
    }),
  );
}
