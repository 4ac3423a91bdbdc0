/** Reads the transactions, sums and chart of an account's page for the chosen dates and filters. */
import { movedMoney, type SentTransaction, type Transaction } from "../provider.ts";
import { transactionList, type TransactionQuery } from "../filters.ts";
import type { Treasury } from "../treasury.ts";
import type { TreasuryFailure } from "../api.ts";
import type { ChartData } from "../../chart/mod.ts";
import { withDeadline } from "../../../base/deadline.ts";
import { DAY_MS, dayOf, SECOND_MS } from "../../../base/time.ts";
import { createFlowSums, dailyFlowChart, type Flow } from "./flow.ts";
import { labelOf } from "./labels.ts";

/** The transactions that a query selects: one page of them, and figures about all of them. */
export interface Ledger {
  /** The page's transactions, newest first. */
  rows: Transaction[];
  offset: number;
  limit: number;
  /** Number of transactions on all pages; if `gap` is set, of those that could be read. */
  count: number;
  totals: Flow;
  /** Number of transactions that are not in the totals, because they have not moved money. */
  unmoved: number;
  /** The totals by day. */
  chart: ChartData;
  /** The kinds and statuses that occur in the dates, whatever the other filters are. */
  kinds: string[];
  statuses: string[];
  /** The transaction whose details were asked for; null if it is not in the dates. */
  open: Transaction | null;
  /** The reason why older transactions could not be read; null if all were read. */
  gap: TreasuryFailure["error"] | null;
}

/** Someone is waiting for the page. */
const MAX_DURATION_MS = 20 * SECOND_MS;

/**
 * Reads every transaction in a query's dates from the bank, and keeps one page of those that match its
 * filters. Transactions that have not moved money are left out of the totals and the chart, unless the
 * query selects their status. If the bank fails after the first of its pages, the ledger has a gap.
 *
 * @param options.now milliseconds since 1970
 * @param options.transaction the id of a transaction to return in full
 * @param options.patience when it aborts, the transactions that have not been read are left out
 */
export async function readLedger(
  treasury: Treasury,
  query: TransactionQuery,
  { now, transaction = "", patience }: {
    now: number;
    transaction?: string;
    patience?: AbortSignal;
  },
): Promise<{ ok: true; ledger: Ledger } | TreasuryFailure> {
  const { limit, offset } = query;
  const matches = transactionList.matcher(query);
  const [kinds, statuses] = [new Set<string>(), new Set<string>()];
  const sums = createFlowSums();
  const rows: Transaction[] = [];
  let [count, unmoved] = [0, 0];
  let open: Transaction | null = null;
  let oldest: string | null = null;
  let gap: Ledger["gap"] = null;

  const add = (one: SentTransaction) => {
    kinds.add(one.kind);
    statuses.add(one.status);
    if (oldest === null || one.created_at < oldest) oldest = one.created_at;
    if (one.id === transaction) open = one.read();
    if (!matches(one)) return;
    if (count >= offset && rows.length < limit) rows.push(one.read());
    count++;
    if (query.status !== undefined || movedMoney(one)) sums.add(one);
    else unmoved++;
  };
  const failure = await withDeadline(MAX_DURATION_MS, undefined, readAll);
  if (failure !== null) return failure;
  return {
    ok: true,
    ledger: {
      rows,
      offset,
      limit,
      count,
      totals: sums.total(),
      unmoved,
      chart: dailyFlowChart(count === unmoved ? [] : daysOf()),
      kinds: byLabel(kinds),
      statuses: byLabel(statuses),
      open,
      gap,
    },
  };

  /** @returns the failure if nothing could be read; a later one is a gap */
  async function readAll(signal: AbortSignal): Promise<TreasuryFailure | null> {
    let first = true;
    for await (const result of treasury.pages(query, { signal, patience })) {
      if (!result.ok) {
        if (first) return result;
        gap = result.error;
        break;
      }
      first = false;
      result.page.transactions.forEach(add);
    }
    return null;
  }

  /** The days since the oldest transaction. If older ones are missing, its day is incomplete. */
  function daysOf() {
    const first = Date.parse(oldest!) + (gap === null ? 0 : DAY_MS);
    const last = query.end === undefined ? now : Math.min(Date.parse(query.end), now);
    return sums.days({ first: dayOf(first), last: dayOf(last) });
  }
}

const byLabel = (names: Set<string>) =>
  [...names].sort((a, b) => labelOf(a).localeCompare(labelOf(b), "en"));
