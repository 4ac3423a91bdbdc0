import { type CorsPolicy, PUBLIC, withCors } from "./cors.ts";
import { endpoint, type EndpointHandler } from "./endpoint.ts";
import { cacheable, type Content, jsonContent } from "./etag.ts";

export interface PublicOptions {
  /** Default: caches may keep it for an hour. */
  cacheControl?: string;
  /** Default: {@linkcode PUBLIC}. */
  cors?: CorsPolicy;
}

/** Returns a handler that serves a public text or file to any origin, with an ETag. */
export const publicFile = <State>(
  fileOf: (state: State, url: URL) => Content | Promise<Content>,
  { cacheControl = "public, max-age=3600", cors = PUBLIC }: PublicOptions = {},
): EndpointHandler<State> =>
  withCors<State>(
    () => cors,
    endpoint<State>({
      GET: async ({ req, state, url }) =>
        cacheable(req, await fileOf(state, url), { "cache-control": cacheControl }),
    }),
  );

/** Like {@linkcode publicFile}, for JSON. The default of `contentType` is `application/json`. */
export const publicJson = <State>(
  documentOf: (state: State) => unknown,
  { contentType, ...options }: PublicOptions & { contentType?: string } = {},
): EndpointHandler<State> =>
  publicFile<State>((state) => jsonContent(documentOf(state), contentType), options);
