import { assertEquals } from "@std/assert";
import { transactionQuery } from "./api.ts";
import { transactionList } from "./filters.ts";
import type { Transaction } from "./provider.ts";
import { transaction } from "./testing/memory_bank.ts";

const payment = (fields: Partial<Transaction> = {}) =>
  transaction("t1", {
    amount: -1234.5,
    kind: "outgoingPayment",
    counterparty: "Café Meridian",
    note: "Retainer for March",
    ...fields,
  });

const matches = (filters: Record<string, string>, change?: Partial<Transaction>) =>
  transactionList.matcher(transactionQuery.parse({ account_id: "a", ...filters }))(payment(change));

const CASES: [filters: Record<string, string>, matched: boolean, change?: Partial<Transaction>][] =
  [
    [{}, true],
    [{ search: "cafe" }, true],
    [{ search: "MÉRIDIAN" }, true],
    [{ search: "march caf" }, true],
    [{ search: "ｍａｒｃｈ" }, true],
    [{ search: "march april" }, false],
    [{ search: "outgoing" }, false],
    [{ search: "retainer" }, false, { note: null }],
    [{ kind: "outgoingPayment" }, true],
    [{ kind: "outgoing" }, false],
    [{ kind: "lunarTransfer" }, true, { kind: "lunarTransfer" }],
    [{ status: "done" }, true],
    [{ status: "settled" }, true, { status: "settled" }],
    [{ status: "pending" }, false],
    [{ direction: "out" }, true],
    [{ direction: "in" }, false],
    [{ direction: "in" }, true, { amount: 0.01 }],
    [{ min: "1234.50", max: "1234.5" }, true],
    [{ min: "$1,234.51" }, false],
    [{ max: "1234.49" }, false],
    [{ min: "1234" }, true, { amount: 1234 }],
    [{ min: "0.29", max: "0.29" }, true, { amount: 0.29 }],
  ];

Deno.test("each filter selects transactions, with amounts compared in cents", () => {
  for (const [filters, matched, change] of CASES) {
    assertEquals(matches(filters, change), matched, JSON.stringify([filters, change]));
  }
});
