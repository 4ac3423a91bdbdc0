import { assert, assertEquals } from "@std/assert";
import { unwrap } from "../../../platform/http/errors.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import type { Transaction } from "../provider.ts";
import { transactionQuery } from "../api.ts";
import { createTreasury } from "../treasury.ts";
import { createMemoryBank, transaction } from "../testing/memory_bank.ts";
import { HOUR_MS } from "../../../base/time.ts";
import { readLedger } from "./ledger.ts";

const NOW = Date.parse("2026-03-31T23:59:00Z");

/** Returns transactions an hour apart, the newest on 31 March. */
const hourly = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    transaction(`t-${i}`, {
      created_at: new Date(Date.parse("2026-03-31T23:30:00Z") - i * HOUR_MS).toISOString(),
    }));

/** Returns a bank with the account `a1`, and functions that read its ledger. */
async function setUp(transactions: Transaction[]) {
  const kv = await openKv(":memory:");
  const bank = Object.assign(createMemoryBank(), { transactions });
  const treasury = createTreasury({ surface: "commercial", provider: bank, kv, clock: () => NOW });
  const readResult = (filters: Record<string, string> = {}, id = "") => {
    const query = transactionQuery.parse({ account_id: "a1", ...filters });
    return readLedger(treasury, query, { now: NOW, transaction: id });
  };
  return {
    bank,
    readResult,
    read: async (...args: Parameters<typeof readResult>) =>
      unwrap(await readResult(...args)).ledger,
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a ledger has one page of the matching transactions, and totals of all of them", async () => {
  const all = hourly(2_400).map((one, i) => ({
    ...one,
    amount: i % 3 === 0 ? -0.7 : 0.1,
    kind: i % 4 === 0 ? "wireFee" : "other",
  }));
  const matching = all.filter(({ kind, amount }) => kind === "wireFee" && amount < 0);
  using fixture = await setUp(all);
  const filters = { kind: "wireFee", direction: "out", limit: "25", offset: "50" };
  const ledger = await fixture.read(filters, "t-1");
  assertEquals(ledger.rows, matching.slice(50, 75));
  assertEquals(ledger.count, 200);
  assertEquals(ledger.totals, { in: 0, out: -140, net: -140 });
  assertEquals(ledger.kinds, ["other", "wireFee"]);
  assertEquals(ledger.open, all[1]);
  assertEquals(ledger.chart.labels.length, 100);
  assertEquals([ledger.chart.labels[0], ledger.chart.labels.at(-1)], ["2025-12-22", "2026-03-31"]);
  assertEquals(ledger.chart.datasets[1].data.every((out) => out === -1.4), true);
});

Deno.test("only the transactions on the page and the open one are read whole", async () => {
  using fixture = await setUp(hourly(300));
  const filters = { kind: "other", limit: "25", offset: "50" };
  const { rows, count } = await fixture.read(filters, "t-1");
  assertEquals([rows[0].id, rows.length, count], ["t-50", 25, 300]);
  assertEquals(fixture.bank.reads, 26);
});

Deno.test("transactions that have not moved money are counted but not summed, unless selected", async () => {
  const states = ["pending", "failed", "undone", "unknown", "settled"] as const;
  using fixture = await setUp(
    hourly(5).map((one, i) => (
      { ...one, amount: 2 ** i, state: states[i], status: `is_${states[i]}` }
    )),
  );
  const ledger = await fixture.read();
  assertEquals([ledger.count, ledger.unmoved], [5, 3]);
  assertEquals(ledger.totals, { in: 24, out: 0, net: 24 });
  assertEquals(ledger.chart.datasets[2].data.at(-1), 24);
  const failed = await fixture.read({ status: "is_failed" });
  assertEquals([failed.count, failed.unmoved, failed.totals.in], [1, 0, 2]);
  assertEquals(failed.statuses.length, 5);
});

Deno.test("if the bank fails after its first page, the newest transactions are kept", async () => {
  using fixture = await setUp(hourly(2_500));
  fixture.bank.failFrom = 1_000;
  const ledger = await fixture.read();
  assertEquals([ledger.gap, ledger.count, ledger.rows.length], ["rate_limited", 1_000, 50]);
  assertEquals(ledger.chart.labels.length, 41, "without the incomplete day");
  fixture.bank.failFrom = 0;
  const result = await fixture.readResult();
  assert(!result.ok && result.error === "rate_limited");
});

Deno.test("without transactions, the chart is empty and the request had the dates", async () => {
  using fixture = await setUp([]);
  const dates = { start: "2026-03-01", end: "2026-03-31" };
  const ledger = await fixture.read({ ...dates, kind: "wireFee" });
  assertEquals([ledger.rows, ledger.count, ledger.chart.labels], [[], 0, []]);
  assertEquals(fixture.bank.requests, [{ ...dates, offset: 0 }]);
});

Deno.test("the chart has the days of the dates since the oldest transaction, up to today", async () => {
  using fixture = await setUp([
    transaction("new", { created_at: "2026-03-30T10:00:00.000Z" }),
    transaction("old", { created_at: "2026-03-20T10:00:00.000Z" }),
  ]);
  const cases: [filters: Record<string, string>, first: string, last: string][] = [
    [{}, "2026-03-20", "2026-03-31"],
    [{ start: "2026-03-01" }, "2026-03-20", "2026-03-31"],
    [{ start: "2026-03-25T12:00:00Z" }, "2026-03-30", "2026-03-31"],
    [{ end: "2026-03-29" }, "2026-03-20", "2026-03-29"],
    [{ end: "2030-01-01" }, "2026-03-20", "2026-03-31"],
  ];
  for (const [filters, first, last] of cases) {
    const { labels } = (await fixture.read(filters)).chart;
    assertEquals([labels[0], labels.at(-1)], [first, last], JSON.stringify(filters));
  }
});
