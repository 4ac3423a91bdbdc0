import {
  addChanges,
  type CounterChange,
  type DerivedCounters,
  negated,
} from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type CountedAmounts, type PaymentStatus, statusOf } from "./status.ts";

/** The part of a payment by which it is counted. */
interface CountedPayment extends CountedAmounts {
  created_at: string;
  currency: string;
}

/** The payments of one month with one currency and status. Amounts are in minor units. */
export interface StatusTotal {
  /** `YYYY-MM` in UTC. */
  month: string;
  currency: string;
  status: PaymentStatus;
  count: number;
  /** The amounts of payments that succeeded, before refunds. */
  received: number;
  refunded: number;
}

type Figure = "count" | "received" | "refunded";

const PREFIX = "payment_totals";
const BATCH = 500;

export const monthOf = ({ created_at }: Pick<CountedPayment, "created_at">): string =>
  created_at.slice(0, 7);

/** The counters of payments and their amounts, by organisation, month, currency and status. */
export const paymentCounters: DerivedCounters<CountedPayment> = {
  rows: ["payments"],
  counters: [[PREFIX]],
  of: (payment, [, organisation]) => countersOf(String(organisation), payment),
};

function* countersOf(organisation: string, payment: CountedPayment): Iterable<CounterChange> {
  const { currency, state, amount, refunded } = payment;
  const prefix = [PREFIX, organisation, monthOf(payment), currency, statusOf(payment)];
  const keyOf = (figure: Figure) => [...prefix, figure];
  yield [keyOf("count"), 1n];
  if (state !== "succeeded") return;
  yield [keyOf("received"), BigInt(amount)];
  yield [keyOf("refunded"), BigInt(refunded)];
}

/** Counts a payment instead of an earlier version of it. Add it to the commit that stores it. */
export function countPayment(
  commit: Deno.AtomicOperation,
  organisation: OrganisationKey,
  before: CountedPayment | null,
  after: CountedPayment,
): void {
  const removed = before === null ? [] : negated(countersOf(organisation, before));
  addChanges(commit, [...removed, ...countersOf(organisation, after)]);
}

/** Reads the totals of the months from one until before another one, in any order. */
export async function readTotals(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  { from, end }: { from: string; end: string },
): Promise<StatusTotal[]> {
  const prefix = [PREFIX, organisation];
  const selector = { start: [...prefix, from], end: [...prefix, end] };
  const entries = await Array.fromAsync(kv.list<Deno.KvU64>(selector, { batchSize: BATCH }));
  const totals = new Map<string, StatusTotal>();
  for (const { key, value } of entries) {
    const [month, currency, status, figure] = key.slice(2) as [string, string, string, Figure];
    const id = `${month} ${currency} ${status}`;
    const total = totals.get(id) ?? {
      month,
      currency,
      status: status as PaymentStatus,
      count: 0,
      received: 0,
      refunded: 0,
    };
    total[figure] = Number(value.value);
    totals.set(id, total);
  }
  return [...totals.values()].filter(({ count }) => count > 0);
}
