/** The chart and the monthly change of the total balance on the dashboard, without data of single accounts. */
import type { DailySums } from "../daily_sums.ts";
import type { ChartData } from "../../chart/mod.ts";
import { DAY_MS, dayOf } from "../../../base/time.ts";
import { sumAmounts } from "../money.ts";
import type { Summary } from "../api.ts";
import { monthsOf } from "./month_flow.ts";

/**
 * The past of the total, for full administrators and board members: sums of all active accounts, which are not data of
 * any account (spec 4.2.3).
 */
export interface Board {
  /** The days whose sum is known, `YYYY-MM-DD`, with their sums in dollars; the last one is today if the bank responds. */
  days: string[];
  balances: number[];
  /** The change since the end of last month; null if that sum is not known. */
  change: BoardChange | null;
  /** When the sums were stored, ISO 8601 in UTC; null if there are none. */
  readAt: string | null;
}

export interface BoardChange {
  /** The last day of last month, `YYYY-MM-DD`. */
  since: string;
  amount: number;
  /** The change in the whole of last month, in dollars; null if the sum before it is not known. */
  lastMonth: number | null;
}

/**
 * Continues the stored sums with the current total, so that they end with what the treasury card shows.
 *
 * @param now milliseconds since 1970
 */
export function boardOf(sums: DailySums, summary: Summary, now: number): Board {
  const today = dayOf(now);
  const [days, balances] = [[...sums.days], [...sums.balances]];
  if (summary.total_balance !== null) {
    if (!days.includes(today)) days.push(today);
    balances[days.indexOf(today)] = summary.total_balance;
  }
  const sumOf = (day: string): number | undefined => balances[days.indexOf(day)];
  const { end: since, first } = monthsOf(now).previous;
  const earlier = sumOf(dayOf(Date.parse(first) - DAY_MS));
  const [before, current] = [sumOf(since), sumOf(today)];
  return {
    days,
    balances,
    change: before === undefined || current === undefined ? null : {
      since,
      amount: sumAmounts([current, -before]),
      lastMonth: earlier === undefined ? null : sumAmounts([before, -earlier]),
    },
    readAt: sums.readAt,
  };
}

export const boardChart = ({ days, balances }: Board): ChartData => ({
  labels: days,
  datasets: [{ label: "Balance", data: balances }],
});
