import { sumAmounts, type Transaction } from "../bank/mod.ts";
import { type ChartData, DAY, dayOf } from "../chart/mod.ts";

/** What moved on one day, in dollars; what went out is negative. */
export interface DayFlow {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  in: number;
  out: number;
  net: number;
}

/** What has not moved money: not yet, not at all, or there and back. */
const NOT_MOVED = new Set(["pending", "failed", "cancelled", "reversed", "blocked"]);

/**
 * In, out and net for each day of a span, the first and the last included, days without movement
 * too. A transaction counts on the UTC day on which it was made, as the bank's own filters have it,
 * and counts only where money has moved. Sums are of whole cents.
 *
 * @example
 * ```ts
 * dailyFlow(transactions, { first: "2026-03-01", last: "2026-03-31" }); // 31 days
 * ```
 */
export function dailyFlow(
  transactions: Iterable<Pick<Transaction, "created_at" | "amount" | "status">>,
  { first, last }: { first: string; last: string },
): DayFlow[] {
  const moved = new Map<string, number[]>();
  for (const { created_at, amount, status } of transactions) {
    if (NOT_MOVED.has(status)) continue;
    const day = dayOf(Date.parse(created_at));
    const amounts = moved.get(day);
    if (amounts === undefined) moved.set(day, [amount]);
    else amounts.push(amount);
  }
  const days: DayFlow[] = [];
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY) {
    const day = dayOf(time);
    const amounts = moved.get(day) ?? [];
    days.push({
      day,
      in: sumAmounts(amounts.filter((amount) => amount > 0)),
      out: sumAmounts(amounts.filter((amount) => amount < 0)),
      net: sumAmounts(amounts),
    });
  }
  return days;
}

/** The days as the chart takes them. */
export const flowChart = (days: DayFlow[]): ChartData => ({
  labels: days.map(({ day }) => day),
  datasets: [
    { label: "In", data: days.map((day) => day.in) },
    { label: "Out", data: days.map((day) => day.out) },
    { label: "Net", data: days.map((day) => day.net) },
  ],
});
