import { eTag as untypedETag, ifNoneMatch } from "@std/http/etag";
import { readHeader } from "./header.ts";

/** Returns the entity tag of a text. A weak tag promises the same meaning, not the same bytes. */
export const eTag: (entity: string, options?: { weak: boolean }) => Promise<string> = untypedETag;

/** Whether the client already has the response with this tag (RFC 9110, section 13.1.2). */
export const isNotModified = (req: Request, tag: string): boolean =>
  !ifNoneMatch(readHeader(req, "if-none-match"), tag);
