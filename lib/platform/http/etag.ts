import { eTag as untypedETag, ifNoneMatch } from "@std/http/etag";
import { readHeader } from "./header.ts";

/** Returns the entity tag of a text. A weak tag means the same content, not the same bytes. */
export const eTag: (entity: string, options?: { weak: boolean }) => Promise<string> = untypedETag;

/** Returns whether the client already has the response with this tag (RFC 9110, section 13.1.2). */
export const isNotModified = (req: Request, tag: string): boolean =>
  !ifNoneMatch(readHeader(req, "if-none-match"), tag);

/** A text or file to respond with. */
export interface Content {
  body: string | Uint8Array<ArrayBuffer>;
  contentType: string;
}

export const jsonContent = (value: unknown, contentType = "application/json"): Content => ({
  body: JSON.stringify(value, null, 2),
  contentType,
});

/** Returns a response with an ETag, or 304 if the client already has it. */
export async function cacheable(
  req: Request,
  { body, contentType }: Content,
  others: Record<string, string>,
): Promise<Response> {
  const etag = await eTag(typeof body === "string" ? body : body.toBase64());
  const headers = { ...others, etag };
  if (isNotModified(req, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": contentType } });
}
