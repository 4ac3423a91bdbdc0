import { assertEquals } from "@std/assert";
import { sumAmounts, type Transaction, type TransactionQuery } from "../bank/mod.ts";
import { unwrap } from "../http/errors.ts";
import { HOUR_MS } from "../time.ts";
import { dailyFlow, flowChart, flowSpan, loadFlow } from "./flow.ts";

const moved = (created_at: string, amount: number, status = "sent") => ({
  created_at,
  amount,
  status,
});
const MARCH = { first: "2026-03-01", last: "2026-03-03" };

Deno.test("days begin and end at midnight UTC", () => {
  const flow = dailyFlow([
    moved("2026-02-28T23:59:59.999Z", 1),
    moved("2026-03-01T00:00:00.000Z", 2),
    moved("2026-03-01T23:59:59.999Z", 4),
    moved("2026-03-02T01:00:00+02:00", 8), // 23:00 of the first in UTC
    moved("2026-03-02T00:00:00Z", 16),
    moved("2026-03-04T00:00:00Z", 32),
  ], MARCH);
  assertEquals(flow, [
    { day: "2026-03-01", in: 14, out: 0, net: 14 },
    { day: "2026-03-02", in: 16, out: 0, net: 16 },
    { day: "2026-03-03", in: 0, out: 0, net: 0 },
  ]);
});

Deno.test("sums do not drift, and outgoing money is negative", () => {
  const [day] = dailyFlow([
    ...Array.from({ length: 10 }, () => moved("2026-03-01T10:00:00Z", 0.1)),
    ...Array.from({ length: 3 }, () => moved("2026-03-01T11:00:00Z", -0.7)),
  ], { first: "2026-03-01", last: "2026-03-01" });
  assertEquals(day, { day: "2026-03-01", in: 1, out: -2.1, net: -1.1 });
});

Deno.test("unsettled transactions are skipped, but unknown statuses are counted", () => {
  for (const status of ["pending", "failed", "cancelled", "reversed", "blocked"]) {
    const [day] = dailyFlow([moved("2026-03-01T10:00:00Z", 5, status)], MARCH);
    assertEquals(day, { day: "2026-03-01", in: 0, out: 0, net: 0 }, status);
  }
  const [day] = dailyFlow([moved("2026-03-01T10:00:00Z", 5, "settled")], MARCH);
  assertEquals(day.net, 5);
});

Deno.test("every day is returned, including leap days and daylight saving changes", () => {
  const days = dailyFlow([], { first: "2024-02-27", last: "2024-04-02" });
  assertEquals(days.length, 36);
  assertEquals(days[2].day, "2024-02-29");
  assertEquals(days.at(-1)!.day, "2024-04-02");
});

Deno.test("a span that ends before it starts has no days", () => {
  assertEquals(dailyFlow([], { first: "2026-03-02", last: "2026-03-01" }), []);
});

Deno.test("flowChart() returns the in, out and net series", () => {
  const chart = flowChart(dailyFlow([moved("2026-03-02T10:00:00Z", -5)], MARCH));
  assertEquals(chart, {
    labels: ["2026-03-01", "2026-03-02", "2026-03-03"],
    datasets: [
      { label: "In", data: [0, 0, 0] },
      { label: "Out", data: [0, -5, 0] },
      { label: "Net", data: [0, -5, 0] },
    ],
  });
});

/** Returns a treasury with transactions an hour apart, the newest on 31 March. */
function treasuryOf(count: number, { largestPage = 500 } = {}) {
  const all: Transaction[] = Array.from({ length: count }, (_, i) => ({
    id: `t-${i}`,
    created_at: new Date(Date.parse("2026-03-31T23:30:00Z") - i * HOUR_MS).toISOString(),
    posted_at: null,
    amount: 0.1,
    counterparty: "",
    kind: "other",
    status: "sent",
    note: null,
    description: null,
    memo: null,
    expected_at: null,
    failed_at: null,
    failure_reason: null,
    bank_url: null,
  }));
  const queries: TransactionQuery[] = [];
  return {
    all,
    queries,
    transactions(query: TransactionQuery) {
      queries.push(query);
      const { account_id, limit, offset } = query;
      const transactions = all.slice(offset, offset + Math.min(limit, largestPage));
      const page = { account_id, limit, offset, total: all.length, transactions };
      return Promise.resolve({ ok: true as const, page });
    },
  };
}

const SPAN = { first: "2024-01-01", last: "2026-03-31" };

const load = async (treasury: ReturnType<typeof treasuryOf>) =>
  unwrap(await loadFlow(treasury, "a1", SPAN));

Deno.test("a span in the future makes no request", async () => {
  const treasury = treasuryOf(3);
  const span = { first: "2026-04-01", last: "2026-03-31" };
  assertEquals(await loadFlow(treasury, "a1", span), { ok: true, days: [], truncated: false });
  assertEquals(treasury.queries, []);
});

Deno.test("every page is read, even if the bank returns fewer rows than requested", async () => {
  for (const largestPage of [500, 130]) {
    const treasury = treasuryOf(1_200, { largestPage });
    const { days, truncated } = await load(treasury);
    assertEquals(truncated, false);
    assertEquals(sumAmounts(days.map(({ net }) => net)), 120);
    assertEquals(days.length, 50);
    assertEquals(days[0].day, "2026-02-10");
    assertEquals(treasury.queries[0], {
      account_id: "a1",
      start: SPAN.first,
      end: SPAN.last,
      limit: 500,
      offset: 0,
    });
  }
});

Deno.test("transactions that arrive between pages are not counted twice", async () => {
  const treasury = treasuryOf(600);
  const { transactions } = treasury;
  treasury.transactions = (query) => {
    const result = transactions(query);
    treasury.all.unshift({ ...treasury.all[0], id: `late-${treasury.queries.length}` });
    return result;
  };
  const { days } = await load(treasury);
  assertEquals(sumAmounts(days.map(({ net }) => net)), 60);
});

Deno.test("after 5,000 transactions, reading stops and the incomplete day is dropped", async () => {
  const treasury = treasuryOf(5_010);
  const { days, truncated } = await load(treasury);
  assertEquals([truncated, treasury.queries.length], [true, 10]);
  assertEquals(days[0].net, 2.4);
  assertEquals(days.length, Math.floor(5_000 / 24));
});

Deno.test("without transactions there are no days; a failure is returned", async () => {
  assertEquals(await load(treasuryOf(0)), { ok: true, days: [], truncated: false });
  const failure = { ok: false, error: "rate_limited", message: "" } as const;
  const failing = { transactions: () => Promise.resolve(failure) };
  assertEquals(await loadFlow(failing, "a1", SPAN), failure);
});

Deno.test("flowSpan() returns the filters' days up to today, or all days without filters", () => {
  const now = Date.parse("2026-03-10T22:00:00Z");
  const span = (start?: string, end?: string) => flowSpan({ start, end }, now);
  assertEquals(span(), { first: "2000-01-01", last: "2026-03-10" });
  assertEquals(span("2026-01-05"), { first: "2026-01-05", last: "2026-03-10" });
  assertEquals(span("2026-01-05", "2026-02-01"), { first: "2026-01-05", last: "2026-02-01" });
  assertEquals(span("2026-01-05", "2030-01-01"), { first: "2026-01-05", last: "2026-03-10" });
  assertEquals(span(undefined, "2025-12-31"), { first: "2000-01-01", last: "2025-12-31" });
});
