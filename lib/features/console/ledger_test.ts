import { assert, assertEquals } from "@std/assert";
import { transactionQuery } from "../bank/mod.ts";
import { unwrap } from "../../platform/http/errors.ts";
import { HOUR_MS } from "../../base/time.ts";
import { readLedger } from "./ledger.ts";
import { listTreasury, transaction } from "./testing/list_treasury.ts";

const NOW = Date.parse("2026-03-31T23:59:00Z");

/** Returns transactions an hour apart, the newest on 31 March. */
const hourly = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    transaction({
      id: `t-${i}`,
      created_at: new Date(Date.parse("2026-03-31T23:30:00Z") - i * HOUR_MS).toISOString(),
    }));

const read = async (
  treasury: ReturnType<typeof listTreasury>,
  filters: Record<string, string> = {},
  id = "",
) => {
  const query = transactionQuery.parse({ account_id: "a1", ...filters });
  return unwrap(await readLedger(treasury, query, { now: NOW, transaction: id })).ledger;
};

Deno.test("a ledger has one page of the matching transactions, and totals of all of them", async () => {
  const all = hourly(2_400).map((one, i) => ({
    ...one,
    amount: i % 3 === 0 ? -0.7 : 0.1,
    kind: i % 4 === 0 ? "wireFee" : "other",
  }));
  const matching = all.filter(({ kind, amount }) => kind === "wireFee" && amount < 0);
  const ledger = await read(
    listTreasury(all),
    { kind: "wireFee", direction: "out", limit: "25", offset: "50" },
    "t-1",
  );
  assertEquals(ledger.rows, matching.slice(50, 75));
  assertEquals(ledger.count, 200);
  assertEquals(ledger.totals, { in: 0, out: -140, net: -140 });
  assertEquals(ledger.kinds, ["other", "wireFee"]);
  assertEquals(ledger.open, all[1]);
  assertEquals(ledger.chart.labels.length, 100);
  assertEquals([ledger.chart.labels[0], ledger.chart.labels.at(-1)], ["2025-12-22", "2026-03-31"]);
  assertEquals(ledger.chart.datasets[1].data.every((out) => out === -1.4), true);
});

Deno.test("transactions that have not moved money are counted but not summed, unless selected", async () => {
  const statuses = ["pending", "failed", "cancelled", "reversed", "blocked", "settled", "sent"];
  const all = hourly(7).map((one, i) => ({ ...one, amount: 2 ** i, status: statuses[i] }));
  const ledger = await read(listTreasury(all));
  assertEquals([ledger.count, ledger.unmoved], [7, 5]);
  assertEquals(ledger.totals, { in: 96, out: 0, net: 96 });
  assertEquals(ledger.chart.datasets[2].data.at(-1), 96);
  const failed = await read(listTreasury(all), { status: "failed" });
  assertEquals([failed.count, failed.unmoved, failed.totals.in], [1, 0, 2]);
  assertEquals(failed.statuses.length, 7);
});

Deno.test("if the bank fails after its first page, the newest transactions are kept", async () => {
  const treasury = listTreasury(hourly(2_500));
  treasury.failFrom = 1_000;
  const ledger = await read(treasury);
  assertEquals([ledger.gap, ledger.count, ledger.rows.length], ["rate_limited", 1_000, 50]);
  assertEquals(ledger.chart.labels.length, 41, "without the incomplete day");
  treasury.failFrom = 0;
  const query = transactionQuery.parse({ account_id: "a1" });
  const result = await readLedger(treasury, query, { now: NOW });
  assert(!result.ok && result.error === "rate_limited");
});

Deno.test("without transactions, the chart is empty and each request had the dates", async () => {
  const treasury = listTreasury([]);
  const ledger = await read(treasury, { start: "2026-03-01", end: "2026-03-31", kind: "wireFee" });
  assertEquals([ledger.rows, ledger.count, ledger.chart.labels], [[], 0, []]);
  assertEquals(treasury.queries, [{
    account_id: "a1",
    start: "2026-03-01",
    end: "2026-03-31",
    limit: 1_000,
    offset: 0,
  }]);
});
