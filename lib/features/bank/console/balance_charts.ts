/** Reads the charts of the finance and account pages: daily balances, and money in and out. */
import type { AccountHistory, Treasury } from "../treasury.ts";
import { balancesOf } from "../balances.ts";
import type { DayTotal } from "../daily_totals.ts";
import { toAmount } from "../money.ts";
import type { TreasuryFailure } from "../api.ts";
import type { ChartData } from "../../chart/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { DAY_MS, dayOf } from "../../../base/time.ts";
import { dailyFlowChart } from "./flow.ts";

type Result = { ok: true; chart: ChartData } | Failure<TreasuryFailure["error"]>;

/**
 * Reads the balance at the end of each of the last 90 days. Unlike the dashboard, which shows stored
 * figures, it fails if those of the current balances are not known: the chart then offers to try again.
 *
 * @param only the id of an account; all active ones without it
 * @param now milliseconds since 1970
 */
export async function readBalanceChart(
  treasury: Treasury,
  now: number,
  only?: string,
): Promise<Result> {
  const history = await readCurrent(treasury, only);
  if (!history.ok) return history;
  const { days, total } = balancesOf(history, now);
  const known = days.flatMap((day, i) => {
    const cents = total[i];
    return cents === null ? [] : [{ day, balance: toAmount(cents) }];
  });
  return {
    ok: true,
    chart: {
      labels: known.map(({ day }) => day),
      datasets: [{ label: "Balance", data: known.map(({ balance }) => balance) }],
    },
  };
}

/**
 * Reads the daily flow of all active accounts, without transfers between them, from the first day
 * that is known for each account.
 *
 * @param now milliseconds since 1970
 */
export async function readFlowChart(treasury: Treasury, now: number): Promise<Result> {
  const history = await readCurrent(treasury);
  if (!history.ok) return history;
  const totals = history.accounts.flatMap(({ totals }) =>
    totals === null || totals.first === null ? [] : [{ first: totals.first, days: totals.days }]
  );
  const first = totals.map(({ first }) => first).sort().at(-1);
  if (first === undefined) return { ok: true, chart: dailyFlowChart([]) };
  const sums = new Map<string, Pick<DayTotal, "in" | "out">>();
  for (const { day, in: into, out } of totals.flatMap(({ days }) => days)) {
    const sum = sums.get(day) ?? { in: 0n, out: 0n };
    sums.set(day, { in: sum.in + into, out: sum.out + out });
  }
  const days = [];
  for (let time = Date.parse(first); time <= now; time += DAY_MS) {
    const day = dayOf(time);
    const { in: into, out } = sums.get(day) ?? { in: 0n, out: 0n };
    days.push({ day, in: toAmount(into), out: toAmount(out), net: toAmount(into + out) });
  }
  return { ok: true, chart: dailyFlowChart(days) };
}

/** Reads accounts with their totals, and fails if one of them is not current. */
async function readCurrent(treasury: Treasury, only?: string) {
  const history =
    await (only === undefined ? treasury.history() : treasury.history(undefined, only));
  if (!history.ok) return history;
  if (history.reason !== undefined) return fail(history.reason);
  if (only !== undefined && history.accounts.length === 0) return fail("not_found");
  const failed = history.accounts.find(isOutdated);
  return failed === undefined ? history : fail(failed.totals!.error!);
}

const isOutdated = ({ totals }: AccountHistory): boolean =>
  totals !== null && totals.error !== undefined && totals.state !== "not_shared";
