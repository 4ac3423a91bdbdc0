import { PUBLIC, withCors } from "./cors.ts";
import { endpoint, type EndpointHandler } from "./endpoint.ts";
import { eTag, isNotModified } from "./etag.ts";

/** A public document that is not JSON. */
interface PublicFile {
  body: string | Uint8Array<ArrayBuffer>;
  contentType: string;
}

/**
 * Returns a handler that serves a public text or file to any origin, with an ETag. Caches may keep it
 * for an hour.
 */
export function publicFile<State>(
  fileOf: (state: State, url: URL) => PublicFile | Promise<PublicFile>,
): EndpointHandler<State> {
  return withCors<State>(
    () => PUBLIC,
    endpoint<State>({
      async GET({ req, state, url }) {
        const { body, contentType } = await fileOf(state, url);
        const etag = await eTag(typeof body === "string" ? body : body.toBase64());
        const headers = { etag, "cache-control": "public, max-age=3600" };
        if (isNotModified(req, etag)) return new Response(null, { status: 304, headers });
        return new Response(body, { headers: { ...headers, "content-type": contentType } });
      },
    }),
  );
}
