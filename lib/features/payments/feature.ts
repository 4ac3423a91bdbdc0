import { defineFeature, type Platform } from "../../platform/feature.ts";
import { paymentTables } from "./tables.ts";
import { createPayments, paymentCounters, type Payments } from "./mod.ts";
import { PAYMENT_FAILED } from "./store.ts";
import { type PaymentsConfig, paymentsSettings } from "./variables.ts";

export interface PaymentServices {
  payments: Payments;
}

type Below = Platform & { config: { payments: PaymentsConfig } };

export const paymentsFeature = defineFeature({
  name: "payments",
  tables: paymentTables,
  settings: paymentsSettings,
  alerts: { [PAYMENT_FAILED]: "Payment failed" },
  create: ({ config, ...below }: Below): PaymentServices => ({
    payments: createPayments({ ...below, config: config.payments }),
  }),
  migrations: () => [{ name: "payments", format: 3, step: paymentCounters }],
  hooks: { recordData: ({ payments }) => [payments.recordData] },
});
