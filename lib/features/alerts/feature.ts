import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { AddToLoss } from "../../platform/mail/mod.ts";
import { MAIL_FAILED, mailAlert } from "./mail_alert.ts";
import { addAlert, type Alerts, createAlerts } from "./mod.ts";
import { SECRETS_INVALID } from "./secrets_alert.ts";
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
  },
  create: (below: Platform): AlertServices => ({ alerts: createAlerts(below) }),
  hooks: {
    onLostMail: ({ kv, clock }): AddToLoss => (commit, lost) =>
      addAlert(kv, commit, mailAlert(lost), clock()),
    recordData: ({ alerts }) => [alerts.recordData],
  },
});
