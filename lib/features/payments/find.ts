import { payerText } from "./event.ts";
import { toMajor } from "./money.ts";
import type { Payment } from "./store.ts";

export interface FoundPayments {
  payments: Payment[];
  /** False if there are more payments than were read. */
  complete: boolean;
}

/** An amount as people type it: `1234`, `$1,234.5`. Without decimals, it matches any cents. */
const AMOUNT = /^\D{0,3}(\d{1,3}(?:,\d{3})+|\d{1,12})(\.\d{1,3})?$/;

/** How many of the newest payments are searched for an amount and words. */
export const MOST_SEARCHED = 500;

/**
 * Finds payments by the beginning of the id, and the newest {@link MOST_SEARCHED} by amount, or by words of
 * the description or the payer.
 *
 * @param sources `all` has the newest first
 */
export async function findPayments(
  { byId, all }: { byId: () => Promise<Payment[]>; all: AsyncIterable<Payment> },
  text: string,
  limit: number,
): Promise<FoundPayments> {
  const named = await byId();
  if (named.length > 0) return { payments: named, complete: true };
  const wanted = text.toLowerCase();
  const words = wanted.split(/\s+/);
  const [, units, decimals = ""] = AMOUNT.exec(wanted) ?? [];
  const amount = Number(units?.replaceAll(",", "") + decimals);
  const matches = ({ description, payer, ...payment }: Payment) => {
    const paid = toMajor(payment.amount, payment.currency);
    const about = [description ?? "", payer ? payerText(payer) : ""].join(" ").trim().toLowerCase();
    return (decimals === "" ? Math.floor(paid) : paid) === amount ||
      about !== "" && words.every((word) => about.includes(word));
  };
  const payments: Payment[] = [];
  let read = 0;
  for await (const payment of all) {
    if (read++ === MOST_SEARCHED) return { payments, complete: false };
    if (matches(payment) && payments.push(payment) === limit) break;
  }
  return { payments, complete: true };
}
