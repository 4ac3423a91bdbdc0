import {
  EARLIEST,
  movedMoney,
  sumAmounts,
  type Transaction,
  type TransactionQuery,
  type Treasury,
} from "../bank/mod.ts";
import { type ChartData, dayOf } from "../chart/mod.ts";
import type { Failure } from "../result.ts";
import { DAY_MS } from "../time.ts";

/** One day's flow in dollars; `out` is negative. */
export interface DayFlow {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  in: number;
  out: number;
  net: number;
}

export interface DaySpan {
  first: string;
  last: string;
}

export interface AccountFlow {
  ok: true;
  /** Starts on the first day with a transaction; empty without transactions. */
  days: DayFlow[];
  /** True if there were too many transactions to read, so the days start later than requested. */
  truncated: boolean;
}

const PAGE_SIZE = 500;
const MAX_PAGES = 10;

/**
 * Returns the days that a query's filters select, up to today.
 *
 * @param now milliseconds since 1970
 */
export function flowSpan(
  { start, end }: Pick<TransactionQuery, "start" | "end">,
  now: number,
): DaySpan {
  const last = end === undefined ? now : Math.min(Date.parse(end), now);
  return { first: dayOf(Date.parse(start ?? EARLIEST)), last: dayOf(last) };
}

/** Reads an account's transactions page by page, newest first, and sums them by day. */
export async function loadFlow(
  treasury: Pick<Treasury, "transactions">,
  account_id: string,
  { first, last }: DaySpan,
): Promise<AccountFlow | Failure> {
  if (first > last) return { ok: true, days: [], truncated: false }; // the span is in the future
  const read = new Map<string, Transaction>(); // by id, because new transactions shift the pages
  let offset = 0;
  let complete = false;
  for (let page = 0; page < MAX_PAGES && !complete; page++) {
    const query = { account_id, start: first, end: last, limit: PAGE_SIZE, offset };
    const result = await treasury.transactions(query);
    if (!result.ok) return result;
    const { transactions, total } = result.page;
    for (const transaction of transactions) read.set(transaction.id, transaction);
    offset += transactions.length;
    complete = offset >= total || transactions.length === 0;
  }
  const truncated = !complete;
  const times = [...read.values()].map(({ created_at }) => Date.parse(created_at));
  if (times.length === 0) return { ok: true, days: [], truncated };
  const oldest = times.reduce((one, other) => Math.min(one, other));
  // If the list is truncated, its oldest day may be incomplete.
  const begin = dayOf(truncated ? oldest + DAY_MS : oldest);
  const days = dailyFlow(read.values(), { first: begin > first ? begin : first, last });
  return { ok: true, days, truncated };
}

/**
 * Sums transactions by the UTC day on which they were created, as the bank's own filters do.
 * Returns every day of the span, including days without transactions. Unsettled transactions are
 * skipped.
 */
export function dailyFlow(
  transactions: Iterable<Pick<Transaction, "created_at" | "amount" | "status">>,
  { first, last }: DaySpan,
): DayFlow[] {
  const settled = [...transactions].filter(movedMoney);
  const amountsByDay = Map.groupBy(settled, ({ created_at }) => dayOf(Date.parse(created_at)));
  const days: DayFlow[] = [];
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY_MS) {
    const day = dayOf(time);
    const amounts = (amountsByDay.get(day) ?? []).map(({ amount }) => amount);
    days.push({
      day,
      in: sumAmounts(amounts.filter((amount) => amount > 0)),
      out: sumAmounts(amounts.filter((amount) => amount < 0)),
      net: sumAmounts(amounts),
    });
  }
  return days;
}

export const flowChart = (days: DayFlow[]): ChartData => ({
  labels: days.map(({ day }) => day),
  datasets: [
    { label: "In", data: days.map((day) => day.in) },
    { label: "Out", data: days.map((day) => day.out) },
    { label: "Net", data: days.map((day) => day.net) },
  ],
});
