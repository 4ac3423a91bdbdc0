/** Money in and out this month, next to the same days of last month. */
import type { AccountHistory } from "../treasury.ts";
import { toAmount } from "../money.ts";
import { dayOf } from "../../../base/time.ts";
import type { DaySpan, Flow } from "./flow.ts";

/** This month compared with the one before, without transfers between the organisation's own accounts. */
export interface MonthFlow {
  /** The days from the first of the month to today. */
  current: DaySpan & { flow: Flow };
  /** The same days of the month before; null if not all of its days are known. */
  previous: DaySpan & { end: string; flow: Flow; month: Flow } | null;
}

/**
 * Returns the days of this month, in UTC, and the same days of the month before. On the last days
 * of a month, a shorter one before it is complete.
 *
 * @param now milliseconds since 1970
 */
export function monthsOf(now: number): { current: DaySpan; previous: DaySpan & { end: string } } {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const end = dayOf(Date.UTC(year, month, 0));
  const day = Math.min(date.getUTCDate(), Number(end.slice(8)));
  return {
    current: { first: dayOf(Date.UTC(year, month, 1)), last: dayOf(now) },
    previous: {
      first: dayOf(Date.UTC(year, month - 1, 1)),
      last: dayOf(Date.UTC(year, month - 1, day)),
      end,
    },
  };
}

/**
 * Sums the active accounts by month, in UTC.
 *
 * @param now milliseconds since 1970
 * @returns null if the totals of an account are not known, or not from the first of this month
 */
export function monthFlow(accounts: readonly AccountHistory[], now: number): MonthFlow | null {
  const shared = accounts.flatMap(({ totals }) =>
    totals === null || totals.state === "not_shared" ? [] : [totals]
  );
  const { current, previous } = monthsOf(now);
  const knownFrom = (day: string) => shared.every(({ first }) => first !== null && first <= day);
  if (!knownFrom(current.first)) return null;

  const sum = (from: string, to: string): Flow => {
    const cents = { in: 0n, out: 0n };
    for (const { days } of shared) {
      for (const { day, in: into, out } of days) {
        if (day < from || to < day) continue;
        cents.in += into;
        cents.out += out;
      }
    }
    const { in: into, out } = cents;
    return { in: toAmount(into), out: toAmount(out), net: toAmount(into + out) };
  };
  const { first, last, end } = previous;
  return {
    current: { ...current, flow: sum(current.first, current.last) },
    previous: knownFrom(first)
      ? { ...previous, flow: sum(first, last), month: sum(first, end) }
      : null,
  };
}
