import { actNow } from "../../platform/alert_kind.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import { MAIL_RETURNED, reportFlood, returnedMails } from "./flood.ts";
import { createMailReports, type MailReports } from "./mod.ts";
import { mailReportsSettings } from "./variables.ts";

interface MailReportServices {
  mailReports: MailReports;
}

export const mailReportsFeature = defineFeature({
  name: "mail_reports",
  tables: [returnedMails],
  settings: mailReportsSettings,
  alerts: { [MAIL_RETURNED]: actNow("Mail comes back", "console", { quoted: ["why"] }) },
  create: (below: Platform): MailReportServices => ({ mailReports: createMailReports(below) }),
  hooks: { onReturnedMail: reportFlood },
});
