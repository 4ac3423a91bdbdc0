/** Reads the documents that requests to the consoles name. */
import type { DocumentRow } from "./store.ts";
import type { Documents } from "./mod.ts";
import { parseDocumentId } from "./ids.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { RecordEntry } from "../records/mod.ts";
import { type ConsoleRecords, readOwnRecord } from "../records/mod.ts";

/**
 * Reads a document of a record of the console's organisation.
 *
 * @throws {RequestError} 404 as `readOwnRecord`, or if the record has no such document
 */
export async function readOwnDocument(
  state: ConsoleRecords & { services: { documents: Documents } },
  params: Record<string, string>,
): Promise<{ record: RecordEntry; document: DocumentRow }> {
  const id = parseDocumentId(params.id);
  const [record, document] = await Promise.all([
    readOwnRecord(state, params.hash),
    id && state.services.documents.read(id),
  ]);
  if (!document || document.record !== record.hash) throw new RequestError(404);
  return { record, document };
}
