import { assertEquals } from "@std/assert";
import type { AccountTotals } from "../daily_totals.ts";
import type { TreasuryHistory } from "../treasury.ts";
import { account } from "../testing/memory_bank.ts";
import { balanceChange } from "./balance_change.ts";

const NOW = Date.parse("2026-03-15T12:00:00Z");
const READ = "2026-03-15T11:59:00.000Z";

const totals = (change: Partial<AccountTotals> = {}): AccountTotals => ({
  state: "live",
  read_at: READ,
  first: "2025-12-16",
  days: [
    { day: "2026-02-28", in: 500n, out: 0n, transfers: 0n },
    { day: "2026-03-01", in: 150n, out: -50n, transfers: 25n },
  ],
  ...change,
});

const history = (...changes: (Partial<AccountTotals> | null)[]): TreasuryHistory => ({
  ok: true,
  cached_at: READ,
  accounts: [
    ...changes.map((change, i) => ({
      account: account(`a${i}`, { balance: 10 }),
      totals: change && totals(change),
    })),
    { account: account("closed", { status: "restricted" }), totals: null },
  ],
});

Deno.test("by default, the change is that since the end of the month before", () => {
  const { since, issue, days, rows, total } = balanceChange(history({}, {}), "", NOW);
  assertEquals([since, issue], ["2026-02-28", null]);
  assertEquals(days, { first: "2025-12-16", last: "2026-03-14" });
  assertEquals(rows.map(({ before, change, now, href }) => [before, change, now, href]), [
    [8.75, 1.25, 10, "/console/finance/a0?start=2026-03-01&end=2026-03-15"],
    [8.75, 1.25, 10, "/console/finance/a1?start=2026-03-01&end=2026-03-15"],
  ]);
  assertEquals(total, { before: 17.5, change: 2.5, now: 20 });
});

Deno.test("a chosen day counts only later days", () => {
  assertEquals(balanceChange(history({}), "2026-02-27", NOW).total.change, 6.25);
  assertEquals(balanceChange(history({}), "2026-03-01", NOW).total.change, 0);
});

Deno.test("days that are not known, today and malformed days get a message instead of figures", () => {
  const issueOf = (day: string) => balanceChange(history({}), day, NOW).issue;
  assertEquals(
    issueOf("2025-12-15"),
    "The bank’s transactions are read for 90 days, so the first day that can be chosen is 16 Dec 2025.",
  );
  assertEquals(issueOf("2026-03-15"), "Choose a day before today.");
  assertEquals(issueOf("2026-02-30"), "Enter a date, such as 2026-01-31.");
  assertEquals(balanceChange(history({}), "2025-12-15", NOW).rows, []);
  const unknown = balanceChange(history({ state: "unavailable", first: null, days: [] }), "", NOW);
  assertEquals(unknown.issue, "The balances of earlier days are not known.");
});

Deno.test("an account whose transactions the bank does not share counts as unchanged, without a link", () => {
  const notShared = { state: "not_shared" as const, first: null, days: [] };
  const { rows, total } = balanceChange(history({}, notShared), "", NOW);
  assertEquals([rows[1].change, rows[1].href, total.change], [0, null, 1.25]);
});
