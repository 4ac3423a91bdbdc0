import { assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import type { PaymentUpdate } from "./event.ts";
import type { PaymentQuery } from "./filters.ts";
import {
  type CurrencyTotal,
  dailyChart,
  listPayments,
  MAX_READ,
  PAGE_SIZE,
  readPayments,
} from "./list.ts";
import {
  applyUpdate,
  type Payment,
  PAYMENT_LIFETIME_MS,
  paymentData,
  paymentRows,
} from "./store.ts";

const NOW = Date.parse("2026-03-15T12:00:00Z");
const HASHES = ["ab".repeat(32), "cd".repeat(32)];

/** Returns pseudo-random whole numbers below a limit. */
function randomNumbers(seed: number): (below: number) => number {
  return (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
}

/** Applies random events to 90 payments of 100 days, and sometimes deletes the data of a record. */
async function applyRandom(kv: Deno.Kv, count: number): Promise<void> {
  const random = randomNumbers(7);
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)];
  const data = paymentData({ kv, clock: () => NOW });
  for (let i = 0; i < count; i++) {
    const payment = random(90);
    const state = pick(["pending", "failed", "cancelled", "succeeded", "succeeded"] as const);
    const update: PaymentUpdate = {
      event: `e${i}`,
      type: "payment",
      at: new Date(NOW - random(1_000)).toISOString(),
      payment: `p${payment}`,
      amount: pick([0, 700, 12_500]),
      currency: pick(["USD", "JPY"]),
      state,
      created_at: new Date(NOW - random(100) * DAY_MS).toISOString(),
      description: pick([null, "Fee"]),
      record: pick([null, ...HASHES]),
      payer: { name: "Ada", email: null },
      refunded: state === "succeeded" ? pick([null, 0, 300, 12_500]) : null,
    };
    await applyUpdate(kv, payment % 10 === 0 ? "foundation" : "commercial", update, NOW);
    if (i % 50 === 0) await data.deleteOf!(pick(HASHES));
  }
}

Deno.test("pages and totals are those of all payments that match, after random events", async () => {
  using kv = await openKv(":memory:");
  await applyRandom(kv, 400);
  const queries: Partial<PaymentQuery>[] = [
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
  ];
  // In the last one, the payments until 2026-01-20 have expired.
  const times = [NOW, Date.parse("2026-01-20T12:00:00Z") + PAYMENT_LIFETIME_MS];
  for (const [i, organisation] of (["commercial", "foundation"] as const).entries()) {
    for (const now of times) {
      for (const filters of queries) {
        for (const page of [1, 2, 9]) {
          const query = { ...filters, page };
          const list = await listPayments(kv, organisation, query, now);
          const name = JSON.stringify([organisation, now, query]);
          const all = await Array.fromAsync(readPayments(kv, organisation, query, now));
          const first = (page - 1) * PAGE_SIZE;
          assertEquals(list.payments, all.slice(first, first + PAGE_SIZE), name);
          assertEquals([list.count, list.truncated, list.any], [all.length, false, true], name);
          const { count, totals, truncated } = list;
          const known = await listPayments(kv, organisation, query, now, {
            ...{ count, totals, truncated },
          });
          assertEquals(known, list, `${name} with known totals`);
          const byCurrency = Map.groupBy(all, ({ currency }) => currency);
          assertEquals(list.totals.length, byCurrency.size, name);
          for (const total of list.totals) checkTotal(total, byCurrency.get(total.currency)!, name);
        }
      }
    }
    const { count, totals } = await listPayments(kv, organisation, { page: 1 }, NOW);
    assertEquals([count, totals.length], [i === 0 ? 81 : 9, 2]);
  }
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

Deno.test("more payments than a page view reads are marked as truncated, and the newest are listed", async () => {
  using kv = await openKv(":memory:");
  const rows = Array.from({ length: MAX_READ + 1 }, (_, i): Payment => ({
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
  for (let start = 0; start < rows.length; start += 500) {
    const commit = kv.atomic();
    for (const row of rows.slice(start, start + 500)) {
      commit.set(paymentRows.key("commercial", row.created_at, row.id), row);
    }
    await commit.commit();
  }
  const list = await listPayments(kv, "commercial", { page: 1 }, NOW);
  assertEquals([list.count, list.truncated, list.payments[0].id], [MAX_READ, true, "p0"]);
  await kv.delete(paymentRows.key("commercial", rows[0].created_at, rows[0].id));
  const rest = await listPayments(kv, "commercial", { page: 400 }, NOW);
  assertEquals([rest.count, rest.truncated, rest.payments.at(-1)?.id], [
    MAX_READ,
    false,
    `p${MAX_READ}`,
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
