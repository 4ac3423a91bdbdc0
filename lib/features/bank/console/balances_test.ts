import { assertEquals } from "@std/assert";
import type { AccountTotals, DayTotal } from "../daily_totals.ts";
import { balancesOf } from "../balances.ts";
import type { TreasuryHistory } from "../treasury.ts";
import { DAY_MS } from "../../../base/time.ts";
import { monthFlow } from "./month_flow.ts";

const NOW = Date.parse("2026-03-31T12:00:00.000Z");
const ISO = new Date(NOW).toISOString();

const day = (day: string, into: bigint, out = 0n, transfers = 0n): DayTotal => ({
  day,
  in: into,
  out,
  transfers,
});
const totals = (days: DayTotal[], change: Partial<AccountTotals> = {}): AccountTotals => ({
  state: "live",
  read_at: ISO,
  first: "2026-01-01",
  days,
  ...change,
});

/** Creates a history of accounts, each with its balance and totals. */
const history = (
  accounts: [balance: number | null, totals: AccountTotals | null, status?: "restricted"][],
): TreasuryHistory => ({
  ok: true,
  cached_at: ISO,
  accounts: accounts.map(([balance, totals, status = "active" as const], i) => ({
    account: { id: String(i), nickname: "", kind: "checking", balance, last4: "1234", status },
    totals,
  })),
});

/** Returns the last balances of the total. */
const lastTotals = (accounts: Parameters<typeof history>[0], count: number) =>
  balancesOf(history(accounts), NOW).total.slice(-count);

Deno.test("balances are derived backwards from the current one, in cents", () => {
  const { days, total, accounts } = balancesOf(
    history([
      [0.3, totals([day("2026-03-29", 5n, -25n, -10n), day("2026-03-31", 10n)])],
      [100, totals([day("2026-03-31", 0n, -1n)])],
      [7, null, "restricted"],
    ]),
    NOW,
  );
  assertEquals([days.length, days[0], days[89]], [90, "2026-01-01", "2026-03-31"]);
  assertEquals(accounts[0].slice(-4), [50n, 20n, 20n, 30n]);
  assertEquals(total.slice(-4), [10_051n, 10_021n, 10_021n, 10_030n]);
  assertEquals(accounts[2].every((balance) => balance === null), true);
});

Deno.test("the same totals have other balances with another current one, and on another day", () => {
  const same = totals([day("2026-03-30", 5n)], { read_at: ISO });
  const lastOf = (balance: number, now = NOW) =>
    balancesOf(history([[balance, same]]), now).accounts[0].slice(-3);
  assertEquals(lastOf(1), [95n, 100n, 100n]);
  assertEquals(lastOf(1), [95n, 100n, 100n]);
  assertEquals(lastOf(2), [195n, 200n, 200n]);
  assertEquals(lastOf(2, NOW + DAY_MS), [200n, 200n, 200n]);
});

Deno.test("balances start on the day before the first known total", () => {
  const account = totals([day("2026-03-30", 1n)], { first: "2026-03-30" });
  assertEquals(lastTotals([[1, account]], 4), [null, 99n, 100n, 100n]);
});

Deno.test("without the history of one active account there is no total, unless the bank returned 404", () => {
  const known = totals([day("2026-03-31", 100n)]);
  const unavailable = totals([], { state: "unavailable", first: null, read_at: null });
  const notShared = { ...unavailable, state: "not_shared" as const };
  assertEquals(lastTotals([[1, known], [1, unavailable]], 2), [null, null]);
  assertEquals(lastTotals([[1, known], [null, known]], 2), [null, null]);
  assertEquals(lastTotals([[1, known], [1, notShared]], 2), [100n, 200n]);
  assertEquals(lastTotals([], 1), [null]);
});

Deno.test("stored totals are combined only with their own balance", () => {
  const stale = (ms: number) =>
    totals([day("2026-03-31", 100n)], {
      state: "stale",
      read_at: new Date(NOW - ms).toISOString(),
    });
  assertEquals(lastTotals([[1, stale(0)]], 2), [0n, 100n]);
  assertEquals(lastTotals([[1, stale(1)]], 2), [null, null]);
});

const flows = (days: DayTotal[], now = NOW, change: Partial<AccountTotals> = {}) =>
  monthFlow(history([[1, totals(days, change)], [1, null, "restricted"]]).accounts, now);

Deno.test("this month is compared with the same days of the last one", () => {
  const days = [
    day("2026-01-31", 1_000n),
    day("2026-02-01", 300n, -50n, 7n),
    day("2026-02-15", 40n),
    day("2026-03-01", 2n, -1n),
    day("2026-03-15", 0n, -5n, -9n),
  ];
  assertEquals(flows(days, Date.parse("2026-03-15T00:00:00Z")), {
    current: {
      first: "2026-03-01",
      last: "2026-03-15",
      flow: { in: 0.02, out: -0.06, net: -0.04 },
    },
    previous: {
      first: "2026-02-01",
      last: "2026-02-15",
      end: "2026-02-28",
      flow: { in: 3.4, out: -0.5, net: 2.9 },
      month: { in: 3.4, out: -0.5, net: 2.9 },
    },
  });
  const onThe14th = flows(days, Date.parse("2026-03-14T23:59:59Z"))!;
  assertEquals(onThe14th.current.flow.out, -0.01);
  assertEquals([onThe14th.previous!.flow.in, onThe14th.previous!.month.in], [3, 3.4]);
});

Deno.test("the last day of a month is compared with the last day of a shorter one", () => {
  const { previous } = flows([day("2026-02-28", 5n), day("2026-03-01", 9n)])!;
  assertEquals([previous!.last, previous!.flow.in], ["2026-02-28", 0.05]);
  const january = flows([day("2025-12-31", 5n)], Date.parse("2026-01-31T12:00:00Z"), {
    first: "2025-11-01",
  })!;
  assertEquals([january.previous!.first, january.previous!.flow.in], ["2025-12-01", 0.05]);
});

Deno.test("months that are not known from their first day are left out", () => {
  assertEquals(flows([], NOW, { first: "2026-02-02" })!.previous, null);
  assertEquals(flows([], NOW, { first: "2026-03-02" }), null);
  assertEquals(flows([], NOW, { state: "unavailable", first: null }), null);
  const later = NOW + DAY_MS; // the stored totals end in the month before
  assertEquals(flows([day("2026-03-31", 1n)], later, { state: "stale" })!.current.flow.in, 0);
});
