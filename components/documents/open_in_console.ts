/** The permission check of the console's routes that show or download a document. */
import {
  type Documents,
  type OpenDocument,
  OPERATOR,
  parseDocumentId,
  type Readings,
  versionNumber,
} from "../../lib/features/documents/mod.ts";
import { RequestError } from "../../lib/platform/http/errors.ts";
import type { Surface } from "../../lib/platform/surfaces/mod.ts";
import {
  type ConsoleSession,
  type Operator,
  requireLayer,
  requirePasskey,
} from "../../lib/features/console/http.ts";

/**
 * Returns the document of an address below `/console/records/:hash/documents/:id`, for full
 * administrators of the organisation that it belongs to.
 *
 * @param open true if the operator has opened it already, so that no passkey is needed
 * @throws {RequestError} 401, 403, or 404 if there is no such document
 */
export async function openInConsole(
  { url, params, state }: {
    url: URL;
    params: Record<string, string>;
    state: ConsoleSession & {
      surface: Surface;
      services: { documents: Documents; readings: Readings };
    };
  },
  { open = false }: { open?: boolean } = {},
): Promise<{ operator: Operator; opened: OpenDocument }> {
  const operator = requireLayer(state, "L1");
  if (!open) requirePasskey(state);
  const { documents, readings } = state.services;
  const id = parseDocumentId(params.id);
  const document = id === null ? null : await documents.read(id);
  const isOwn = document?.record === params.hash &&
    document.organisation === state.surface.organisation;
  const opened = isOwn ? readings.open(document, OPERATOR, versionNumber(url)) : null;
  if (opened === null) throw new RequestError(404);
  return { operator, opened };
}
