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

/** Returns the status of a payment. Amounts are in minor units. */
export function statusOf(
  { state, refunded, amount }: { state: PaymentState; refunded: number; amount: number },
): PaymentStatus {
  if (state !== "succeeded" || refunded === 0) return state;
  return refunded >= amount ? "refunded" : "partially_refunded";
}
