import type { PaymentState } from "./event.ts";

/** The status that the console shows: a payment's state, or that it was refunded. */
export const STATUSES = [
  "succeeded",
  "pending",
  "failed",
  "cancelled",
  "refunded",
  "partially_refunded",
] as const;
export type PaymentStatus = typeof STATUSES[number];

export const STATUS_LABELS: Record<PaymentStatus, string> = {
  succeeded: "Succeeded",
  pending: "Pending",
  failed: "Failed",
  cancelled: "Cancelled",
  refunded: "Refunded",
  partially_refunded: "Partly refunded",
};

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
