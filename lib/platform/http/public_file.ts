/** Handlers for public files that any origin may read, with ETags and caching. */
import type { Context } from "fresh";
import type { Bytes } from "../../base/bytes.ts";
import { RequestError } from "./errors.ts";
import { type CorsPolicy, PUBLIC, withCors } from "./cors.ts";
import { endpoint, type EndpointHandler } from "./endpoint.ts";
import { cacheable, type Content, jsonContent } from "./etag.ts";

/** The caching of content unless it says otherwise. */
export const FOR_AN_HOUR = "public, max-age=3600";

/** The caching of content that never changes at its address. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

export interface PublicOptions {
  /** Default: caches may keep it for an hour. */
  cacheControl?: string;
  /** Default: {@linkcode PUBLIC}. */
  cors?: CorsPolicy;
}

/** Returns a handler that serves a public text or file to any origin, with an ETag. */
export const publicFile = <State>(
  fileOf: (state: State, url: URL) => Content | Promise<Content>,
  { cacheControl = FOR_AN_HOUR, cors = PUBLIC }: PublicOptions = {},
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

interface GrowingOptions<State> extends Required<Pick<PublicOptions, "cacheControl">> {
  contentType: string | ((ctx: Context<State>) => string);
  /** The sentence of the error for a file that does not exist. */
  missing: string;
  cors?: CorsPolicy;
}

/**
 * Like {@linkcode publicFile}, for files that may exist later: no cache keeps that one does not exist. They have
 * no ETag.
 */
export function growingFile<State>(
  read: (ctx: Context<State>) => string | Bytes | null | Promise<string | Bytes | null>,
  { contentType, cacheControl, missing, cors = PUBLIC }: GrowingOptions<State>,
): EndpointHandler<State> {
  const typeOf = typeof contentType === "string" ? () => contentType : contentType;
  return withCors<State>(
    () => cors,
    endpoint<State>({
      async GET(ctx) {
        const body = await read(ctx);
        if (body !== null) {
          const headers = { "content-type": typeOf(ctx), "cache-control": cacheControl };
          return new Response(body, { headers });
        }
        throw new RequestError(404, missing, { headers: { "cache-control": "no-store" } });
      },
    }),
  );
}
