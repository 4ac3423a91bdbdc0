import { RequestError } from "../../platform/http/errors.ts";

/**
 * Returns the response with a document about passkeys. Systems fetch it without cookies and cache it.
 *
 * @throws {RequestError} 404 if it is not configured
 */
export function published(document: object | null): Response {
  if (document === null) throw new RequestError(404);
  return Response.json(document, { headers: { "cache-control": "public, max-age=300" } });
}
