import type { ChartData } from "../chart/mod.ts";
import { isLive } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS, dayOf } from "../../base/time.ts";
import { paymentList, type PaymentQuery } from "./filters.ts";
import { toMajor } from "./money.ts";
import { type PaymentStatus, statusOf } from "./status.ts";
import { type Payment, PAYMENT_LIFETIME_MS, paymentsKey } from "./store.ts";
import { monthOf, readTotals, type StatusTotal } from "./totals.ts";

export const PAGE_SIZE = 50;
/** The most payments that one page view reads. The export reads all of them. */
export const MAX_READ = 20_000;
const BATCH = 500;

/** The totals of the payments in one currency, in minor units. */
export interface CurrencyTotal {
  currency: string;
  count: number;
  /** Payments that succeeded, before refunds. */
  received: number;
  refunded: number;
  /** By month, `YYYY-MM`, the newest first. */
  months: Map<string, { received: number; refunded: number }>;
}

export interface PaymentList {
  /** One page, the newest first. */
  payments: Payment[];
  /** The number of payments that match. */
  count: number;
  /** The totals of all that match, the currency with the most payments first. */
  totals: CurrencyTotal[];
  /** True if there were too many payments to read, so the oldest are not counted. */
  truncated: boolean;
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

async function* readPeriod(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  period: Pick<PaymentQuery, "from" | "to">,
  now: number,
): AsyncGenerator<Payment> {
  for await (const payment of readTimes(kv, organisation, timesOf(period))) {
    if (isLive(payment, now)) yield payment;
  }
}

/** Times of creation, from one until before another one: ISO 8601, or the beginnings of such times. */
interface Times {
  from: string;
  end: string;
}

const timesOf = ({ from = "", to }: Pick<PaymentQuery, "from" | "to">): Times => ({
  from,
  end: to === undefined ? "~" : dayOf(Date.parse(to) + DAY_MS),
});

/** Reads payments, the newest first, whether or not they have expired. */
async function* readTimes(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  { from, end }: Times,
  batchSize = BATCH,
): AsyncGenerator<Payment> {
  const prefix = paymentsKey(organisation);
  const selector = { start: [...prefix, from], end: [...prefix, end] };
  const entries = kv.list<Payment>(selector, { reverse: true, batchSize });
  for await (const { value } of entries) yield value;
}

/**
 * Reads one page of the payments that match a query, with the totals of all that match. The totals
 * of whole months are counters, so only filters by amount and days within a month need the payments
 * themselves.
 */
export async function listPayments(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: PaymentQuery,
  now: number,
): Promise<PaymentList> {
  const reader = createReader(kv, organisation, query, now);
  const months = await readMonths(kv, organisation, query, { now, reader });
  const totals = new Map<string, CurrencyTotal>();
  for (const total of months) addTotal(totals, total);
  const page = createReader(kv, organisation, query, now);
  const payments = await readPage(months, query, page);
  const count = months.reduce((sum, { count }) => sum + count, 0);
  const any = count > 0 || await hasAny(kv, organisation);
  const sorted = [...totals.values()].sort((a, b) => b.count - a.count);
  return { payments, count, totals: sorted, truncated: reader.truncated || page.truncated, any };
}

/** Reads matching payments until it has read {@link MAX_READ}. */
interface Reader {
  readonly truncated: boolean;
  read(times: Times, batchSize?: number): AsyncGenerator<Payment>;
}

function createReader(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: PaymentQuery,
  now: number,
): Reader {
  const matches = paymentList.matcher(query);
  let left = MAX_READ;
  let truncated = false;
  return {
    get truncated() {
      return truncated;
    },
    async *read(times, batchSize) {
      for await (const payment of readTimes(kv, organisation, times, batchSize)) {
        if (left-- <= 0) {
          truncated = true;
          return;
        }
        if (isLive(payment, now) && matches(payment)) yield payment;
      }
    },
  };
}

/** Returns the totals of the payments that match, by month, currency and status. */
async function readMonths(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  query: PaymentQuery,
  { now, reader }: { now: number; reader: Reader },
): Promise<StatusTotal[]> {
  const { from, end } = timesOf(query);
  const expired = new Date(now - PAYMENT_LIFETIME_MS).toISOString();
  const times = { from: from > expired ? from : expired, end };
  if (times.from >= times.end) return [];
  if (query.min !== undefined || query.max !== undefined) return await countRead(reader, times);
  // Payments expire one by one, and the period may begin and end within a month.
  const partial = new Set(
    [times.end, times.from].filter((time) => time !== "~" && !/^\d{4}-\d\d-01$/.test(time))
      .map((time) => time.slice(0, 7)),
  );
  const whole = { from: times.from.slice(0, 7), end: end === "~" ? end : end.slice(0, 7) };
  const totals = (await readTotals(kv, organisation, whole)).filter(
    ({ month, currency, status }) =>
      !partial.has(month) && (query.currency ?? currency) === currency &&
      (query.status ?? status) === status,
  );
  for (const month of partial) {
    const next = `${month}~`; // follows every time of the month
    totals.push(
      ...await countRead(reader, {
        from: times.from > month ? times.from : month,
        end: times.end < next ? times.end : next,
      }),
    );
  }
  return totals;
}

/** Counts payments by reading them. */
async function countRead(reader: Reader, times: Times): Promise<StatusTotal[]> {
  const totals = new Map<string, StatusTotal>();
  for await (const payment of reader.read(times)) {
    const [month, status, { currency }] = [monthOf(payment), statusOf(payment), payment];
    const id = `${month} ${currency} ${status}`;
    const total = totals.get(id) ??
      { month, currency, status, count: 0, received: 0, refunded: 0 };
    total.count++;
    if (payment.state === "succeeded") {
      total.received += payment.amount;
      total.refunded += payment.refunded;
    }
    totals.set(id, total);
  }
  return [...totals.values()];
}

/** Reads a page of the payments that were counted, without those of the months before it. */
async function readPage(
  totals: readonly StatusTotal[],
  query: PaymentQuery,
  reader: Reader,
): Promise<Payment[]> {
  const counts = new Map<string, number>();
  for (const { month, count } of totals) counts.set(month, (counts.get(month) ?? 0) + count);
  const { from, end } = timesOf(query);
  const { page, from: _, to: __, ...filters } = query;
  const isFiltered = Object.keys(filters).length > 0;
  const payments: Payment[] = [];
  let skip = (page - 1) * PAGE_SIZE;
  for (const month of [...counts.keys()].sort().reverse()) {
    const first = payments.length;
    const left = counts.get(month)! - skip;
    if (left <= 0) {
      skip -= counts.get(month)!;
      continue;
    }
    const wanted = Math.min(PAGE_SIZE, first + left);
    const next = `${month}~`; // follows every time of the month
    const times = { from: from > month ? from : month, end: end < next ? end : next };
    const batchSize = isFiltered ? BATCH : Math.min(BATCH, skip + wanted - first);
    for await (const payment of reader.read(times, batchSize)) {
      if (skip > 0) skip--;
      else payments.push(payment);
      if (payments.length === wanted) break;
    }
    if (payments.length === PAGE_SIZE) break;
  }
  return payments;
}

async function hasAny(kv: Deno.Kv, organisation: OrganisationKey): Promise<boolean> {
  const found = await Array.fromAsync(kv.list({ prefix: paymentsKey(organisation) }, { limit: 1 }));
  return found.length > 0;
}

function addTotal(totals: Map<string, CurrencyTotal>, added: StatusTotal): void {
  const { currency, month, status, count, received, refunded } = added;
  const total = totals.get(currency) ?? newTotal(currency);
  totals.set(currency, total);
  total.count += count;
  if (!SUCCEEDED.includes(status)) return;
  const sums = total.months.get(month) ?? { received: 0, refunded: 0 };
  for (const sum of [total, sums]) {
    sum.received += received;
    sum.refunded += refunded;
  }
  total.months.set(month, sums);
}

/** The statuses of payments that succeeded, refunded or not. */
const SUCCEEDED: readonly PaymentStatus[] = ["succeeded", "refunded", "partially_refunded"];

const newTotal = (currency: string): CurrencyTotal => ({
  currency,
  count: 0,
  received: 0,
  refunded: 0,
  months: new Map(),
});

const MAX_MONTHS = 24;
const monthFormat = new Intl.DateTimeFormat("en-US", {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** Returns the chart of a currency by month, without gaps, at most the last 24 months. */
export function monthlyChart({ currency, months }: CurrencyTotal): ChartData {
  const keys = [...months.keys()].sort();
  const all = monthsBetween(keys.at(0), keys.at(-1)).slice(-MAX_MONTHS);
  const series = (name: "received" | "refunded") =>
    all.map((month) => toMajor(months.get(month)?.[name] ?? 0, currency));
  return {
    labels: all.map((month) => monthFormat.format(Date.parse(`${month}-01`))),
    datasets: [
      { label: "Received", data: series("received") },
      { label: "Refunded", data: series("refunded") },
    ],
  };
}

function monthsBetween(first: string | undefined, last: string | undefined): string[] {
  const months: string[] = [];
  if (first === undefined || last === undefined) return months;
  const date = new Date(`${first}-01`);
  for (; date.toISOString().slice(0, 7) <= last; date.setUTCMonth(date.getUTCMonth() + 1)) {
    months.push(date.toISOString().slice(0, 7));
  }
  return months;
}
