/**
 * Reports of mail that comes back after the mail server has accepted it: events of the mail provider, and
 * messages that arrive at the return path or from recipients’ providers.
 *
 * @module
 */
import type { Bytes } from "../../base/encoding.ts";
import type { Secrets } from "../../base/secrets.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Mailer, MailReport } from "../../platform/mail/mod.ts";
import { readMessage } from "./message.ts";
import { readMailEvent } from "./event.ts";

export { mailPath, readMailsTo } from "./mail.ts";
export { MAIL_RETURNED } from "./flood.ts";

/** The content type of a message; an event is JSON. */
export const MESSAGE_TYPE = "message/rfc822";

/** The outcome of a report. */
export type ReceivedReport =
  | { ok: true; outcome: "noted" | "ignored" }
  | Failure<"invalid_request">;

export interface MailReports {
  /**
   * Notes a report, whose signature has been verified. Reports about mails that are not known any more are
   * accepted, too.
   *
   * @param isMessage false for an event
   */
  receive(body: Bytes, isMessage: boolean): Promise<ReceivedReport>;
}

interface MailReportsOptions {
  secrets: Secrets;
  mailer: Pick<Mailer, "report">;
  log: (entry: Record<string, unknown>) => void;
}

export const createMailReports = (
  { secrets, mailer, log }: MailReportsOptions,
): MailReports => ({
  async receive(body, isMessage) {
    const report: MailReport | null | undefined = isMessage
      ? await readMessage(secrets, body)
      : readMailEvent(new TextDecoder().decode(body));
    if (report === undefined) {
      log({ level: "warn", event: "mail_report_invalid", form: isMessage ? "message" : "event" });
      return fail("invalid_request", {
        message: "This is not a report about an email from this site.",
      });
    }
    const isNoted = report !== null && await mailer.report(report);
    if (report !== null && isNoted) {
      log({ level: "info", event: "mail_reported", what: report.what, reply: report.reply });
    }
    return { ok: true, outcome: isNoted ? "noted" : "ignored" };
  },
});
