/** Sends mails again that could not be delivered, from their alert. */
import type { Mailer } from "../../platform/mail/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { AlertRef } from "./store.ts";
import type { Alerts } from "./mod.ts";
import { addAudit } from "../audit/mod.ts";

/**
 * Sends the mails of an alert again: one of them, or all that are still stored. If nothing is left
 * to send, the alert is done. If a mail fails again, it is reported again.
 *
 * @returns the number of mails that are being sent
 */
export async function sendMailsAgain(
  { alerts, mailer, clock }: { alerts: Alerts; mailer: Mailer; clock: () => number },
  { ref, mail: wanted, by }: { ref: AlertRef; mail?: string; by: string },
): Promise<{ ok: true; sent: number } | Failure<"not_found" | "conflict">> {
  const alert = await alerts.read(ref);
  if (alert === null) return fail("not_found");
  const lost = await findLost(mailer, alert.reports.map(({ links }) => links.mail));
  let sent = 0;
  for (const { links: { mail, ...object }, details } of alert.reports) {
    if (mail === undefined || (wanted !== undefined && mail !== wanted)) continue;
    const { organisation } = ref;
    const detail = details.mail === undefined ? null : String(details.mail);
    const done = lost.has(mail) && await mailer.sendAgain(mail, (commit) =>
      addAudit(
        commit,
        { organisation, by, action: "mail_sent_again", object, detail },
        clock(),
      ));
    if (done) sent++;
  }
  if (sent === 0) return fail("conflict", { message: GONE });
  if (sent === lost.size) await alerts.setState(ref, "done", by);
  return { ok: true, sent };
}

/** Returns which mails can be sent again. */
export const findLost = (
  mailer: Mailer,
  ids: readonly (string | undefined)[],
): Promise<Set<string>> => mailer.findLost(ids.filter((id) => id !== undefined));

const GONE = "This email can’t be sent again. It was sent again already, or its link has expired.";
