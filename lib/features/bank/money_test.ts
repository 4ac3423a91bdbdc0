import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { MAX_AMOUNT, roundAmount, sumAmounts, toAmount, toCents } from "./money.ts";

const cents = fc.bigInt({
  min: BigInt(-MAX_AMOUNT) * 100n,
  max: BigInt(MAX_AMOUNT) * 100n,
});

Deno.test("converting cents to dollars and back returns the same amount", () => {
  fc.assert(fc.property(cents, (value) => toCents(toAmount(value)) === value), { numRuns: 2_000 });
});

Deno.test("sumAmounts() returns the sum of the cents, in any order", () => {
  fc.assert(fc.property(fc.array(cents, { maxLength: 60 }), (values) => {
    const exact = values.reduce((sum, value) => sum + value, 0n);
    const amounts = values.map(toAmount);
    assertEquals(sumAmounts(amounts), toAmount(exact));
    assertEquals(sumAmounts(amounts.toReversed()), toAmount(exact));
  }));
});

Deno.test("sumAmounts() has at most two decimals where plain addition drifts", () => {
  const dimes = Array.from({ length: 1_000_001 }, () => 0.1);
  assert(dimes.reduce((sum, amount) => sum + amount, 0) !== 100_000.1);
  assertEquals(sumAmounts(dimes), 100_000.1);
  assertEquals(sumAmounts([0.1, 0.2]), 0.3);
  assertEquals(sumAmounts([]), 0);
});

Deno.test("roundAmount() rounds half a cent away from zero, and never returns negative zero", () => {
  assertEquals([1.234, 1.236, 0.125, -0.125, 8.5].map(roundAmount), [1.23, 1.24, 0.13, -0.13, 8.5]);
  assert(Object.is(roundAmount(-0.001), 0));
  assert(Object.is(sumAmounts([-0.5, 0.5]), 0));
});
