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

/** Returns the status of a payment. Amounts are in minor units. */
export function statusOf(
  { state, refunded, amount }: { state: PaymentState; refunded: number; amount: number },
): PaymentStatus {
  if (state !== "succeeded" || refunded === 0) return state;
  return refunded >= amount ? "refunded" : "partially_refunded";
}
