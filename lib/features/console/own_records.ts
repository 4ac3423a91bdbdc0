import { sentHash } from "../chain/mod.ts";
import { type DocumentRow, type Documents, parseDocumentId } from "../documents/mod.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { RecordEntry, Records } from "../records/mod.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";

/** The members of a request's state that hold the records of a console. */
interface ConsoleRecords {
  surface: Surface;
  services: { records: Records };
}

/**
 * Reads a record of the console's organisation.
 *
 * @throws {RequestError} 404 if it does not exist or belongs to the other organisation
 */
export async function readOwnRecord(
  { surface, services }: ConsoleRecords,
  given: string,
): Promise<RecordEntry> {
  const record = await services.records.readOf(surface.organisation, checkHash(given));
  if (record === null) throw new RequestError(404);
  return record;
}

/**
 * Returns the hash in a path, so that what belongs to a record can be read at the same time as the record.
 *
 * @throws {RequestError} 404 if it is not a hash
 */
export function checkHash(given: string): string {
  const hash = sentHash.safeParse(given);
  if (!hash.success) throw new RequestError(404);
  return hash.data;
}

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
