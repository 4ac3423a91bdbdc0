/** The description of the feature “alerts”: its services, settings, kinds of alerts, jobs and hooks. */
import { actNow, inMorning } from "../../platform/alert_kind.ts";
import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { AddToLoss, MailOrganisation } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { OperatorsServices } from "../operators/feature.ts";
import type { OpsConfig } from "../operators/mod.ts";
import { conditions } from "./condition.ts";
import { reportSender, SECRETS_INVALID, SENDER_REFUSED } from "./setup_conditions.ts";
import { isExpected, MAIL_FAILED, mailAlert } from "./mail_alert.ts";
import { mailedCauses } from "./mailed.ts";
import { addAlert, type Alerts, createAlerts } from "./mod.ts";
import { morningJob, mornings } from "./morning.ts";
import { createRecipients } from "./recipients.ts";
import { alertRows } from "./store.ts";
import { STORE_ALERTS } from "./store_conditions.ts";
import { type AlertConfig, alertSettings } from "./variables.ts";
import { type AlertWatch, createAlertWatch } from "./watch.ts";

export interface AlertServices {
  alerts: Alerts;
  /** Mails urgent alerts, which `server.ts` starts in every process. */
  alertWatch: AlertWatch;
}

interface AlertHooks {
  /** Returns why a feature considers the site unwell or mail stuck, as a stable code; null if it does not. */
  unwell: () => Promise<string | null>;
}

type Below = Platform & Hooked<AlertHooks> & OperatorsServices & {
  config: {
    alerts: AlertConfig;
    ops: OpsConfig;
    organisations: Record<OrganisationKey, MailOrganisation>;
  };
};

export const alertsFeature = defineFeature({
  name: "alerts",
  tables: [alertRows, conditions, mailedCauses, mornings],
  settings: alertSettings,
  alerts: {
    [MAIL_FAILED]: inMorning("Mail not delivered"),
    [SECRETS_INVALID]: inMorning("Secret file not valid"),
    [SENDER_REFUSED]: actNow("Sender not accepted", "console", { quoted: ["sender", "reply"] }),
    ...STORE_ALERTS,
  },
  create({ config, hooks, ...below }: Below): AlertServices {
    const { organisations, ops } = config;
    const alerts = createAlerts(below);
    const alertWatch = createAlertWatch({
      ...below,
      alerts,
      organisations,
      recipients: createRecipients({ ...below, ops }),
      heartbeatUrl: () => config.alerts.heartbeatUrl,
      async unwell() {
        for (const ask of hooks.unwell?.() ?? []) {
          const reason = await ask();
          if (reason !== null) return reason;
        }
        return null;
      },
    });
    return { alerts, alertWatch };
  },
  jobs: ({ config: { organisations }, ...below }) => [
    morningJob({ ...below, organisations, kinds: () => below.alertKinds }),
  ],
  hooks: {
    onLostMail: ({ kv, clock }): AddToLoss => async (commit, lost) => {
      if (!isExpected(lost)) await addAlert(kv, commit, mailAlert(lost), clock());
    },
    onSender: reportSender,
    recordData: ({ alerts }) => [alerts.recordData],
  },
  stop: ({ alertWatch }) => alertWatch.stop(),
});
