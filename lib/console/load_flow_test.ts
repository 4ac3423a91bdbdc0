import { assertEquals } from "@std/assert";
import { sumAmounts, type Transaction, type TransactionQuery } from "../bank/mod.ts";
import { loadFlow } from "./load_flow.ts";

/** A treasury whose account has so many transactions, an hour apart, the newest on 31 March. */
function treasuryOf(count: number, { largestPage = 500 } = {}) {
  const all: Transaction[] = Array.from({ length: count }, (_, i) => ({
    id: `t-${i}`,
    created_at: new Date(Date.parse("2026-03-31T23:30:00Z") - i * 3_600_000).toISOString(),
    posted_at: null,
    amount: 0.1,
    counterparty: "",
    kind: "other",
    status: "sent",
    note: null,
  }));
  const queries: TransactionQuery[] = [];
  return {
    all,
    queries,
    transactions(query: TransactionQuery) {
      queries.push(query);
      const { account_id, limit, offset } = query;
      const transactions = all.slice(offset, offset + Math.min(limit, largestPage));
      return Promise.resolve({ account_id, limit, offset, total: all.length, transactions });
    },
  };
}

const SPAN = { first: "2024-01-01", last: "2026-03-31" };

async function load(treasury: ReturnType<typeof treasuryOf>) {
  const flow = await loadFlow(treasury, "a1", SPAN);
  if ("code" in flow) throw new Error(flow.code);
  return flow;
}

Deno.test("of days to come nobody is asked", async () => {
  const treasury = treasuryOf(3);
  const span = { first: "2026-04-01", last: "2026-03-31" };
  assertEquals(await loadFlow(treasury, "a1", span), { days: [], cut: false });
  assertEquals(treasury.queries, []);
});

Deno.test("every page is read, also where the bank's are smaller than asked for", async () => {
  for (const largestPage of [500, 130]) {
    const treasury = treasuryOf(1_200, { largestPage });
    const { days, cut } = await load(treasury);
    assertEquals(cut, false);
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

Deno.test("what arrives while the pages are read is not counted twice", async () => {
  const treasury = treasuryOf(600);
  const { transactions } = treasury;
  treasury.transactions = (query) => {
    const answer = transactions(query);
    treasury.all.unshift({ ...treasury.all[0], id: `late-${treasury.queries.length}` });
    return answer;
  };
  const { days } = await load(treasury);
  assertEquals(sumAmounts(days.map(({ net }) => net)), 60);
});

Deno.test("after 5,000 transactions it ends, says so, and leaves out the day that is cut", async () => {
  const treasury = treasuryOf(5_010);
  const { days, cut } = await load(treasury);
  assertEquals([cut, treasury.queries.length], [true, 10]);
  assertEquals(days[0].net, 2.4);
  assertEquals(days.length, Math.floor(5_000 / 24));
});

Deno.test("without transactions there are no days; a bank that fails is told", async () => {
  assertEquals(await load(treasuryOf(0)), { days: [], cut: false });
  const failing = {
    transactions: () => Promise.resolve({ error: "rate_limited" as const, message: "" }),
  };
  assertEquals(await loadFlow(failing, "a1", SPAN), { code: "rate_limited" });
});
