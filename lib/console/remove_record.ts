import type { Records } from "../records/mod.ts";
import { fail, type Failure } from "../result.ts";
import type { OrganisationKey } from "../surfaces/mod.ts";
import { addAudit } from "./audit_log.ts";

/** A record that an administrator deletes. */
export interface RecordDeletion {
  hash: string;
  /** The digits that the administrator entered to confirm the deletion. */
  digits: string;
  /** The email address of the administrator. */
  by: string;
  organisation: OrganisationKey;
}

/**
 * Deletes a record at once, with everything that is stored about its person, and adds it to the audit
 * log. The administrator enters the first eight digits of the hash to confirm it.
 */
export async function removeRecord(
  { records, clock }: { records: Records; clock: () => number },
  { hash, digits, by, organisation }: RecordDeletion,
): Promise<{ ok: true } | Failure<"invalid_request" | "not_found">> {
  if (digits !== hash.slice(0, 8)) {
    const issues = { digits: "These are not the first eight digits of this record’s hash." };
    return fail("invalid_request", { message: "The digits do not match.", issues });
  }
  const deleted = await records.deletion.deleteRecord(hash, (commit) =>
    addAudit(
      commit,
      { organisation, by, action: "record_deleted", object: { record: hash } },
      clock(),
    ));
  return deleted > 0 ? { ok: true } : fail("not_found");
}
