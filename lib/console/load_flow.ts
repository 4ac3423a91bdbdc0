import type { Transaction, Treasury } from "../bank/mod.ts";
import { DAY, dayOf } from "../chart/mod.ts";
import { dailyFlow, type DayFlow } from "./daily_flow.ts";
import { troubleOf } from "./trouble.ts";

/** An account's flow over a span of days. */
export interface LoadedFlow {
  /** From the first day on that has a movement, or later; empty where there is none. */
  days: DayFlow[];
  /** There were more transactions than are read: the days begin later than was asked for. */
  cut: boolean;
}

/** The bank's largest page. */
const PAGE = 500;
/** So many pages at most: 5,000 transactions, where the bank fills them. */
const MAX_PAGES = 10;

/**
 * Reads an account's transactions in pages, the newest first, and adds them up by day.
 *
 * @returns the flow, or the code of why there is none
 */
export async function loadFlow(
  treasury: Pick<Treasury, "transactions">,
  account_id: string,
  { first, last }: { first: string; last: string },
): Promise<LoadedFlow | { code: string }> {
  if (first > last) return { days: [], cut: false }; // days to come
  const read = new Map<string, Transaction>(); // what came meanwhile shifts the pages
  let offset = 0;
  let cut = false;
  for (let page = 0;; page++) {
    if (page === MAX_PAGES) {
      cut = true;
      break;
    }
    const answer = await treasury.transactions({
      account_id,
      start: first,
      end: last,
      limit: PAGE,
      offset,
    });
    if (!("transactions" in answer)) return { code: troubleOf(answer) };
    for (const transaction of answer.transactions) read.set(transaction.id, transaction);
    offset += answer.transactions.length;
    if (offset >= answer.total || answer.transactions.length === 0) break;
  }
  const times = [...read.values()].map(({ created_at }) => Date.parse(created_at));
  if (times.length === 0) return { days: [], cut };
  const oldest = times.reduce((one, other) => Math.min(one, other));
  // Of the oldest day that was read, a part may be missing.
  const begin = cut ? dayOf(oldest + DAY) : dayOf(oldest);
  const days = dailyFlow(read.values(), { first: begin > first ? begin : first, last });
  return { days, cut };
}
