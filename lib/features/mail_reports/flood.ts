import { HOUR_MS } from "../../base/time.ts";
import { defineLimit, readSlot } from "../../platform/kv/mod.ts";
import { type AddToReturn, organisationOfMail } from "../../platform/mail/mod.ts";
import { addAlert } from "../alerts/mod.ts";

/** The kind of the alert about too many returned mails. */
export const MAIL_RETURNED = "mail_returned";

/** How many mails of a sender come back in an hour before somebody has to look, by why they do. */
const MOST_RETURNED = { hard: 50, block: 20, complaint: 5 } as const;

export const returnedMails = defineLimit({
  name: "mail_returned",
  limit: null,
  windowMs: HOUR_MS,
  owner: "organisation",
  per: "email that comes back",
});

/** Why mails come back, as the mail about the alert says it. */
const WHY = {
  hard: "addresses that take no email",
  block: "receivers that refuse our sender",
  complaint: "recipients who report spam",
} as const;

/** Reports that too many mails of a sender come back, so that receivers may block it, or do. */
export const reportFlood =
  ({ kv, clock }: { kv: Deno.Kv; clock: () => number }): AddToReturn =>
  async (commit, { what, sender = "product" }) => {
    if (what === "soft") return;
    const now = clock();
    const slot = await readSlot(kv, returnedMails.of([sender, what], MOST_RETURNED[what]), now);
    if (slot.waitMs === 0) return slot.take(commit);
    const organisation = organisationOfMail(sender);
    const problem = { organisation, kind: MAIL_RETURNED, problem: `${sender}/${what}` };
    await addAlert(kv, commit, { ...problem, details: { why: WHY[what] } }, now);
  };
