import { z } from "zod";
import { emailSchema } from "../mail/mod.ts";
import { identityNoteSchema, type Reader, type Records } from "../records/mod.ts";
import type { Failure } from "../result.ts";
import type { OrganisationKey } from "../surfaces/mod.ts";
import { removeRecord } from "./remove_record.ts";

/** The forms on the page of a record. */
export const recordActSchema = z.discriminatedUnion("act", [
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
  services: { records: Records; clock: () => number },
  { hash, organisation, by, reader }: RecordActor,
  form: z.infer<typeof recordActSchema>,
): Promise<{ ok: true } | Failure> {
  const { records } = services;
  switch (form.act) {
    case "check":
      return await records.checkIdentity({ hash, by, note: form.note });
    case "revoke":
      return await records.revokeIdentity({ hash, by, note: form.note });
    case "recover": {
      const { email: newEmail, note } = form;
      return await records.startRecovery({ hash, newEmail, by, note, reader });
    }
    case "delete":
      return await removeRecord(services, { hash, digits: form.digits, by, organisation });
    case "cancel_recovery":
      await records.cancelRecovery(hash, by, reader);
      return { ok: true };
  }
}
