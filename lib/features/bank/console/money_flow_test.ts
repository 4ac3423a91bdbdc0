import { assertEquals } from "@std/assert";
import { unwrap } from "../../../platform/http/errors.ts";
import { openKv, rulesOf } from "../../../platform/kv/mod.ts";
import { account, createMemoryBank, transaction } from "../testing/memory_bank.ts";
import type { Transaction } from "../provider.ts";
import { createTreasury } from "../treasury.ts";
import { HOUR_MS } from "../../../base/time.ts";
import { flowList, flowPresets, groupLinks, readFlowFilters, readMoneyFlow } from "./money_flow.ts";

const NOW = Date.parse("2026-03-15T12:00:00Z");

/** Returns a function that reads the flow of a bank with two accounts, which have the same transactions. */
async function setUp(transactions: Transaction[]) {
  const kv = await openKv(":memory:");
  const bank = Object.assign(createMemoryBank({ largestPage: 20 }), {
    accounts: [account("a1"), account("closed", { status: "restricted" }), account("a2")],
    transactions,
  });
  const treasury = createTreasury({ surface: "commercial", provider: bank, kv, clock: () => NOW });
  const readResult = (filters: Record<string, string> = {}) => {
    const url = new URL(`https://ops.example/?${new URLSearchParams(filters)}`);
    return readMoneyFlow(treasury, readFlowFilters(url, NOW).query!);
  };
  return {
    bank,
    rules: rulesOf(kv),
    readResult,
    read: async (filters?: Record<string, string>) => unwrap(await readResult(filters)).flow,
    [Symbol.dispose]: () => kv.close(),
  };
}

const at = (hours: number) => new Date(NOW - hours * HOUR_MS).toISOString();

const made = [
  transaction("t-1", { created_at: at(1), amount: 0.1, counterparty: "Ada", kind: "wire" }),
  transaction("t-2", { created_at: at(2), amount: 0.2, counterparty: "Ada", kind: "other" }),
  transaction("t-3", { created_at: at(3), amount: -9, counterparty: " ", kind: "wire" }),
  transaction("t-4", { created_at: at(4), amount: -1, counterparty: "Bo", kind: "other" }),
  transaction("t-5", { created_at: at(5), amount: 50, own_transfer: true }),
  transaction("t-6", { created_at: at(6), amount: 60, state: "pending" }),
  transaction("t-7", { created_at: "2026-02-28T23:59:59.000Z", amount: 70 }),
];

Deno.test("the flow of two accounts reads one row of the store, the list of accounts", async () => {
  using fixture = await setUp(made);
  await fixture.read();
  const tables: unknown[] = [];
  fixture.rules.onRead = (keys) => tables.push(...keys.map(([table]) => table));
  assertEquals((await fixture.read()).count, 8);
  assertEquals(tables, ["bank_cache"]);
});

Deno.test("a page of a flow has 25 transactions and reads the details of none", async () => {
  const many = Array.from({ length: 70 }, (_, i) => transaction(`t-${i}`, { created_at: at(i) }));
  using fixture = await setUp(many);
  const { rows, count } = await fixture.read();
  assertEquals([count, rows.length, fixture.bank.reads], [140, 25, 0]);
});

Deno.test("the flow of this month sums settled transactions of active accounts, without own transfers", async () => {
  using fixture = await setUp(made);
  const { total, count, rows, kinds, counterparties } = await fixture.read();
  assertEquals([total, count], [{ in: 0.6, out: -20, net: -19.4 }, 8]);
  assertEquals(rows.map(({ id, account }) => `${id} ${account.id}`), [
    "t-1 a1",
    "t-1 a2",
    "t-2 a1",
    "t-2 a2",
    "t-3 a1",
    "t-3 a2",
    "t-4 a1",
    "t-4 a2",
  ]);
  assertEquals(counterparties, [
    { name: "Not named", count: 2, in: 0, out: -18, net: -18 },
    { name: "Bo", count: 2, in: 0, out: -2, net: -2 },
    { name: "Ada", count: 4, in: 0.6, out: 0, net: 0.6 },
  ]);
  assertEquals(kinds, [
    { name: "wire", count: 4, in: 0.2, out: -18, net: -17.8 },
    { name: "other", count: 4, in: 0.4, out: -2, net: -1.6 },
  ]);
});

Deno.test("each group's link leads to exactly its transactions", async () => {
  using fixture = await setUp(made);
  const all = await fixture.read();
  for (const name of ["counterparty", "kind"] as const) {
    for (const group of name === "kind" ? all.kinds : all.counterparties) {
      const href = groupLinks({ start: "2026-03-01", offset: 0, [name]: "Another" }, name)(
        group.name,
      );
      const found = await fixture.read(
        Object.fromEntries(new URL(href, "https://ops.example").searchParams),
      );
      const { in: into, out, net, count } = group;
      assertEquals([found.total, found.count], [{ in: into, out, net }, count], href);
    }
  }
});

Deno.test("pages have 25 transactions of all accounts, newest first", async () => {
  const hourly = Array.from(
    { length: 60 },
    (_, i) => transaction(`t-${i}`, { created_at: at(i), amount: 1 }),
  );
  using fixture = await setUp(hourly);
  const pages = await Promise.all(
    ["0", "25", "50", "75", "100", "125"].map((offset) => fixture.read({ offset })),
  );
  assertEquals(pages.map(({ rows, total }) => [rows.length, total.in]), [
    [25, 120],
    [25, 120],
    [25, 120],
    [25, 120],
    [20, 120],
    [0, 120],
  ]);
  assertEquals(pages[4].rows.at(-1)!.id, "t-59");
  assertEquals(new Set(pages.flatMap(({ rows }) => rows.map((one) => one.id))).size, 60);
});

Deno.test("a group's link has the other filters, and its name as it is", () => {
  const query = { start: "2026-03-01", account: "a1", kind: "wire", offset: 50 };
  const names = ["Ada & Bo", "#1 100%?+ ü", "half \ud83d"];
  for (const name of names) {
    const { pathname, searchParams } = new URL(
      groupLinks(query, "counterparty")(name),
      "https://x",
    );
    assertEquals([pathname, Object.fromEntries(searchParams)], [flowList.path, {
      start: "2026-03-01",
      account: "a1",
      kind: "wire",
      counterparty: name.toWellFormed(),
    }]);
  }
  assertEquals(groupLinks({ offset: 0 }, "kind")("wire"), `${flowList.path}?kind=wire`);
});

Deno.test("a failure of the bank fails the flow, and the error of an account that is not shared does not", async () => {
  using fixture = await setUp(made);
  await fixture.read();
  fixture.bank.failure = { error: "rate_limited" };
  const failed = await fixture.readResult();
  assertEquals(!failed.ok && failed.error, "rate_limited");
  fixture.bank.failure = { error: "not_found" };
  assertEquals((await fixture.read()).count, 0);
});

Deno.test("flowPresets() returns yesterday, two months and the ranges up to today", () => {
  assertEquals(flowPresets(NOW).map(({ text, start, end }) => [text, start, end]), [
    ["Yesterday", "2026-03-14", "2026-03-14"],
    ["This month", "2026-03-01", "2026-03-15"],
    ["Last month", "2026-02-01", "2026-02-28"],
    ["7 days", "2026-03-09", "2026-03-15"],
    ["30 days", "2026-02-14", "2026-03-15"],
    ["90 days", "2025-12-16", "2026-03-15"],
    ["This year", "2026-01-01", "2026-03-15"],
  ]);
});
