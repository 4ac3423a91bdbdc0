import type { PaymentState } from "./event.ts";

/** The statuses that the console shows, with their names: a payment's state, or that it was refunded. */
export const STATUS_LABELS = {
  succeeded: "Succeeded",
  pending: "Pending",
  failed: "Failed",
  cancelled: "Cancelled",
  refunded: "Refunded",
  partially_refunded: "Partly refunded",
} as const;

export type PaymentStatus = keyof typeof STATUS_LABELS;

/** The part of a payment that its status depends on. Amounts are in minor units. */
export interface CountedAmounts {
  state: PaymentState;
  amount: number;
  refunded: number;
}

export function statusOf({ state, refunded, amount }: CountedAmounts): PaymentStatus {
  if (state !== "succeeded" || refunded === 0) return state;
  return refunded >= amount ? "refunded" : "partially_refunded";
}
