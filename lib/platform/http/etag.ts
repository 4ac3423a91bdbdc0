import { eTag as untypedETag, ifNoneMatch } from "@std/http/etag";
import { readHeader } from "./header.ts";

/** Returns the entity tag of a text. A weak tag means the same content, not the same bytes. */
export const eTag: (entity: string, options?: { weak: boolean }) => Promise<string> = untypedETag;

/** Returns whether the client already has the response with this tag (RFC 9110, section 13.1.2). */
export const isNotModified = (req: Request, tag: string): boolean =>
  !ifNoneMatch(readHeader(req, "if-none-match"), tag);

/** Returns a value as JSON with an ETag, or 304 if the client already has it. */
export async function cacheableJson(
  req: Request,
  value: unknown,
  cacheControl: string,
  others: Record<string, string> = {},
): Promise<Response> {
  const body = JSON.stringify(value, null, 2);
  const etag = await eTag(body);
  const headers = { ...others, etag, "cache-control": cacheControl };
  if (isNotModified(req, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { "content-type": "application/json", ...headers } });
}
