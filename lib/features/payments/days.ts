/**
 * The totals of the payments of each day. The commit that changes a payment marks its days as changed,
 * which cannot conflict with other payments, and a job computes their totals. Until then, readers compute
 * those of the changed days, so that totals are exact at any time.
 *
 * @module
 */
import { z } from "zod";
import {
  apart,
  defineTable,
  expires,
  EXPIRING,
  isLive,
  isoAfter,
  transact,
  untilUsed,
} from "../../platform/kv/mod.ts";
import { readRows } from "../../platform/listing/pages.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS, dayOf } from "../../base/time.ts";
import { type Payment, PAYMENT_LIFETIME_MS, paymentRows } from "./rows.ts";
import { type PaymentStatus, STATUS_LABELS, statusOf } from "./status.ts";

/** The totals of the payments of a day with one status and currency. Amounts are in minor units. */
const group = z.strictObject({
  status: z.literal(Object.keys(STATUS_LABELS) as PaymentStatus[]),
  currency: z.string(),
  count: z.int(),
  /** Payments that succeeded, before refunds. */
  received: z.int(),
  refunded: z.int(),
});

type PaymentGroup = z.infer<typeof group>;

/** The totals of one UTC day. */
export interface PaymentDay {
  day: string;
  groups: PaymentGroup[];
}

export const paymentDays = defineTable({
  prefix: "payment_days",
  value: z.strictObject({ groups: z.array(group), ...EXPIRING }),
  key: ["organisation", "day"],
  owner: "organisation",
  lifetime: expires("as long as its payments"),
  per: "day with payments",
});

/** The days whose payments have changed since their totals were computed. */
export const changedDays = defineTable({
  prefix: "payment_days_changed",
  value: z.literal(true),
  key: ["organisation", "day"],
  owner: "organisation",
  lifetime: untilUsed("until its totals are computed, normally a minute", "payment-days"),
  per: "day with changed payments",
});

/** Marks the day of a payment as changed, in the commit that changes the payment. */
export const changeDay = (
  commit: Deno.AtomicOperation,
  organisation: OrganisationKey,
  { created_at }: { created_at: string },
): void => changedDays.put(commit, [organisation, created_at.slice(0, 10)], true);

/** Reads the totals of all days with payments, the newest first. */
export async function readDays(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  now: number,
): Promise<PaymentDay[]> {
  // The changed days come first: the totals of other days are not older than that.
  const changed = await Array.fromAsync(
    changedDays.list(kv, [organisation], { batchSize: 500 }),
    ({ key }) => String(key[2]),
  );
  const days = new Map<string, PaymentGroup[]>();
  for await (const { key, value } of paymentDays.list(kv, [organisation], { batchSize: 500 })) {
    if (isLive(value, now)) days.set(String(key[2]), value.groups);
  }
  // Of the oldest day, some payments may have expired.
  const oldest = dayOf(now - PAYMENT_LIFETIME_MS);
  for (const day of new Set([...changed, ...days.has(oldest) ? [oldest] : []])) {
    days.set(day, await totalsOf(kv, organisation, day, now));
  }
  return Array.from(days, ([day, groups]) => ({ day, groups }))
    .filter(({ groups }) => groups.length > 0)
    .sort((a, b) => a.day < b.day ? 1 : -1);
}

/** Returns the currencies of payments. */
export const currenciesOf = (days: readonly PaymentDay[]): string[] => [
  ...new Set(days.flatMap(({ groups }) => groups.map(({ currency }) => currency))),
];

/** Computes the totals of a day from its payments. */
async function totalsOf(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  day: string,
  now: number,
): Promise<PaymentGroup[]> {
  const groups = new Map<string, PaymentGroup>();
  const range = { from: day, to: day };
  for await (const row of readRows(kv, paymentRows, [organisation], now, range)) {
    addTo(groups, row);
  }
  return [...groups.values()];
}

function addTo(groups: Map<string, PaymentGroup>, payment: Payment): void {
  const { currency, amount, refunded } = payment;
  const status = statusOf(payment);
  const key = `${status} ${currency}`;
  const sums = groups.get(key) ?? { status, currency, count: 0, received: 0, refunded: 0 };
  groups.set(key, sums);
  sums.count++;
  if (payment.state !== "succeeded") return;
  sums.received += amount;
  sums.refunded += refunded;
}

/**
 * Computes the totals of changed days.
 *
 * @param signal ends it after the current day
 * @returns the number of days
 */
export async function computeDays(
  kv: Deno.Kv,
  clock: () => number,
  signal: AbortSignal,
): Promise<number> {
  let days = 0;
  for await (const { key } of changedDays.list(kv, [])) {
    if (signal.aborted) break;
    await computeDay(kv, key[1] as OrganisationKey, String(key[2]), clock());
    days++;
  }
  return days;
}

/** Computes the totals of a day if it has changed. */
const computeDay = (
  kv: Deno.Kv,
  organisation: OrganisationKey,
  day: string,
  now: number,
): Promise<void> =>
  transact(async () => {
    const changed = await changedDays.get(kv, organisation, day);
    if (changed.versionstamp === null) return { result: undefined };
    const groups = await apart(
      "A payment that changes marks its day again.",
      () => totalsOf(kv, organisation, day, now),
    );
    const row = { groups, expires_at: isoAfter(Date.parse(day) + DAY_MS, PAYMENT_LIFETIME_MS) };
    const commit = kv.atomic().check(changed); // a payment may have changed meanwhile
    changedDays.deleteAt(commit, [organisation, day], true);
    if (groups.length > 0) paymentDays.put(commit, [organisation, day], row, now);
    else paymentDays.deleteAt(commit, [organisation, day], row);
    return { result: undefined, commit };
  });
