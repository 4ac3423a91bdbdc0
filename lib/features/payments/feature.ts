import { defineFeature, type Platform } from "../../platform/feature.ts";
import { deleteStep, indexMigration } from "../../platform/store/mod.ts";
import { MINUTE_MS, plural } from "../../base/time.ts";
import { changedDays, daysMigration, paymentDays } from "./days.ts";
import { paymentHistory } from "./history.ts";
import { createPayments, type Payments } from "./payments.ts";
import { BY_AMOUNT, BY_CURRENCY, BY_WORD, paymentRows } from "./rows.ts";
import { PAYMENT_FAILED, paymentEvents } from "./store.ts";
import { type PaymentsConfig, paymentsSettings } from "./variables.ts";

export interface PaymentServices {
  payments: Payments;
}

type Below = Platform & { config: { payments: PaymentsConfig } };

export const paymentsFeature = defineFeature({
  name: "payments",
  tables: [paymentRows, paymentEvents, paymentHistory, paymentDays, changedDays],
  settings: paymentsSettings,
  alerts: { [PAYMENT_FAILED]: "Payment failed" },
  create: ({ config, ...below }: Below): PaymentServices => ({
    payments: createPayments({
      ...below,
      config: () => config.payments,
      isIndexed: async () => {
        const names = ["payment_indexes", "payment_days"];
        const complete = await Promise.all(names.map((name) => below.storeWork.isComplete(name)));
        return complete.every(Boolean);
      },
    }),
  }),
  jobs: ({ payments }) => [{
    name: "payment-days",
    title: "Totals of payments",
    everyMs: MINUTE_MS,
    maxMs: MINUTE_MS,
    run: async ({ signal }) => plural(await payments.computeDays(signal), "day"),
  }],
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
    indexMigration({ kv, clock }, paymentRows, {
      name: "payment_indexes",
      label: "currencies and amounts of payments",
      format: 8,
      only: [BY_CURRENCY, BY_AMOUNT],
      beside: "lists and totals read all payments until then",
    }),
    daysMigration({ kv, clock }),
    indexMigration({ kv, clock }, paymentRows, {
      name: "payment_words",
      label: "words of payments",
      format: 8,
      only: [BY_WORD],
      before: "the words of a payment that is erased meanwhile would stay in the index",
    }),
  ],
  hooks: { recordData: ({ payments }) => [payments.recordData] },
});
