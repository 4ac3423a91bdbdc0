import { defineFeature, type Platform } from "../../platform/feature.ts";
import { deleteStep, indexMigration } from "../../platform/store/mod.ts";
import { paymentHistory } from "./history.ts";
import { createPayments, type Payments } from "./payments.ts";
import { PAYMENT_FAILED, paymentEvents, paymentRows } from "./store.ts";
import { type PaymentsConfig, paymentsSettings } from "./variables.ts";

export interface PaymentServices {
  payments: Payments;
}

type Below = Platform & { config: { payments: PaymentsConfig } };

export const paymentsFeature = defineFeature({
  name: "payments",
  tables: [paymentRows, paymentEvents, paymentHistory],
  settings: paymentsSettings,
  alerts: { [PAYMENT_FAILED]: "Payment failed" },
  create: ({ config, ...below }: Below): PaymentServices => ({
    payments: createPayments({ ...below, config: () => config.payments }),
  }),
  // Earlier builds stored counters of payments.
  migrations: ({ kv, clock }) => [
    {
      name: "payments",
      label: "counters of payments that are no longer used",
      format: 5,
      beside: "nothing reads the rows that it deletes",
      step: deleteStep(kv, ["payment_totals"]),
    },
    indexMigration({ kv, clock }, paymentRows, {
      format: 7,
      before: "a list of one status would miss payments",
    }),
  ],
  hooks: { recordData: ({ payments }) => [payments.recordData] },
});
