import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { AddToLoss } from "../../platform/mail/mod.ts";
import { reportSender, SECRETS_INVALID, SENDER_REFUSED } from "./conditions.ts";
import { MAIL_FAILED, mailAlert } from "./mail_alert.ts";
import { indexMigration } from "../../platform/store/mod.ts";
import { addAlert, type Alerts, createAlerts } from "./mod.ts";
import { type Alert, alertRows, BY_FILTER, BY_READ, readRow } from "./store.ts";

export interface AlertServices {
  alerts: Alerts;
}

const indexesOfStored = (stored: Alert, key: Deno.KvKey) =>
  alertRows.indexRows(readRow(stored), key);

export const alertsFeature = defineFeature({
  name: "alerts",
  tables: [alertRows],
  alerts: {
    [MAIL_FAILED]: "Mail not delivered",
    [SECRETS_INVALID]: "Secret file not valid",
    [SENDER_REFUSED]: "Sender not accepted",
  },
  create: (below: Platform): AlertServices => ({
    alerts: createAlerts({ ...below, isIndexed: () => below.storeWork.isComplete("index_alerts") }),
  }),
  migrations: (below) => [
    indexMigration(below, { ...alertRows, indexRows: indexesOfStored }, {
      label: "states and kinds of alerts",
      format: 8,
      only: [BY_FILTER, BY_READ],
      beside: "lists read all alerts until then",
    }),
  ],
  hooks: {
    onLostMail: ({ kv, clock }): AddToLoss => (commit, lost) =>
      addAlert(kv, commit, mailAlert(lost), clock()),
    onSender: reportSender,
    recordData: ({ alerts }) => [alerts.recordData],
  },
});
