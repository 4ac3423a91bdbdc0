/** The actions of administrators on a record's console page: check identity, recover it, delete it. */
import { z } from "zod";
import { emailSchema } from "../../platform/mail/mod.ts";
import { checkIdentity, identityNoteSchema, revokeIdentity } from "./conditions/identity.ts";
import type { Reader } from "./access_log/access_log.ts";
import type { Records } from "./mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { addAudit } from "../audit/mod.ts";

/** The forms on the page of a record. */
export const recordActionSchema = z.discriminatedUnion("act", [
  identityNoteSchema.extend({ act: z.enum(["check", "revoke"]) }),
  identityNoteSchema.extend({ act: z.literal("recover"), email: emailSchema() }),
  z.object({ act: z.literal("cancel_recovery") }),
  z.object({ act: z.literal("delete"), digits: z.string().max(64).trim().toLowerCase() }),
]);

/** The administrator who acts on a record, and the record. */
export interface RecordActor {
  hash: string;
  organisation: OrganisationKey;
  by: string;
  reader: Reader;
}

/** Does what a form on the page of a record asks for. */
export async function actOnRecord(
  services: { records: Records; kv: Deno.Kv; clock: () => number },
  actor: RecordActor,
  form: z.infer<typeof recordActionSchema>,
): Promise<{ ok: true } | Failure> {
  const { records } = services;
  const { hash, by, reader } = actor;
  switch (form.act) {
    case "check":
      return await checkIdentity(services, { hash, by, note: form.note });
    case "revoke":
      return await revokeIdentity(services, { hash, by, note: form.note });
    case "recover": {
      const { email: newEmail, note } = form;
      return await records.recoveries.start({ hash, newEmail, by, note, reader });
    }
    case "delete":
      return await removeRecord(services, actor, form.digits);
    case "cancel_recovery":
      await records.recoveries.cancel(hash, by, reader);
      return { ok: true };
  }
}

/**
 * Deletes a record at once, with everything that is stored about its person, and adds it to the audit
 * log.
 *
 * @param digits the first eight digits of the hash, which the administrator enters to confirm it
 */
async function removeRecord(
  { records, clock }: { records: Records; clock: () => number },
  { hash, by, organisation }: RecordActor,
  digits: string,
): Promise<{ ok: true } | Failure<"invalid_request" | "not_found" | "conflict">> {
  if (digits !== hash.slice(0, 8)) {
    const issues = { digits: "These are not the first eight digits of this record’s hash." };
    return fail("invalid_request", { message: "The digits do not match.", issues });
  }
  const result = await records.deletion.deleteRecord(hash, (commit) =>
    addAudit(
      commit,
      { organisation, by, action: "record_deleted", object: { record: hash } },
      clock(),
    ));
  if (!result.ok) return result;
  return result.deleted > 0 ? { ok: true } : fail("not_found");
}
