import { sentHash } from "../chain/mod.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { RecordEntry } from "./record/store.ts";
import type { OrganisationKey, Surface } from "../../platform/surfaces/mod.ts";

/** The members of a request's state that hold the records of a console. */
export interface ConsoleRecords {
  surface: Surface;
  services: {
    records: {
      readOf(organisation: OrganisationKey, hash: string): Promise<RecordEntry | null>;
    };
  };
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
