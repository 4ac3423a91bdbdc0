/**
 * Reports of mail that comes back after the mail server has accepted it: events of the mail provider, and
 * messages that arrive at the return path or from recipients’ providers.
 *
 * @module
 */
import type { Secrets } from "../../base/secrets.ts";
import { fail, type Failure } from "../../base/result.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { readBytes } from "../../platform/http/body.ts";
import { readHeader } from "../../platform/http/header.ts";
import { verifySignature } from "../../platform/http/webhook_signature.ts";
import type { Mailer, MailReport } from "../../platform/mail/mod.ts";
import type { SecretStates } from "../../platform/secret_states.ts";
import { readMessage } from "./message.ts";
import { readMailEvent } from "./event.ts";

export { mailPath, readMailsTo } from "./mail.ts";
export { MAIL_RETURNED } from "./flood.ts";

/** The longest report in bytes. A message contains the mail, which may have 64 KB. */
const REPORT_LIMIT = 256 * 1024;
const REPORT_MS = MINUTE_MS;

/** The content type of a message; an event is JSON. */
export const MESSAGE_TYPE = "message/rfc822";

export interface MailReports {
  /** Notes a signed report. Reports about mails that are not known any more are accepted, too. */
  receive(req: Request): Promise<{ ok: true; outcome: "noted" | "ignored" } | Failure>;
}

interface MailReportsOptions {
  clock: () => number;
  secrets: Secrets;
  secretStates: Pick<SecretStates, "noteUse">;
  mailer: Pick<Mailer, "report">;
  log: (entry: Record<string, unknown>) => void;
  /** Returns the secrets that sign reports. */
  signers: () => readonly string[];
}

export const createMailReports = (
  { clock, secrets, secretStates, mailer, log, signers }: MailReportsOptions,
): MailReports => ({
  async receive(req) {
    if (signers().length === 0) {
      return fail("unavailable", { message: "Reports about mail are not configured here." });
    }
    const body = await readBytes(req, REPORT_LIMIT, REPORT_MS);
    if (body === undefined) {
      return fail("too_large", { message: `Send at most ${REPORT_LIMIT} bytes.` });
    }
    const signed = verifySignature(req, body, signers(), clock());
    if (!signed.ok) return signed;
    if (signed.secret !== signers()[0]) {
      await secretStates.noteUse("MAIL_WEBHOOK_SECRET", signed.secret);
    }
    const isMessage = readHeader(req, "content-type")?.startsWith(MESSAGE_TYPE) ?? false;
    const report: MailReport | null | undefined = isMessage
      ? await readMessage(secrets, body)
      : readMailEvent(new TextDecoder().decode(body));
    if (report === undefined) {
      log({ level: "warn", event: "mail_report_invalid", form: isMessage ? "message" : "event" });
      return fail("invalid_request", { message: "This is no report about a mail of this site." });
    }
    const isNoted = report !== null && await mailer.report(report);
    if (report !== null && isNoted) {
      log({ level: "info", event: "mail_reported", what: report.what, reply: report.reply });
    }
    return { ok: true, outcome: isNoted ? "noted" : "ignored" };
  },
});
