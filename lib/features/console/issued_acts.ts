import { z } from "zod";
import type { Failure } from "../../base/result.ts";
import { addAudit } from "../audit/mod.ts";
import { type DocumentRow, type Documents, withdrawalSchema } from "../documents/mod.ts";
import type { Issuing } from "../issuing/mod.ts";
import type { ConsoleResult } from "./results.ts";

/** The actions of an administrator on an issued document. */
export const issuedActSchema = z.discriminatedUnion("act", [
  withdrawalSchema.extend({ act: z.literal("withdraw") }),
  z.object({ act: z.literal("mail") }),
]);

/** Withdraws an issued document, or mails its recipient again. */
export async function actOnIssued(
  { documents, issuing, clock }: {
    documents: Documents;
    issuing: Pick<Issuing, "resend">;
    clock: () => number;
  },
  document: DocumentRow,
  { form, by }: { form: z.output<typeof issuedActSchema>; by: string },
): Promise<{ ok: true; done: ConsoleResult } | Failure> {
  if (form.act === "withdraw") {
    const withdrawn = await documents.withdraw(document.id, form.reason, by);
    return withdrawn.ok ? { ok: true, done: "withdraw_issued" } : withdrawn;
  }
  const mailed = await issuing.resend(document, (commit) => {
    const { organisation, issuer } = document;
    const entry = { organisation, by, action: "mail_sent_again", object: { issuer: issuer.id } };
    addAudit(commit, entry as Parameters<typeof addAudit>[1], clock());
    return Promise.resolve();
  });
  return mailed.ok ? { ok: true, done: "mail_issued" } : mailed;
}
