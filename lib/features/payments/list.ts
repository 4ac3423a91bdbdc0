/**
 * The list of payments, with the totals of all that match.
 *
 * @module
 */
import type { ChartData } from "../chart/mod.ts";
import { DAY_MS, dayOf } from "../../base/time.ts";
import { readIndexed, readRows } from "../../platform/listing/pages.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type AmountKey, amountKeys, readNewest } from "./amounts.ts";
import { currenciesOf, type PaymentDay } from "./days.ts";
import { paymentList, type PaymentQuery } from "./filters.ts";
import { decimalsOf, toMajor } from "./money.ts";
import { BY_CURRENCY, BY_STATUS, type Payment, paymentRows } from "./rows.ts";
import type { PaymentStatus } from "./status.ts";

/** The number of payments of a page. */
export const PAGE_SIZE = 50;
/** The most payments that a page with limits of the amount reads. */
export const MAX_BY_AMOUNT = 2_000;

/** The totals of the payments in one currency, in minor units. */
export interface CurrencyTotal {
  currency: string;
  count: number;
  /** Payments that succeeded, before refunds. */
  received: number;
  refunded: number;
  /** The totals by UTC day, `YYYY-MM-DD`, the newest first. */
  days: Map<string, { received: number; refunded: number }>;
}

/** The payments that match a query. */
export interface PaymentList {
  /** The number of payments that match. */
  count: number;
  /** The totals of all that match, the currency with the most payments first. */
  totals: CurrencyTotal[];
  /** True if there were too many payments to read, so the oldest are not counted. */
  truncated: boolean;
  /** One page, the newest first. */
  payments: Payment[];
  /** The number of payments before the page. */
  skipped: number;
  /** True if the organisation has a payment, whatever the filters. */
  any: boolean;
}

/** Reads all payments that match a query, the newest first. */
export async function* readPayments(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: PaymentQuery,
  now: number,
): AsyncGenerator<Payment> {
  const matches = paymentList.matcher(query);
  for await (const payment of readPeriod(kv, organisation, query, { now })) {
    if (matches(payment)) yield payment;
  }
}

/** Reads the payments of a period, and of a status and currency if they have an index, the newest first. */
const readPeriod = (
  kv: Deno.Kv,
  organisation: OrganisationKey,
  { from, to, status, currency }: PaymentQuery,
  { now, first = PAGE_SIZE + 1 }: { now: number; first?: number },
): AsyncGenerator<Payment> => {
  const range = { from, to, first };
  const ofIndex = (...index: string[]) =>
    readIndexed(kv, paymentRows, [...index, organisation], now, range);
  if (currency !== undefined) return ofIndex(BY_CURRENCY, currency, status ?? "");
  if (status !== undefined) return ofIndex(BY_STATUS, status);
  return readRows(kv, paymentRows, [organisation], now, range);
};

/**
 * Reads one page of the payments that match a query, with the totals of all that match.
 *
 * @param days the totals of all days
 */
export async function listPayments(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: PaymentQuery,
  now: number,
  days: readonly PaymentDay[],
): Promise<PaymentList> {
  const any = days.length > 0;
  if (query.min !== undefined || query.max !== undefined) {
    const rows = await readByAmounts(kv, organisation, query, { days, now }) ??
      readPeriod(kv, organisation, query, { now });
    return { ...await scan(rows, query), any };
  }
  const selected = selectDays(days, query);
  const totals = addUp(selected);
  const skipped = await countBefore(kv, organisation, query, { selected, now });
  const payments = await readAt(kv, organisation, query, { selected, skipped, now });
  return {
    payments,
    skipped,
    totals,
    count: totals.reduce((sum, { count }) => sum + count, 0),
    truncated: false,
    any,
  };
}

/** Reads payments, and returns one page and the totals of those that match. */
async function scan(
  rows: AsyncIterable<Payment> | Iterable<Payment>,
  query: PaymentQuery,
): Promise<Omit<PaymentList, "any">> {
  const matches = paymentList.matcher(query);
  const found: Payment[] = [];
  const totals = new Map<string, CurrencyTotal>();
  let [read, truncated] = [0, false];
  for await (const payment of rows) {
    if (read++ === MAX_BY_AMOUNT) {
      truncated = true;
      break;
    }
    if (!matches(payment)) continue;
    found.push(payment);
    addPayment(totals, payment);
  }
  const skipped = firstOf(query, found.filter((payment) => isBefore(payment, query)).length);
  const payments = found.slice(skipped, skipped + PAGE_SIZE);
  return { payments, skipped, count: found.length, totals: sorted(totals), truncated };
}

/** Returns the days of a query's period, with the groups of its status and currency. */
const selectDays = (
  days: readonly PaymentDay[],
  { from = "", to = "Z", status, currency }: PaymentQuery,
): PaymentDay[] =>
  days.filter(({ day }) => day >= from && day <= to).map(({ day, groups }) => ({
    day,
    groups: groups.filter((group) =>
      (status === undefined || group.status === status) &&
      (currency === undefined || group.currency === currency)
    ),
  })).filter(({ groups }) => groups.length > 0);

/** Returns the totals of days by currency. */
function addUp(days: readonly PaymentDay[]): CurrencyTotal[] {
  const totals = new Map<string, CurrencyTotal>();
  for (const { day, groups } of days) {
    for (const { currency, status, count, received, refunded } of groups) {
      const total = totals.get(currency) ?? newTotal(currency);
      totals.set(currency, total);
      total.count += count;
      if (SUCCEEDED.has(status)) addSums(total, day, { received, refunded });
    }
  }
  return sorted(totals);
}

/** The statuses of payments that succeeded. */
const SUCCEEDED: ReadonlySet<PaymentStatus> = new Set([
  "succeeded",
  "refunded",
  "partially_refunded",
]);

/** Returns whether a payment is on a page before that of a position, or on that page for one that ends there. */
function isBefore({ created_at, id }: Payment, { after, before }: PaymentQuery): boolean {
  const position = before ?? after;
  if (position === undefined) return false;
  const [own, other] = [`${created_at} ${id}`, `${position.at} ${position.id}`];
  return before === undefined ? own >= other : own > other;
}

/** Returns the number of payments before a page, of those that `isBefore` counts. */
const firstOf = ({ before }: PaymentQuery, count: number): number =>
  before === undefined ? count : Math.max(0, count - PAGE_SIZE);

const countOf = ({ groups }: PaymentDay): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

/** Counts the payments before a page: those of later days by their totals, those of its day one by one. */
async function countBefore(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: PaymentQuery,
  { selected, now }: { selected: readonly PaymentDay[]; now: number },
): Promise<number> {
  const position = query.before ?? query.after;
  if (position === undefined) return 0;
  const at = position.at.slice(0, 10);
  let count = selected.filter(({ day }) => day > at).reduce((sum, day) => sum + countOf(day), 0);
  if (!selected.some(({ day }) => day === at)) return firstOf(query, count);
  const matches = paymentList.matcher(query);
  for await (const row of readPeriod(kv, organisation, { ...query, from: at, to: at }, { now })) {
    if (!isBefore(row, query)) break;
    if (matches(row)) count++;
  }
  return firstOf(query, count);
}

/** Reads a page of payments from the day on where it begins. */
async function readAt(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: PaymentQuery,
  { selected, skipped, now }: { selected: readonly PaymentDay[]; skipped: number; now: number },
): Promise<Payment[]> {
  let start: string | undefined;
  for (const each of selected) {
    const count = countOf(each);
    start = each.day;
    if (skipped < count) break;
    skipped -= count;
    start = undefined;
  }
  if (start === undefined) return [];
  const matches = paymentList.matcher(query);
  const options = { now, first: skipped + PAGE_SIZE };
  const payments: Payment[] = [];
  for await (const row of readPeriod(kv, organisation, { ...query, to: start }, options)) {
    if (!matches(row) || skipped-- > 0) continue;
    payments.push(row);
    if (payments.length === PAGE_SIZE) break;
  }
  return payments;
}

/**
 * Reads the payments with the amounts of a query, the newest first.
 *
 * @returns null if there are too many
 */
async function readByAmounts(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  { min, max, currency, from = "", to = "Z" }: PaymentQuery,
  { days, now }: { days: readonly PaymentDay[]; now: number },
): Promise<Payment[] | null> {
  const currencies = currency === undefined ? currenciesOf(days) : [currency];
  const found: AmountKey[] = [];
  for (const each of currencies) {
    const range = { min: minorOf(min, each), max: minorOf(max, each) };
    const limit = MAX_BY_AMOUNT - found.length + 1;
    found.push(...await amountKeys(kv, [organisation, each], range, { limit }));
    if (found.length > MAX_BY_AMOUNT) return null;
  }
  const inPeriod = found.filter(([, at]) => at >= from && at <= `${to}Z`);
  return await readNewest(kv, inPeriod, now);
}

const minorOf = (amount: number | undefined, currency: string) =>
  amount === undefined ? undefined : Math.round(amount * 10 ** decimalsOf(currency));

function addPayment(totals: Map<string, CurrencyTotal>, payment: Payment): void {
  const { currency, state, created_at, amount, refunded } = payment;
  const total = totals.get(currency) ?? newTotal(currency);
  totals.set(currency, total);
  total.count++;
  if (state === "succeeded") {
    addSums(total, created_at.slice(0, 10), { received: amount, refunded });
  }
}

function addSums(
  total: CurrencyTotal,
  day: string,
  { received, refunded }: { received: number; refunded: number },
): void {
  const sums = total.days.get(day) ?? { received: 0, refunded: 0 };
  for (const sum of [total, sums]) {
    sum.received += received;
    sum.refunded += refunded;
  }
  total.days.set(day, sums);
}

const sorted = (totals: Map<string, CurrencyTotal>): CurrencyTotal[] =>
  [...totals.values()].sort((a, b) => b.count - a.count);

const newTotal = (currency: string): CurrencyTotal => ({
  currency,
  count: 0,
  received: 0,
  refunded: 0,
  days: new Map(),
});

/** A provider may send any time, and every day between two payments has a place in the chart. */
const MAX_CHART_DAYS = 731;

/**
 * Returns the chart of a currency by day, from the first payment to the last, without gaps, and at most
 * the last two years.
 */
export function dailyChart({ currency, days }: CurrencyTotal): ChartData {
  const keys = [...days.keys()].sort();
  const labels = daysBetween(keys.at(0), keys.at(-1));
  const series = (name: "received" | "refunded") =>
    labels.map((day) => toMajor(days.get(day)?.[name] ?? 0, currency));
  return {
    labels,
    datasets: [
      { label: "Received", data: series("received") },
      { label: "Refunded", data: series("refunded") },
    ],
  };
}

function daysBetween(first: string | undefined, last: string | undefined): string[] {
  if (first === undefined || last === undefined) return [];
  const count = Math.min((Date.parse(last) - Date.parse(first)) / DAY_MS + 1, MAX_CHART_DAYS);
  const start = Date.parse(last) - (count - 1) * DAY_MS;
  return Array.from({ length: count }, (_, i) => dayOf(start + i * DAY_MS));
}
