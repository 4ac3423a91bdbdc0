/** The actions on the console's page about an issued document: withdrawing it, and mailing its recipient again. */
import { z } from "zod";
import { fail, type Failure } from "../../lib/base/result.ts";
import { addAudit } from "../../lib/features/audit/mod.ts";
import {
  currentVersion,
  type Documents,
  withdrawalSchema,
} from "../../lib/features/documents/mod.ts";
import type { Issuing, Listed } from "../../lib/features/issuing/mod.ts";
import type { ConsoleResult } from "../../lib/features/console/results.ts";
import { takesNoDocuments } from "../../lib/features/mail_reports/mail.ts";
import { fingerprintsOf } from "../../lib/platform/mail/mod.ts";
import type { Secrets } from "../../lib/base/secrets.ts";
import { inUnit } from "../../lib/platform/kv/mod.ts";

/** The actions of an administrator on an issued document. */
export const issuedActSchema = z.discriminatedUnion("act", [
  withdrawalSchema.extend({ act: z.literal("withdraw") }),
  z.object({ act: z.literal("mail") }),
]);

/** Returns whether the recipient of a document was mailed about it and can be mailed again. */
export const canMailAgain = ({ document, recipient }: Listed): boolean =>
  currentVersion(document) !== null && recipient?.state === "waiting" &&
  recipient.email !== null &&
  recipient.mailed_at.some((at) => at >= document.created_at);

/** Withdraws an issued document, or mails its recipient again. */
export async function actOnIssued(
  { kv, documents, issuing, secrets, clock }: {
    kv: Deno.Kv;
    documents: Documents;
    issuing: Pick<Issuing, "write">;
    secrets: Secrets;
    clock: () => number;
  },
  listed: Listed,
  { form, by }: { form: z.output<typeof issuedActSchema>; by: string },
): Promise<{ ok: true; done: ConsoleResult } | Failure> {
  const { document } = listed;
  if (form.act === "withdraw") {
    const withdrawn = await documents.withdraw(document.id, form.reason, by);
    return withdrawn.ok ? { ok: true, done: "withdraw_issued" } : withdrawn;
  }
  if (!canMailAgain(listed)) return fail("conflict", { message: NOT_MAILED });
  // Such a mail would fail in the queue, after the page has said that the recipient is mailed.
  const address = await fingerprintsOf(secrets, listed.recipient!.email!);
  if (await takesNoDocuments({ kv, clock }, address)) return fail("conflict", { message: STOPPED });
  const mailed = await inUnit({ kv, clock }, async (unit) => {
    const sent = await issuing.write.resend(unit, document);
    if (!sent.ok) return sent;
    const { organisation, issuer } = document;
    const about = { by, action: "mail_sent_again", object: { issuer: issuer.id } } as const;
    addAudit(unit.commit, { organisation, ...about }, unit.now);
    return sent;
  });
  return mailed.ok ? { ok: true, done: "mail_issued" } : mailed;
}

const STOPPED = "No document is emailed to this address any more.";
const NOT_MAILED =
  "This document is not waiting for a recipient, or nobody was emailed about it yet.";
