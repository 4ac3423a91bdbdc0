/**
 * Returns a function that adds a number and returns the sum so far, without the errors of rounding (Neumaier
 * summation). A remainder that exists only because numbers such as 0.1 have no exact value in binary becomes zero.
 *
 * @example
 * ```ts
 * const add = createSum();
 * [0.1, 0.2, -0.3].map(add); // [0.1, 0.3, 0]
 * ```
 */
export function createSum(): (value: number) => number {
  let total = 0;
  let compensation = 0;
  let size = 0;
  return (value) => {
    const next = total + value;
    compensation += Math.abs(total) >= Math.abs(value)
      ? (total - next) + value
      : (value - next) + total;
    total = next;
    size += Math.abs(value);
    const sum = total + compensation;
    return Math.abs(sum) <= size * Number.EPSILON ? 0 : sum;
  };
}
