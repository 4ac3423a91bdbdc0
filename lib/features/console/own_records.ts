import { hashSchema } from "../chain/mod.ts";
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
  const hash = hashSchema.safeParse(given);
  if (!hash.success) throw new RequestError(404);
  const record = await services.records.readOf(surface.organisation, hash.data);
  if (record === null) throw new RequestError(404);
  return record;
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
  const record = await readOwnRecord(state, params.hash);
  const id = parseDocumentId(params.id);
  const document = id && await state.services.documents.read(id);
  if (!document || document.record !== record.hash) throw new RequestError(404);
  return { record, document };
}
