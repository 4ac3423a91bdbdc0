/** Sums of money in and out by day, and their chart. */
import { toAmount, toCents } from "../money.ts";
import type { ChartData } from "../../chart/mod.ts";
import { DAY_MS, dayOf } from "../../../base/time.ts";

/** Sums in dollars; `out` is negative or zero. */
export interface Flow {
  in: number;
  out: number;
  net: number;
}

interface DayFlow extends Flow {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
}

export interface DaySpan {
  first: string;
  last: string;
}

interface FlowSums {
  /** @param transaction with a time in UTC, ISO 8601 */
  add(transaction: { created_at: string; amount: number }): void;
  total(): Flow;
  /** Returns every day of a span, including days without transactions. */
  days(span: DaySpan): DayFlow[];
}

/**
 * Sums transactions in cents by the UTC day on which they were created, as the bank's own filters do.
 */
export function createFlowSums(): FlowSums {
  const cents = new Map<string, { in: bigint; out: bigint }>();
  const none = { in: 0n, out: 0n };
  const dollars = (sums: { in: bigint; out: bigint }): Flow => ({
    in: toAmount(sums.in),
    out: toAmount(sums.out),
    net: toAmount(sums.in + sums.out),
  });
  return {
    add({ created_at, amount }) {
      const day = created_at.slice(0, 10);
      const sums = cents.get(day) ?? { ...none };
      sums[amount > 0 ? "in" : "out"] += toCents(amount);
      cents.set(day, sums);
    },
    total() {
      const sums = { ...none };
      for (const day of cents.values()) {
        sums.in += day.in;
        sums.out += day.out;
      }
      return dollars(sums);
    },
    days({ first, last }) {
      const days: DayFlow[] = [];
      const end = Date.parse(last);
      for (let time = Date.parse(first); time <= end; time += DAY_MS) {
        const day = dayOf(time);
        days.push({ day, ...dollars(cents.get(day) ?? none) });
      }
      return days;
    },
  };
}

export const dailyFlowChart = (days: DayFlow[]): ChartData => ({
  labels: days.map(({ day }) => day),
  datasets: [
    { label: "In", data: days.map((day) => day.in) },
    { label: "Out", data: days.map((day) => day.out) },
    { label: "Net", data: days.map((day) => day.net) },
  ],
});
