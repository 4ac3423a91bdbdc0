/**
 * Largest accepted amount in dollars, more than any account holds. Up to this value, numbers with
 * two decimals convert to cents exactly.
 */
export const MAX_AMOUNT = 20_000_000_000_000;

/** Converts dollars to whole cents, rounding half a cent away from zero. */
export function toCents(amount: number): bigint {
  const cents = BigInt(Math.round(Math.abs(amount) * 100));
  return amount < 0 ? -cents : cents;
}

/** Converts whole cents to dollars. The result prints with at most two decimals. */
export const toAmount = (cents: bigint): number => Number(cents) / 100;

/** Returns dollars for people, without a sign of the currency: `2,000,000.00`. */
export const formatAmount = (amount: number): string =>
  amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Rounds dollars to whole cents; never returns negative zero. */
export function roundAmount(amount: number): number {
  const rounded = Math.round(Math.abs(amount) * 100) / 100;
  return amount < 0 && rounded !== 0 ? -rounded : rounded;
}

/**
 * Adds amounts exactly: `sumAmounts([0.1, 0.2])` is `0.3`.
 *
 * @param amounts dollars, each at most {@link MAX_AMOUNT}
 */
export function sumAmounts(amounts: Iterable<number>): number {
  let total = 0n;
  for (const amount of amounts) total += toCents(amount);
  return toAmount(total);
}
