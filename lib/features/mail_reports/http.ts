/** Receives the reports of mail providers and mail servers. Only their signatures authenticate them. */
import { MINUTE_MS } from "../../base/time.ts";
import { readHeader } from "../../platform/http/header.ts";
import {
  readWebhook,
  type WebhookFailure,
  type WebhookServices,
} from "../../platform/http/webhook.ts";
import { type MailReports, MESSAGE_TYPE, type ReceivedReport } from "./mod.ts";
import type { MailReportsConfig } from "./variables.ts";

/** The longest report in bytes. A message contains the mail, which may have 64 KB. */
const REPORT_LIMIT = 256 * 1024;
const REPORT_MS = MINUTE_MS;

/** Reads a report about a mail of this site, and notes it. */
export async function receiveMailReport(
  services: WebhookServices & {
    config: { mailReports: MailReportsConfig };
    mailReports: MailReports;
  },
  req: Request,
): Promise<ReceivedReport | WebhookFailure> {
  const webhook = await readWebhook(services, req, {
    variable: "MAIL_WEBHOOK_SECRET",
    secrets: () => services.config.mailReports.secrets,
    off: "Reports about mail are not configured here.",
    limit: REPORT_LIMIT,
    timeoutMs: REPORT_MS,
  });
  if (!webhook.ok) return webhook;
  const isMessage = readHeader(req, "content-type")?.startsWith(MESSAGE_TYPE) ?? false;
  return await services.mailReports.receive(webhook.body, isMessage);
}
