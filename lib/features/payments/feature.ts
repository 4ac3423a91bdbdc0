import { inMorning } from "../../platform/alert_kind.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import { MINUTE_MS, plural } from "../../base/time.ts";
import { changedDays, paymentDays } from "./days.ts";
import { paymentHistory } from "./history.ts";
import { createPayments, type Payments } from "./payments.ts";
import { paymentRows } from "./rows.ts";
import { PAYMENT_FAILED, paymentEvents } from "./store.ts";
import { type PaymentsConfig, paymentsSettings } from "./variables.ts";

interface PaymentServices {
  payments: Payments;
}

type Below = Platform & { config: { payments: PaymentsConfig } };

export const paymentsFeature = defineFeature({
  name: "payments",
  tables: [paymentRows, paymentEvents, paymentHistory, paymentDays, changedDays],
  settings: paymentsSettings,
  alerts: { [PAYMENT_FAILED]: inMorning("Payment failed") },
  create: ({ config, ...below }: Below): PaymentServices => ({
    payments: createPayments({ ...below, config: () => config.payments }),
  }),
  jobs: ({ payments }) => [{
    name: "payment-days",
    title: "Totals of payments",
    everyMs: MINUTE_MS,
    maxMs: MINUTE_MS,
    run: async ({ signal }) => plural(await payments.computeDays(signal), "day"),
  }],
  hooks: { recordData: ({ payments }) => [payments.recordData] },
});
