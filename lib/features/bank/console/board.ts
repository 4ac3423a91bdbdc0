import type { DailySums } from "../daily_sums.ts";
import { sumAmounts } from "../money.ts";
import type { Summary } from "../api.ts";
import type { ChartData } from "../../chart/mod.ts";
import { dayOf } from "../../../base/time.ts";
import { monthsOf } from "./month_flow.ts";

/**
 * The past of the total, for both layers: sums of all active accounts, which are not data of any account (spec 4.2.3).
 */
export interface Board {
  /** The days whose sum is known, `YYYY-MM-DD`, with their sums in dollars; the last one is today if the bank responds. */
  days: string[];
  balances: number[];
  /** The change since the end of last month; null if that sum is not known. */
  change: { since: string; amount: number } | null;
  /** When the sums were stored, ISO 8601 in UTC; null if there are none. */
  readAt: string | null;
}

/**
 * Continues the stored sums with the current total, so that they end with what the treasury card shows.
 *
 * @param now milliseconds since 1970
 */
export function boardOf(sums: DailySums, summary: Summary, now: number): Board {
  const today = dayOf(now);
  const sumsOf = new Map(sums.days.map((day, i) => [day, sums.balances[i]]));
  if (summary.total_balance !== null) sumsOf.set(today, summary.total_balance);
  const since = monthsOf(now).previous.end;
  const [before, current] = [sumsOf.get(since), sumsOf.get(today)];
  return {
    days: [...sumsOf.keys()],
    balances: [...sumsOf.values()],
    change: before === undefined || current === undefined
      ? null
      : { since, amount: sumAmounts([current, -before]) },
    readAt: sums.readAt,
  };
}

export const boardChart = ({ days, balances }: Board): ChartData => ({
  labels: days,
  datasets: [{ label: "Balance", data: balances }],
});
