/**
 * The largest amount that is taken, in dollars. Up to here a number with two decimals stands for
 * exactly one number of cents; it is beyond what any account holds.
 */
export const MAX_AMOUNT = 20_000_000_000_000;

/** An amount in whole cents, of any size: sums of it are exact. */
export type Cents = bigint;

/** Dollars as JSON has them, to whole cents; halves of a cent go away from zero. */
export function toCents(amount: number): Cents {
  const cents = BigInt(Math.round(Math.abs(amount) * 100));
  return amount < 0 ? -cents : cents;
}

/** Whole cents to dollars: the number whose shortest form has two decimals at most. */
export const toAmount = (cents: Cents): number => Number(cents) / 100;

/** Dollars without any part of a cent, and without the zero below zero. */
export const roundAmount = (amount: number): number => toAmount(toCents(amount));

/**
 * Adds amounts without drift: `sumAmounts([0.1, 0.2])` is `0.3`.
 *
 * @param amounts dollars, each up to {@link MAX_AMOUNT}
 */
export const sumAmounts = (amounts: Iterable<number>): number => {
  let total: Cents = 0n;
  for (const amount of amounts) total += toCents(amount);
  return toAmount(total);
};
