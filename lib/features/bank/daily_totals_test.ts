import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { createDailyTotals, dayBefore } from "./daily_totals.ts";
import type { Transaction } from "./provider.ts";
import { createMemoryBank, transaction } from "./testing/memory_bank.ts";

const NOW = Date.parse("2026-03-31T12:00:00.000Z");
const ACCOUNT = "account";
const never = new AbortController().signal;

/** A bank with one account, whose transactions and clock a test changes. */
async function setUp() {
  const kv = await openKv(":memory:");
  const bank = createMemoryBank({ largestPage: 500 });
  const state = Object.assign(bank, { now: NOW });
  const clock = () => state.now;
  const open = () => createDailyTotals({ kv, clock, scope: "a", provider: bank });
  const totals = open();
  let balanceAt = "";
  return {
    kv,
    state,
    /** Reads the totals of a new balance, to which no stored ones belong. */
    read(signal: AbortSignal | null = never) {
      balanceAt = new Date(state.now++).toISOString();
      return totals.read(ACCOUNT, balanceAt, signal);
    },
    /** Reads the totals of the last balance again, in this process or in another one. */
    readAgain: ({ read } = totals) => read(ACCOUNT, balanceAt, never),
    open,
    /** Returns the spans requested since the last call, each with its number of pages. */
    spans() {
      const requests = state.requests.splice(0);
      const spans = requests.map(({ start, end = "" }) => `${start}..${end}`);
      return [...Map.groupBy(spans, (span) => span)].map(([span, all]) => [span, all.length]);
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

let count = 0;
const moved = (day: string, amount: number, fields: Partial<Transaction> = {}): Transaction =>
  transaction(String(count++), {
    created_at: `${day}T10:00:00.000Z`,
    posted_at: `${day}T11:00:00.000Z`,
    amount,
    ...fields,
  });

Deno.test("amounts are summed by day in cents, and own transfers count as neither in nor out", async () => {
  using bank = await setUp();
  const day = "2026-03-30";
  bank.state.transactions = [
    moved(day, 0.1),
    moved(day, 0.2),
    moved(day, -70_000_000_000.07),
    moved(day, -5, { own_transfer: true }),
    moved(day, 8, { own_transfer: true }),
    ...(["pending", "failed", "undone"] as const).map((state) => moved(day, 99, { state })),
  ];
  const { state, days, first } = await bank.read();
  assertEquals([state, first], ["live", "2026-01-01"]);
  assertEquals(days, [{ day, in: 30n, out: -7_000_000_000_007n, transfers: 300n }]);
});

Deno.test("a transaction that is reversed after five days no longer counts", async () => {
  using bank = await setUp();
  const payment = moved("2026-03-30", -250.5);
  bank.state.transactions = [payment, moved("2026-03-30", 10)];
  assertEquals((await bank.read()).days[0].out, -25_050n);
  bank.state.now += 5 * DAY_MS;
  payment.state = "undone";
  const { days } = await bank.read();
  assertEquals(days, [{ day: "2026-03-30", in: 1_000n, out: 0n, transfers: 0n }]);
});

Deno.test("the first read covers 90 days, later reads the last 30 and the days that became final", async () => {
  using bank = await setUp();
  bank.state.transactions = [
    moved("2026-01-01", 1),
    moved("2026-02-01", 2),
    moved("2026-03-20", 3),
  ];
  const { days } = await bank.read();
  assertEquals(days.map((one) => one.in), [100n, 200n, 300n]);
  assertEquals(bank.spans(), [["2026-03-02..", 1], ["2026-01-01..2026-03-01", 1]]);
  await bank.read();
  assertEquals(bank.spans(), [["2026-03-02..", 1]]);

  bank.state.now += DAY_MS; // the oldest day leaves the history, and another one becomes certain
  assertEquals((await bank.read()).days.map((one) => one.in), [200n, 300n]);
  assertEquals(bank.spans(), [["2026-03-02..", 1]]);
  await bank.read();
  assertEquals(bank.spans(), [["2026-03-03..", 1]]);
});

Deno.test("a stored day that was less than 30 days old when read is read again 45 days later", async () => {
  using bank = await setUp();
  const payment = moved("2026-03-29", 7);
  bank.state.transactions = [payment];
  await bank.read();
  payment.state = "failed";
  bank.state.now += 45 * DAY_MS;
  assertEquals((await bank.read()).days, []);
});

Deno.test("too many transactions for one request are read in parts by the following requests", async () => {
  using bank = await setUp();
  const backfill = Array.from({ length: 60 }, (_, i) => dayBefore(NOW, 30 + i));
  bank.state.transactions = backfill.flatMap((day) =>
    Array.from({ length: 400 }, () => moved(day, 1))
  );
  const whole = new Map(backfill.map((day) => [day, 40_000n]));
  for (const [known, pages] of [[24, 20], [48, 20], [60, 10]]) {
    const { first, days } = await (known === 24 ? bank.read() : bank.readAgain());
    assertEquals(first, backfill[known - 1]);
    assertEquals(bank.spans().map(([, count]) => count), [1, pages]);
    assertEquals(days.map(({ day }) => day), backfill.slice(0, known).toReversed());
    for (const one of days) assertEquals(one.in, whole.get(one.day));
  }
  await bank.readAgain();
  assertEquals(bank.spans(), []);
});

Deno.test("more than 10,000 transactions in 30 days are counted from the first complete day", async () => {
  using bank = await setUp();
  bank.state.transactions = [0, 1, 2].flatMap((age) =>
    Array.from({ length: 4_000 }, () => moved(dayBefore(NOW, age), 1))
  );
  const { first, days } = await bank.read();
  assertEquals([first, days.length], ["2026-03-30", 2]);
  bank.spans();
  assertEquals((await bank.readAgain()).first, first);
  assertEquals(bank.spans(), [], "another read would reach no further");
});

Deno.test("while the bank fails, the stored totals are returned", async () => {
  using bank = await setUp();
  bank.state.failure = { error: "rate_limited" };
  const empty = await bank.read();
  assertEquals([empty.state, empty.error, empty.read_at], ["unavailable", "rate_limited", null]);

  bank.state.failure = null;
  bank.state.transactions = [moved("2026-03-30", 4)];
  const live = await bank.read();
  bank.state.now += HOUR_MS;
  bank.state.failure = { error: "network_error" };
  for (const signal of [never, null]) {
    const stale = await bank.read(signal);
    assertEquals([stale.state, stale.read_at], ["stale", live.read_at]);
    assertEquals(stale.days, live.days);
  }
  bank.state.failure = { error: "not_found" };
  assertEquals((await bank.read()).state, "not_shared");
});

Deno.test("a read that lacks days is repeated for the same balance", async () => {
  using bank = await setUp();
  bank.state.transactions = [moved("2026-01-01", 1), moved("2026-03-20", 2)];
  const { getTransactions } = bank.state;
  bank.state.getTransactions = (id, options, signal) =>
    options?.end === undefined
      ? getTransactions(id, options, signal)
      : Promise.resolve({ error: "rate_limited" });
  assertEquals((await bank.read()).first, "2026-03-02");
  bank.state.getTransactions = () => Promise.resolve({ error: "network_error" });
  assertEquals((await bank.readAgain()).state, "stale");
  bank.state.getTransactions = getTransactions;
  const { state, first, days } = await bank.readAgain();
  assertEquals([state, first, days.length], ["live", "2026-01-01", 2]);
});

Deno.test("a slow read for an earlier balance takes nothing from a later one", async () => {
  using bank = await setUp();
  bank.state.transactions = [moved("2026-01-01", 1)];
  const { getTransactions } = bank.state;
  const [asked, sending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  bank.state.getTransactions = async (...request) => {
    const sent = await getTransactions(...request);
    asked.resolve();
    await sending.promise;
    return sent;
  };
  const earlier = bank.read();
  await asked.promise;
  bank.state.getTransactions = getTransactions;
  const later = await bank.read();
  sending.resolve();
  assert((await earlier).read_at! < later.read_at!);
  bank.spans();
  assertEquals(await bank.readAgain(), later);
  assertEquals(await bank.readAgain(bank.open()), later);
  assertEquals(bank.spans(), []);
});

Deno.test("totals are read once for each balance, and have what was posted until then", async () => {
  using bank = await setUp();
  const soon = new Date(NOW + MINUTE_MS).toISOString();
  bank.state.transactions = [
    moved("2026-01-01", 2),
    moved("2026-03-31", 1),
    moved("2026-03-31", -2.5, { posted_at: soon }),
    moved("2026-03-31", 7, { created_at: soon }),
    moved("2026-03-31", 9, { posted_at: null, state: "pending" }),
  ];
  const first = await bank.read();
  assertEquals(first.days.map((one) => one.in + one.out), [200n, 100n]);
  assertEquals(bank.spans().length, 2);

  bank.state.now += 10 * MINUTE_MS;
  bank.state.transactions.push(moved("2026-03-30", 5));
  assertEquals(await bank.readAgain(), first);
  const other = bank.open();
  assertEquals(await bank.readAgain(other), first);
  await bank.kv.delete(["bank_daily", "a", ACCOUNT]);
  assertEquals(await bank.readAgain(other), first, "each process keeps the totals");
  bank.state.now += 12 * HOUR_MS; // on the next day, the first one is no longer part of 90 days
  assertEquals((await bank.readAgain()).days, first.days.slice(1));
  assertEquals(bank.spans(), []);

  const { days } = await bank.read();
  assertEquals(days.map((one) => one.in + one.out), [500n, 550n]);
});

Deno.test("only days and sums are stored", async () => {
  using bank = await setUp();
  bank.state.transactions = [moved("2026-03-30", 4)];
  await bank.read();
  const [stored] = await valuesOf(bank.kv, "bank_daily") as Record<string, unknown>[];
  assertEquals(Object.keys(stored).sort(), ["days", "expires_at", "first", "read_at"]);
  assertEquals(stored.days, [{ day: "2026-03-30", in: 400n, out: 0n, transfers: 0n }]);
});

Deno.test("an account id that is too long for a key reads nothing", async () => {
  using kv = await openKv(":memory:");
  const provider = createMemoryBank();
  const totals = createDailyTotals({ kv, clock: () => NOW, scope: "a", provider });
  assertEquals((await totals.read("x".repeat(3_000), "", never)).state, "unavailable");
  assertEquals(provider.requests, []);
});
