import { payerText } from "./event.ts";
import { toMajor } from "./money.ts";
import type { Payment } from "./store.ts";

export interface FoundPayments {
  payments: Payment[];
  /** False if the signal ended the search before every payment was read. */
  complete: boolean;
}

/** An amount as people type it: `1234`, `$1,234.5`. Without decimals, it matches any cents. */
const AMOUNT = /^\D{0,3}(\d{1,3}(?:,\d{3})+|\d{1,12})(\.\d{1,3})?$/;

/**
 * Finds payments by the beginning of the id, by amount, or by words of the description or the payer.
 *
 * @param all in the order of the result
 * @param signal ends the search with the payments found so far
 */
export async function findPayments(
  all: AsyncIterable<Payment>,
  text: string,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<FoundPayments> {
  const wanted = text.toLowerCase();
  const words = wanted.split(/\s+/);
  const [, units, decimals = ""] = AMOUNT.exec(wanted) ?? [];
  const amount = Number(units?.replaceAll(",", "") + decimals);
  const matches = ({ id, description, payer, ...payment }: Payment) => {
    const paid = toMajor(payment.amount, payment.currency);
    const about = [description ?? "", payer ? payerText(payer) : ""].join(" ").trim().toLowerCase();
    return id.toLowerCase().startsWith(wanted) ||
      (decimals === "" ? Math.floor(paid) : paid) === amount ||
      about !== "" && words.every((word) => about.includes(word));
  };
  const payments: Payment[] = [];
  for await (const payment of all) {
    if (signal.aborted) return { payments, complete: false };
    if (matches(payment) && payments.push(payment) === limit) break;
  }
  return { payments, complete: true };
}
