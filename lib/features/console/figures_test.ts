import { assert, assertEquals, assertNotEquals, assertStrictEquals } from "@std/assert";
import type { AccountHistory, DayTotal, Treasury, TreasuryHistory } from "../bank/mod.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import { figuresOf } from "./figures.ts";

const NOW = Date.parse("2026-03-31T12:00:00.000Z");
const newTreasury = () => ({}) as Treasury;

const historyOf = (change: (first: AccountHistory) => unknown = () => {}): TreasuryHistory => {
  const accounts = [1, 2].map((id): AccountHistory => ({
    account: {
      id: `${id}`,
      nickname: "",
      kind: "checking",
      balance: 100 * id,
      last4: "1234",
      status: "active",
    },
    totals: {
      state: "live",
      read_at: new Date(NOW).toISOString(),
      first: "2026-01-01",
      days: [
        { day: "2026-03-01", in: 10n, out: -4n, transfers: 0n },
        { day: "2026-03-29", in: 5n, out: -25n, transfers: -10n },
      ],
      newest: [],
      since: 0n,
    },
  }));
  change(accounts[0]);
  return { ok: true, cached_at: new Date(NOW).toISOString(), accounts };
};

const setDay = (change: Partial<DayTotal>) => ({ totals }: AccountHistory) =>
  totals!.days[1] = { ...totals!.days[1], ...change };
const CHANGES: Record<string, (first: AccountHistory) => unknown> = {
  "a balance": ({ account }) => account.balance = 1,
  "a status": ({ account }) => account.status = "restricted",
  "the state of totals": ({ totals }) => totals!.state = "not_shared",
  "the first known day": ({ totals }) => totals!.first = "2026-03-10",
  "a later transaction": ({ totals }) => totals!.since = 7n,
  "a further day": ({ totals }) =>
    totals!.days.push({ day: "2026-03-30", in: 1n, out: 0n, transfers: 0n }),
  "the date of a day": setDay({ day: "2026-03-28" }),
  "the income of a day": setDay({ in: 6n }),
  "the expenses of a day": setDay({ out: 0n }),
  "the transfers of a day": setDay({ transfers: 1n }),
  "no totals": (first) => first.totals = null,
};

for (const [name, change] of Object.entries(CHANGES)) {
  Deno.test(`figures are derived again after a change of ${name}`, () => {
    const treasury = newTreasury();
    const before = structuredClone(figuresOf(treasury, historyOf(), NOW));
    const after = figuresOf(treasury, historyOf(change), NOW);
    assertEquals(after, figuresOf(newTreasury(), historyOf(change), NOW));
    assertNotEquals(after, before);
  });
}

Deno.test("figures are derived again when stale totals are too old for the balance", () => {
  const treasury = newTreasury();
  const stale = (at: number) =>
    historyOf(({ totals }) => {
      Object.assign(totals!, { state: "stale", read_at: new Date(at).toISOString() });
    });
  assertEquals(figuresOf(treasury, stale(NOW), NOW).accounts[0].length, 90);
  assertEquals(figuresOf(treasury, stale(NOW - HOUR_MS), NOW).accounts[0].length, 0);
});

Deno.test("figures of an equal history are kept until the next day, for each treasury", () => {
  const treasury = newTreasury();
  const figures = figuresOf(treasury, historyOf(), NOW);
  assertStrictEquals(figuresOf(treasury, historyOf(), NOW + HOUR_MS), figures);
  assert(figuresOf(newTreasury(), historyOf(), NOW) !== figures);
  const more = historyOf();
  more.accounts.push(more.accounts[0]);
  assertEquals(figuresOf(treasury, more, NOW).accounts.length, 3);
  const tomorrow = figuresOf(treasury, historyOf(), NOW + DAY_MS);
  assertEquals(tomorrow.trend.days.at(-1), "2026-04-01");
});
