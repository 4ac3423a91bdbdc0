/**
 * The transactions behind the totals of a period, in groups and page by page.
 *
 * @module
 */
import { type Account, movedMoney, type SentTransaction, type Transaction } from "../provider.ts";
import { toAmount, toCents } from "../money.ts";
import { transactionList } from "../filters.ts";
import { type AccountTransaction, newestOf } from "../transactions.ts";
import type { Treasury } from "../treasury.ts";
import type { TreasuryFailure } from "../api.ts";
import { withDeadline } from "../../../base/deadline.ts";
import { createSlots } from "../../../base/slots.ts";
import { type Filter, offset } from "../../../platform/listing/filters.ts";
import { defineList, type Query } from "../../../platform/listing/list.ts";
import { DAY_MS, dayOf, SECOND_MS } from "../../../base/time.ts";
import type { Flow } from "./flow.ts";
import { FLOW_PATH } from "./flow_path.ts";
import { type RangePreset, rangePresets } from "./ledger_filters.ts";
import { monthsOf } from "./month_flow.ts";

/** The fields by which transactions are selected and grouped. */
type FlowKey = Pick<SentTransaction, "amount" | "kind" | "counterparty"> & { account: Account };

type FlowFilter = Filter<string, FlowKey>;

/** The transactions of one kind or counterparty. Sums are in dollars. */
export interface FlowGroup extends Flow {
  name: string;
  count: number;
}

/** The transactions behind the totals of a period, without transfers between own accounts. */
export interface MoneyFlow {
  total: Flow;
  count: number;
  /** The largest groups first, at most {@link MOST_GROUPS}. */
  counterparties: FlowGroup[];
  kinds: FlowGroup[];
  /** The number of counterparties. */
  counterpartyCount: number;
  /** One page, the newest first. */
  rows: AccountTransaction[];
}

export const FLOW_PAGE_SIZE = 25;
const MOST_SKIPPED = 399 * FLOW_PAGE_SIZE;
export const MOST_GROUPS = 200;
const MAX_NAME = 200;

/** The name of a transaction's counterparty, as groups and their filter use it. */
export const counterpartyOf = ({ counterparty }: Pick<Transaction, "counterparty">): string =>
  counterparty.trim().slice(0, MAX_NAME) || "Not named";

const exactly = (
  label: string,
  valueOf: (one: FlowKey) => string,
  rest: Partial<FlowFilter> = {},
): FlowFilter => ({
  kind: "choice",
  label,
  any: "All",
  parse: (text) => text,
  test: (value) => (one) => valueOf(one) === value,
  ...rest,
});

const { start, end, direction } = transactionList.filters;

/** The transactions of all active accounts. The bank itself applies the dates. */
export const flowList = defineList(FLOW_PATH, {
  start,
  end,
  direction,
  account: exactly("Account", ({ account }) => account.id),
  counterparty: exactly("Counterparty", counterpartyOf, { logged: "with a counterparty" }),
  kind: exactly("Kind", ({ kind }) => kind),
  offset: offset(MOST_SKIPPED, "There is no such page."),
});

export type FlowQuery = Query<typeof flowList.filters>;

/**
 * Returns a function that returns the URL of the transactions of a group, by its name.
 *
 * @param filter selects the groups of this kind
 */
export function groupLinks(
  query: FlowQuery,
  filter: "counterparty" | "kind",
): (name: string) => string {
  const others = flowList.href({ ...query, [filter]: undefined });
  const start = `${others}${others.includes("?") ? "&" : "?"}${filter}=`;
  // Without parameters of a URL, which take most of the time of a link.
  return (name) => `${start}${encodeURIComponent(name.toWellFormed())}`;
}

/**
 * Reads the filters in the page's URL. Without dates, they are those of this month.
 *
 * @param now milliseconds since 1970
 */
export function readFlowFilters({ searchParams }: URL, now: number) {
  const params = new URLSearchParams(searchParams);
  if (!params.get("start") && !params.get("end")) {
    const { first, last } = monthsOf(now).current;
    params.set("start", first);
    params.set("end", last);
  }
  return flowList.read(params);
}

export type FlowFilters = ReturnType<typeof readFlowFilters>;

/** Somebody is waiting for the page. */
const MAX_DURATION_MS = 20 * SECOND_MS;
/** As many as the connection makes requests at the same time. More would only wait before those of other pages. */
const CONCURRENT_ACCOUNTS = 6;

/**
 * Reads the transactions that a query selects, of all active accounts whose transactions the bank
 * shares. Like the totals of the month, it counts those that moved money, without transfers between
 * the organisation's own accounts. A failure of one account fails the whole read, because a part of the
 * transactions would look like all of them.
 *
 * @param patience when it aborts, the error is `slow`
 */
export async function readMoneyFlow(
  treasury: Treasury,
  query: FlowQuery,
  patience?: AbortSignal,
): Promise<{ ok: true; flow: MoneyFlow; accounts: Account[] } | TreasuryFailure> {
  const listed = await treasury.accounts(patience);
  if (listed.connection_status === "not_connected") {
    return { ok: false, error: listed.reason ?? "not_connected", message: listed.message };
  }
  const accounts = listed.accounts.filter(({ id, status }) => status === "active" && id !== "");
  const slots = createSlots(CONCURRENT_ACCOUNTS);
  const collector = createCollector(query);

  const wanted = accounts.filter(({ id }) => query.account === undefined || query.account === id);
  const failures = await withDeadline(
    MAX_DURATION_MS,
    undefined,
    (signal) => Promise.all(wanted.map((account) => slots.run(() => readAccount(account, signal)))),
  );
  const failed = failures.find((failure) => failure !== null);
  return failed ?? { ok: true, flow: collector.result(), accounts };

  async function readAccount(
    account: Account,
    signal: AbortSignal,
  ): Promise<TreasuryFailure | null> {
    const dates = { account_id: account.id, start: query.start, end: query.end };
    const add = collector.ofAccount(account);
    for await (const result of treasury.pages(dates, { signal, patience, listed: true })) {
      // The bank does not share the transactions of some accounts (spec 2.4.1).
      if (!result.ok) return result.error === "not_found" ? null : result;
      result.page.transactions.forEach(add);
    }
    return null;
  }
}

interface Sums {
  in: bigint;
  out: bigint;
  count: number;
}

/** Sums transactions in cents, and keeps those that can be on the query's page. */
function createCollector(query: FlowQuery) {
  const matches = flowList.matcher(query);
  const end = query.offset + FLOW_PAGE_SIZE;
  const rows: { sent: SentTransaction; account: Account }[] = [];
  const total: Sums = { in: 0n, out: 0n, count: 0 };
  const groups = { counterparties: new Map<string, Sums>(), kinds: new Map<string, Sums>() };

  const add = (sums: Sums, cents: bigint) => {
    sums[cents > 0n ? "in" : "out"] += cents;
    sums.count++;
  };
  const addTo = (map: Map<string, Sums>, name: string, cents: bigint) =>
    add(map.getOrInsertComputed(name, () => ({ in: 0n, out: 0n, count: 0 })), cents);

  return {
    ofAccount(account: Account) {
      let kept = 0; // an account's transactions arrive newest first
      return (sent: SentTransaction) => {
        if (!movedMoney(sent) || sent.own_transfer) return;
        const { amount, kind, counterparty } = sent;
        const one = { amount, kind, counterparty, account };
        if (!matches(one)) return;
        const cents = toCents(one.amount);
        add(total, cents);
        addTo(groups.counterparties, counterpartyOf(one), cents);
        addTo(groups.kinds, one.kind, cents);
        if (kept++ < end) rows.push({ sent, account });
      };
    },
    result: (): MoneyFlow => ({
      total: flowOf(total),
      count: total.count,
      counterparties: largest(groups.counterparties).slice(0, MOST_GROUPS),
      counterpartyCount: groups.counterparties.size,
      kinds: largest(groups.kinds),
      // Emptied, because the closures that collect them outlive the page, and would keep the bank's responses.
      rows: newestOf(rows.splice(0), query.offset, end),
    }),
  };
}

const flowOf = ({ in: into, out }: Sums): Flow => ({
  in: toAmount(into),
  out: toAmount(out),
  net: toAmount(into + out),
});

/** Returns the groups by the money that they moved, the largest first. */
const largest = (groups: Map<string, Sums>): FlowGroup[] =>
  [...groups].map(([name, sums]) => ({ name, sums, moved: sums.in - sums.out }))
    .sort((a, b) =>
      a.moved === b.moved ? a.name.localeCompare(b.name, "en") : a.moved > b.moved ? -1 : 1
    )
    .map(({ name, sums }) => ({ name, count: sums.count, ...flowOf(sums) }));

/** @param now milliseconds since 1970 */
export function flowPresets(now: number): RangePreset[] {
  const { current, previous } = monthsOf(now);
  const yesterday = dayOf(now - DAY_MS);
  return [
    { text: "Yesterday", start: yesterday, end: yesterday },
    { text: "This month", start: current.first, end: current.last },
    { text: "Last month", start: previous.first, end: previous.end },
    ...rangePresets(now).filter(({ text }) => /days|year/.test(text)),
  ];
}
