import {
  type OpenDocument,
  OPERATOR,
  type Readings,
  versionNumber,
} from "../../lib/features/documents/mod.ts";
import { RequestError } from "../../lib/platform/http/errors.ts";
import { readOwnIssued } from "../../lib/features/issuing/http/console.ts";
import {
  type ConsoleSession,
  requireLayer,
  requirePasskey,
} from "../../lib/features/console/http.ts";

/**
 * Returns the document of an address below `/console/issuers/:id/documents/:document` that waits for its
 * recipient, for full administrators. Those of records are read at their records, which log it.
 *
 * @throws {RequestError} 401, 403, or 404 if there is no such document
 */
export async function openIssued(
  { url, params, state }: {
    url: URL;
    params: Record<string, string>;
    state: ConsoleSession & Parameters<typeof readOwnIssued>[0] & {
      services: { readings: Readings };
    };
  },
): Promise<OpenDocument> {
  requireLayer(state, "L1");
  requirePasskey(state);
  const { document } = await readOwnIssued(state, params);
  const opened = document.record === null && document.erased_at === undefined
    ? state.services.readings.open(document, OPERATOR, versionNumber(url))
    : null;
  if (opened === null) throw new RequestError(404);
  return opened;
}
