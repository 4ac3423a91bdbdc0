import { decodeHex } from "../../../lib/base/bytes.ts";
import { recordHash, type VerifiableRecord } from "../chain/mod.ts";

/** A record and its salt do not open the commitment. */
export interface OpeningFault {
  ok: false;
  code: "bad_record";
  message: string;
}

/**
 * Checks whether a record and its salt, as in a holder's own copy, have this hash (standard, "Opening the
 * commitment"). Malformed input yields a fault, never an exception.
 *
 * @returns null if they have
 */
export async function openingFault(
  { hash, record, salt }: { hash: string; record?: unknown; salt?: unknown },
): Promise<OpeningFault | null> {
  const fault = (message: string): OpeningFault => ({ ok: false, code: "bad_record", message });
  const malformed = fault("the record or its salt is missing or malformed");
  if (typeof salt !== "string" || !/^[\da-f]{64}$/.test(salt)) return malformed;
  let opened: string;
  try {
    opened = await recordHash(decodeHex(salt), record as VerifiableRecord);
  } catch {
    return malformed;
  }
  return opened === hash ? null : fault("the record and its salt do not match the record hash");
}
