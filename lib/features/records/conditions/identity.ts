/** An administrator's check of the holder's identity, which level 4 needs. */
import { z } from "zod";
import { addAudit } from "../../audit/mod.ts";
import { nonEmptyText, ownerOf } from "../../contact/mod.ts";
import { transact } from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import type { Level } from "../record/levels.ts";
import type { RecordsOptions } from "../record/options.ts";
import { changeRecord, readRecord } from "../record/store.ts";

/** The longest note on an identity check, in characters. */
const MAX_NOTE = 1_000;

/** The note on how an identity was checked, or why a check was revoked. */
export const identityNoteSchema = z.object({
  note: nonEmptyText(MAX_NOTE, "Enter a note.", true),
});

/** Shown in the access log instead of an administrator's network and browser. */
export const ADMINISTRATOR: Reader = { network: "of the publisher", browser: "An administrator" };

/** A decision of an administrator. `by` is the administrator's email address. */
export interface IdentityDecision {
  hash: string;
  by: string;
  note: string;
}

export type IdentityResult = { ok: true; level: Level } | Failure<"not_found" | "conflict">;

type IdentityOptions = Pick<RecordsOptions, "kv" | "clock">;

/** Records that an administrator has checked the holder's identity: level 3 becomes level 4. */
export const checkIdentity = (options: IdentityOptions, decision: IdentityDecision) =>
  decide(options, decision, "identity_checked");

/** Revokes an identity check: level 4 becomes the level of the other conditions. */
export const revokeIdentity = (options: IdentityOptions, decision: IdentityDecision) =>
  decide(options, decision, "identity_revoked");

function decide(
  { kv, clock }: IdentityOptions,
  { hash, by, note }: IdentityDecision,
  change: "identity_checked" | "identity_revoked",
): Promise<IdentityResult> {
  return transact<IdentityResult>(async () => {
    const record = await readRecord(kv, hash);
    if (record === null) return { result: fail("not_found") };
    const { row } = record;
    const problem = row.replaced_by !== null
      ? "A corrected record replaces this one. Check the identity there."
      : change === "identity_revoked"
      ? row.identity === null ? "There is no identity check to revoke." : null
      : row.level === 3
      ? null
      : row.level === 4
      ? "The identity has already been checked."
      : "Only a record at level 3 can reach level 4.";
    if (problem !== null) return { result: fail("conflict", { message: problem }) };
    const now = clock();
    const commit = kv.atomic();
    const check = { at: new Date(now).toISOString(), by, note };
    const { level } = changeRecord(commit, record, { change, check }, now);
    addAccess(commit, hash, { what: change, reader: ADMINISTRATOR }, now);
    addAudit(commit, {
      organisation: ownerOf(record.contact.value),
      by,
      action: change,
      object: { record: hash },
      detail: `level ${level}`,
    }, now);
    return { result: { ok: true as const, level }, commit };
  });
}
