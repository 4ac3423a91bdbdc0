import type { ChartData } from "../chart/mod.ts";
import { DAY_MS, dayOf } from "../../base/time.ts";
import { readIndexed, readRows } from "../../platform/listing/pages.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { paymentList, type PaymentQuery } from "./filters.ts";
import { toMajor } from "./money.ts";
import { BY_STATUS, type Payment, paymentRows } from "./store.ts";

export const PAGE_SIZE = 50;
/** The most payments that one page view reads. The export reads all of them. */
export const MAX_READ = 20_000;

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

/** The totals of the payments that match a query. */
export interface PaymentTotals {
  /** The number of payments that match. */
  count: number;
  /** The totals of all that match, the currency with the most payments first. */
  totals: CurrencyTotal[];
  /** True if there were too many payments to read, so the oldest are not counted. */
  truncated: boolean;
}

export interface PaymentList extends PaymentTotals {
  /** One page, the newest first. */
  payments: Payment[];
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
  for await (const payment of readPeriod(kv, organisation, query, now)) {
    if (matches(payment)) yield payment;
  }
}

/** Reads the payments of a period, the newest first. */
const readPeriod = (
  kv: Deno.Kv,
  organisation: OrganisationKey,
  { from, to, status }: PaymentQuery,
  now: number,
): AsyncGenerator<Payment> => {
  const range = { from, to, first: PAGE_SIZE + 1 };
  return status === undefined
    ? readRows(kv, paymentRows, [organisation], now, range)
    : readIndexed(kv, paymentRows, [BY_STATUS, status, organisation], now, range);
};

/**
 * Reads one page of the payments that match a query, with the totals of all that match.
 *
 * @param known the totals, if they are known; then only the payments up to the end of the page are read
 */
export async function listPayments(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: PaymentQuery,
  now: number,
  known?: PaymentTotals,
): Promise<PaymentList> {
  const matches = paymentList.matcher(query);
  const one = hasAny(kv, organisation); // at the same time, in case none matches
  one.catch(() => {}); // the page may fail first
  const payments: Payment[] = [];
  const totals = new Map<string, CurrencyTotal>();
  const first = (query.page - 1) * PAGE_SIZE;
  const last = known === undefined ? Infinity : Math.min(known.count, first + PAGE_SIZE);
  let [read, count, truncated] = [0, 0, false];
  for await (const payment of readPeriod(kv, organisation, query, now)) {
    if (count >= last) break;
    if (read++ === MAX_READ) {
      truncated = true;
      break;
    }
    if (!matches(payment)) continue;
    if (count >= first && payments.length < PAGE_SIZE) payments.push(payment);
    count++;
    if (known === undefined) addPayment(totals, payment);
  }
  const any = count > 0 || await one;
  const sorted = [...totals.values()].sort((a, b) => b.count - a.count);
  return { payments, ...known ?? { count, totals: sorted, truncated }, any };
}

async function hasAny(kv: Deno.Kv, organisation: OrganisationKey): Promise<boolean> {
  const found = await Array.fromAsync(paymentRows.list(kv, [organisation], { limit: 1 }));
  return found.length > 0;
}

function addPayment(totals: Map<string, CurrencyTotal>, payment: Payment): void {
  const { currency, state, created_at, amount, refunded } = payment;
  const total = totals.get(currency) ?? newTotal(currency);
  totals.set(currency, total);
  total.count++;
  if (state !== "succeeded") return;
  const day = created_at.slice(0, 10);
  const sums = total.days.get(day) ?? { received: 0, refunded: 0 };
  for (const sum of [total, sums]) {
    sum.received += amount;
    sum.refunded += refunded;
  }
  total.days.set(day, sums);
}

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
