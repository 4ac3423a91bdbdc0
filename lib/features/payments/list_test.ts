import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { raceKv } from "../../platform/kv/testing/race_kv.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { computeDays, type PaymentDay, readDays } from "./days.ts";
import { DAY_MS } from "../../base/time.ts";
import type { PaymentUpdate } from "./event.ts";
import { paymentList, type PaymentQuery } from "./filters.ts";
import {
  type CurrencyTotal,
  dailyChart,
  listPayments,
  MAX_BY_AMOUNT,
  PAGE_SIZE,
  readPayments,
} from "./list.ts";
import { type Payment, PAYMENT_LIFETIME_MS, paymentRows } from "./rows.ts";
import { applyUpdate, paymentData } from "./store.ts";

const NOW = Date.parse("2026-03-15T12:00:00Z");
const HASHES = ["ab".repeat(32), "cd".repeat(32)];

/** Returns pseudo-random whole numbers below a limit. */
function randomNumbers(seed: number): (below: number) => number {
  return (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
}

const updateOf = (change: Partial<PaymentUpdate>): PaymentUpdate => ({
  event: "e",
  type: "payment",
  at: new Date(NOW).toISOString(),
  payment: "p",
  amount: 700,
  currency: "USD",
  state: "succeeded",
  created_at: new Date(NOW).toISOString(),
  description: null,
  record: null,
  payer: { name: "Ada", email: null },
  refunded: null,
  ...change,
});

/** Applies random events to 90 payments of 100 days, and sometimes deletes the data of a record. */
async function applyRandom(kv: Deno.Kv, count: number, seed: number): Promise<void> {
  const random = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)];
  const data = paymentData({ kv, clock: () => NOW });
  for (let i = 0; i < count; i++) {
    const payment = random(90);
    const state = pick(["pending", "failed", "cancelled", "succeeded", "succeeded"] as const);
    const update = updateOf({
      event: `e${seed}-${i}`,
      at: new Date(NOW - random(1_000)).toISOString(),
      payment: `p${payment}`,
      amount: pick([0, 700, 12_500]),
      currency: pick(["USD", "JPY"]),
      state,
      created_at: new Date(NOW - random(100) * DAY_MS).toISOString(),
      description: pick([null, "Fee"]),
      record: pick([null, ...HASHES]),
      refunded: state === "succeeded" ? pick([null, 0, 300, 12_500]) : null,
    });
    await applyUpdate(kv, payment % 10 === 0 ? "foundation" : "commercial", update, NOW);
    if (i % 50 === 0) await data.deleteOf!(pick(HASHES));
  }
}

const noSignal = new AbortController().signal;

const QUERIES: PaymentQuery[] = [
  {},
  { currency: "JPY" },
  { status: "succeeded" },
  { status: "partially_refunded", currency: "USD" },
  { status: "failed" },
  { from: "2026-01-01", to: "2026-01-31" },
  { from: "2026-01-20", to: "2026-03-02" },
  { from: "2026-02-10", to: "2026-02-12" },
  { from: "2026-02-10" },
  { to: "2025-12-31", status: "succeeded" },
  { to: "2015-12-31" },
  { min: 7, max: 7 },
  { min: 8, currency: "JPY", status: "succeeded" },
  { max: 699.99, from: "2026-01-01" },
];

// At the second time, the payments until 2026-01-20 have expired.
const TIMES = [NOW, Date.parse("2026-01-20T12:00:00Z") + PAYMENT_LIFETIME_MS];

Deno.test("pages and totals are those of all payments that match, after random events", async () => {
  using kv = await openKv(":memory:");
  await applyRandom(kv, 400, 7);
  const read = (organisation: OrganisationKey, now: number) => readDays(kv, organisation, now);
  await compareAll(kv, "no day is computed", read);
  assert(await computeDays(kv, () => NOW, noSignal) > 50);
  assertEquals(await computeDays(kv, () => NOW, noSignal), 0);
  await compareAll(kv, "all days are computed", read);
  await applyRandom(kv, 40, 8);
  await compareAll(kv, "some days have changed", read);
});

const positionOf = (payment: Payment | undefined) =>
  payment && { at: payment.created_at, id: payment.id };

const dayOf = (time: string) => time.slice(0, 10);

/** Compares pages and totals with all payments that match, for all queries. */
async function compareAll(
  kv: Deno.Kv,
  state: string,
  daysOf: (organisation: OrganisationKey, now: number) => Promise<PaymentDay[]>,
): Promise<void> {
  for (const organisation of ["commercial", "foundation"] as const) {
    for (const now of TIMES) {
      const days = await daysOf(organisation, now);
      const live = await Array.fromAsync(readPayments(kv, organisation, {}, now));
      const any = live.length > 0;
      for (const filters of QUERIES) {
        const query: PaymentQuery = filters;
        const { from = "", to = "Z" } = query;
        const all = live.filter(paymentList.matcher(query)).filter(({ created_at }) =>
          dayOf(created_at) >= from && dayOf(created_at) <= to
        );
        assertEquals(await Array.fromAsync(readPayments(kv, organisation, query, now)), all);
        for (const page of [1, 2, 9]) {
          const first = (page - 1) * PAGE_SIZE;
          const after = positionOf(all[Math.min(first, all.length) - 1]);
          const list = await listPayments(kv, organisation, { ...query, after }, now, days);
          const name = JSON.stringify([state, organisation, now, { ...query, page }]);
          assertEquals(list.payments, all.slice(first, first + PAGE_SIZE), name);
          assertEquals([list.count, list.truncated, list.any], [all.length, false, any], name);
          if (page > 1) assertEquals(list.skipped, Math.min(first, all.length), name);
          if (list.payments.length === 0) continue;
          const before = positionOf(list.payments[0]);
          const back = await listPayments(kv, organisation, { ...query, before }, now, days);
          const start = Math.max(0, first - PAGE_SIZE);
          assertEquals(back.payments, all.slice(start, start + PAGE_SIZE), name);
          const byCurrency = Map.groupBy(all, ({ currency }) => currency);
          assertEquals(list.totals.length, byCurrency.size, name);
          for (const total of list.totals) checkTotal(total, byCurrency.get(total.currency)!, name);
        }
      }
    }
  }
}

Deno.test("a payment that changes while the totals of its day are computed is in the totals", async () => {
  using kv = raceKv(await openKv(":memory:"));
  const update = (event: string, amount: number) =>
    applyUpdate(kv, "commercial", updateOf({ event, payment: event, amount }), NOW);
  await update("e1", 700);
  kv.meanwhile("payment_days", () => update("e2", 50));
  assertEquals(await computeDays(kv, () => NOW, noSignal), 1);
  const read = () => readDays(kv, "commercial", NOW);
  const [{ day, groups: [{ count, received }] }] = await read();
  assertEquals([day, count, received], ["2026-03-15", 2, 750]);
  assertEquals(await Array.fromAsync(kv.list({ prefix: ["payment_days_changed"] })), []);
  const stored = await Array.fromAsync(kv.list<PaymentDay>({ prefix: ["payment_days"] }));
  assertEquals(stored.map(({ value: { groups } }) => groups[0].received), [750]);
});

function checkTotal(total: CurrencyTotal, payments: Payment[], name: string): void {
  const succeeded = payments.filter(({ state }) => state === "succeeded");
  const sumsOf = (payments: Payment[]) => ({
    received: payments.reduce((sum, { amount }) => sum + amount, 0),
    refunded: payments.reduce((sum, { refunded }) => sum + refunded, 0),
  });
  const { currency: _, count, days, ...sums } = total;
  assertEquals([count, sums], [payments.length, sumsOf(succeeded)], name);
  const byDay = Object.entries(
    Object.groupBy(succeeded, ({ created_at }) => created_at.slice(0, 10)),
  );
  assertEquals(
    Object.fromEntries(days),
    Object.fromEntries(byDay.map(([day, payments]) => [day, sumsOf(payments!)])),
    name,
  );
}

Deno.test("more payments with an amount than a page reads are marked as truncated, and the newest are listed", async () => {
  using kv = await openKv(":memory:");
  const rows = Array.from({ length: MAX_BY_AMOUNT + 1 }, (_, i): Payment => ({
    id: `p${i}`,
    created_at: new Date(NOW - i * 1_000).toISOString(),
    expires_at: new Date(NOW + DAY_MS).toISOString(),
    amount: 1,
    currency: "USD",
    state: "succeeded",
    refunded: 0,
    description: null,
    record: null,
    type: "payment",
    set_by: { state: { at: "", event: "" }, refunded: null, details: null },
  }));
  for (let start = 0; start < rows.length; start += 50) {
    const commit = kv.atomic();
    for (const row of rows.slice(start, start + 50)) {
      paymentRows.put(commit, ["commercial", row.created_at, row.id], row, NOW);
    }
    await commit.commit();
  }
  const read = (after?: Payment) =>
    listPayments(
      kv,
      "commercial",
      { after: positionOf(after), currency: "USD", min: 0.01 },
      NOW,
      [],
    );
  const list = await read();
  assertEquals([list.count, list.truncated, list.payments[0].id], [MAX_BY_AMOUNT, true, "p0"]);
  const commit = kv.atomic();
  paymentRows.deleteAt(commit, ["commercial", rows[0].created_at, rows[0].id], rows[0]);
  await commit.commit();
  const rest = await read(rows[MAX_BY_AMOUNT - PAGE_SIZE]);
  assertEquals([rest.count, rest.truncated, rest.payments.at(-1)?.id], [
    MAX_BY_AMOUNT,
    false,
    `p${MAX_BY_AMOUNT}`,
  ]);
});

Deno.test("the chart has a place for every day between two payments, and at most the last two years", () => {
  const sums = { received: 150, refunded: 50 };
  const labelsOf = (...days: string[]) => {
    const total = {
      currency: "USD",
      count: 2,
      ...sums,
      days: new Map(days.map((day) => [day, sums])),
    };
    return dailyChart(total).labels;
  };
  assertEquals(labelsOf("2026-03-02", "2026-02-27"), [
    "2026-02-27",
    "2026-02-28",
    "2026-03-01",
    "2026-03-02",
  ]);
  const long = labelsOf("9999-12-31", "0001-01-01");
  assertEquals([long.length, long[0], long.at(-1)], [731, "9997-12-31", "9999-12-31"]);
  assertEquals(labelsOf(), []);
});
