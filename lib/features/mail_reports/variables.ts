import { webhookSecrets } from "../../platform/config/fields.ts";
import { secret } from "../../platform/config/secret_files.ts";
import { defineSettings, type Deployment } from "../../platform/config/settings.ts";

export interface MailReportsConfig {
  /** The secrets that sign reports, the current one first. Without one, reports are refused. */
  secrets: readonly string[];
}

type Config = { mailReports: MailReportsConfig };

export const mailReportsSettings = defineSettings({
  variables: { MAIL_WEBHOOK_SECRET: secret(webhookSecrets.default([])) },
  config: ({ MAIL_WEBHOOK_SECRET }): Config => ({ mailReports: { secrets: MAIL_WEBHOOK_SECRET } }),
  off: ({ env, mailReports }: Config & Deployment) =>
    env === "development" || mailReports.secrets.length > 0
      ? []
      : ["reports of mail that comes back after it was accepted: MAIL_WEBHOOK_SECRET is not set"],
});
