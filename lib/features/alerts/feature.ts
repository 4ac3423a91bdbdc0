import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { AddToLoss } from "../../platform/mail/mod.ts";
import { reportSender, SECRETS_INVALID, SENDER_REFUSED } from "./conditions.ts";
import { MAIL_FAILED, mailAlert } from "./mail_alert.ts";
import { addAlert, type Alerts, createAlerts } from "./mod.ts";
import { alertRows } from "./store.ts";

export interface AlertServices {
  alerts: Alerts;
}

export const alertsFeature = defineFeature({
  name: "alerts",
  tables: [alertRows],
  alerts: {
    [MAIL_FAILED]: "Mail not delivered",
    [SECRETS_INVALID]: "Secret file not valid",
    [SENDER_REFUSED]: "Sender not accepted",
  },
  create: (below: Platform): AlertServices => ({
    alerts: createAlerts(below),
  }),
  hooks: {
    onLostMail: ({ kv, clock }): AddToLoss => (commit, lost) =>
      addAlert(kv, commit, mailAlert(lost), clock()),
    onSender: reportSender,
    recordData: ({ alerts }) => [alerts.recordData],
  },
});
