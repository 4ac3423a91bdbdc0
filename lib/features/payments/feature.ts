import { defineFeature, type Platform } from "../../platform/feature.ts";
import { createPayments, type Payments } from "./mod.ts";
import type { PaymentsConfig } from "./variables.ts";
import { paymentTables } from "./tables.ts";

export interface PaymentServices {
  payments: Payments;
}

type Below = Platform & { config: { payments: PaymentsConfig } };

export const paymentsFeature = defineFeature({
  name: "payments",
  tables: paymentTables,
  create: ({ config, ...below }: Below): PaymentServices => ({
    payments: createPayments({ ...below, config: config.payments }),
  }),
  hooks: { recordData: ({ payments }) => [payments.recordData] },
});
