/** Finds payments for the console's search: by id, amount or words. */
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { amountKeys, readNewest } from "./amounts.ts";
import { currenciesOf, type PaymentDay } from "./days.ts";
import { decimalsOf, toMajor } from "./money.ts";
import type { Payment } from "./rows.ts";

interface FoundPayments {
  payments: Payment[];
  /** False if there are more payments than were read. */
  complete: boolean;
}

/** An amount as people type it: `1234`, `$1,234.5`. Without decimals, it matches any cents. */
const AMOUNT = /^\D{0,3}(\d{1,3}(?:,\d{3})+|\d{1,12})(\.\d{1,3})?$/;

interface TypedAmount {
  /** In main units of any currency. */
  amount: number;
  /** True if it has decimals. */
  exact: boolean;
}

/** How many payments with an amount are read in each currency. */
const MOST_BY_AMOUNT = 100;

/** The payments to search. */
interface Sources {
  byId: () => Promise<Payment[]>;
  byAmount: (amount: TypedAmount) => Promise<FoundPayments>;
  byWords: () => Promise<FoundPayments>;
}

/** Finds payments by the beginning of the id, by the amount, and by words of the description and the payer. */
export async function findPayments(
  { byId, byAmount, byWords }: Sources,
  { text, limit }: { text: string; limit: number },
): Promise<FoundPayments> {
  const named = await byId();
  if (named.length > 0) return { payments: named, complete: true };
  const amount = amountIn(text.toLowerCase());
  const [paid, about] = await Promise.all([
    amount && byAmount(amount),
    byWords(),
  ]);
  const both = [...paid?.payments ?? [], ...about.payments];
  const found = [...new Map(both.map((payment) => [payment.id, payment])).values()];
  return {
    payments: found.slice(0, limit),
    complete: found.length >= limit || about.complete && (paid?.complete ?? true),
  };
}

function amountIn(text: string): TypedAmount | null {
  const [, units, decimals = ""] = AMOUNT.exec(text) ?? [];
  if (units === undefined) return null;
  return { amount: Number(units.replaceAll(",", "") + decimals), exact: decimals !== "" };
}

function hasAmount(
  { amount, currency }: Pick<Payment, "amount" | "currency">,
  wanted: TypedAmount,
): boolean {
  const paid = toMajor(amount, currency);
  return (wanted.exact ? paid : Math.floor(paid)) === wanted.amount;
}

/** Finds the payments with an amount in any currency, the newest first. */
export async function findByAmount(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  wanted: TypedAmount,
  { days, now }: { days: readonly PaymentDay[]; now: number },
): Promise<FoundPayments> {
  const found = await Promise.all(
    currenciesOf(days).map((currency) => {
      const unit = 10 ** decimalsOf(currency);
      const min = Math.round(wanted.amount * unit);
      const range = { min, max: wanted.exact ? min : min + unit - 1 };
      return amountKeys(kv, [organisation, currency], range, { limit: MOST_BY_AMOUNT });
    }),
  );
  const payments = await readNewest(kv, found.flat(), now);
  return {
    payments: payments.filter((payment) => hasAmount(payment, wanted)),
    complete: found.every(({ length }) => length < MOST_BY_AMOUNT),
  };
}
