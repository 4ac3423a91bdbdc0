import { assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import type { PaymentUpdate } from "./event.ts";
import type { PaymentQuery } from "./filters.ts";
import { listPayments, PAGE_SIZE, readPayments } from "./list.ts";
import { applyUpdate, type Payment, PAYMENT_LIFETIME_MS, paymentData } from "./store.ts";

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
      refunded: state === "succeeded" ? pick([null, 0, 300, 12_500]) : null,
    };
    await applyUpdate(kv, payment % 10 === 0 ? "foundation" : "commercial", update, NOW);
    if (i % 50 === 0) await data.deleteOf!(pick(HASHES));
  }
}

Deno.test("the counted totals and pages are those of reading every payment, after random events", async () => {
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
          const counted = await listPayments(kv, organisation, query, now);
          // A filter by amount reads every payment.
          const read = await listPayments(kv, organisation, { ...query, min: 0 }, now);
          const name = JSON.stringify([organisation, now, query]);
          assertEquals(sorted(counted), sorted(read), name);
          const all = await Array.fromAsync(readPayments(kv, organisation, query, now));
          assertEquals(counted.count, all.length, name);
          const first = (page - 1) * PAGE_SIZE;
          assertEquals(counted.payments, all.slice(first, first + PAGE_SIZE), name);
        }
      }
    }
    const { count, totals } = await listPayments(kv, organisation, { page: 1 }, NOW);
    assertEquals([count, totals.length], [i === 0 ? 81 : 9, 2]);
  }
});

/** Sorts currencies and months, whose order may differ where the numbers are equal. */
const sorted = (list: Awaited<ReturnType<typeof listPayments>>) => ({
  ...list,
  totals: list.totals.map((total) => ({ ...total, months: Object.fromEntries(total.months) }))
    .sort((a, b) => a.currency.localeCompare(b.currency)),
});

Deno.test("a page of payments reads as many rows as it shows, and a later one skips months", async () => {
  using kv = await openKv(":memory:");
  for (let i = 0; i < 3 * PAGE_SIZE; i++) {
    const created_at = new Date(Date.UTC(2026, Math.floor(i / PAGE_SIZE), 1, 0, 0, i % PAGE_SIZE));
    await applyUpdate(kv, "commercial", {
      event: `e${i}`,
      type: "payment",
      at: created_at.toISOString(),
      payment: `p${i}`,
      amount: 100,
      currency: "USD",
      state: "succeeded",
      created_at: created_at.toISOString(),
      description: null,
      record: null,
      refunded: null,
    }, NOW);
  }
  const batches: unknown[] = [];
  const { list } = kv;
  kv.list = (selector, options) => {
    const iterator = list.call(kv, selector, options) as Deno.KvListIterator<Payment>;
    const next = iterator.next.bind(iterator);
    iterator.next = async () => {
      const result = await next();
      if (!result.done && result.value.key[0] === "payments") {
        const month = result.value.value.created_at.slice(0, 7);
        batches.push(`${month}, at most ${options?.batchSize}`);
      }
      return result;
    };
    return iterator as Deno.KvListIterator<never>;
  };
  for (const [i, month] of ["2026-03", "2026-02", "2026-01"].entries()) {
    batches.length = 0;
    const { payments } = await listPayments(kv, "commercial", { page: i + 1 }, NOW);
    assertEquals([payments.length, payments[0].id], [PAGE_SIZE, `p${(3 - i) * PAGE_SIZE - 1}`]);
    assertEquals(batches, Array(PAGE_SIZE).fill(`${month}, at most ${PAGE_SIZE}`));
  }
});
